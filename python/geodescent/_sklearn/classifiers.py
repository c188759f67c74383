"""Classifiers for scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._data import ClassWeight, Problem
from .._model import Model
from .estimator import CertifiedClassifier, ProbabilityMixin
from .one_vs_rest import train_each

_PARAMETERS = """
    Parameters
    ----------
    C : float, default=1.0
        The strength of the loss; the objective is C sum_i loss_i + 1/2 |coef|^2.
    tol : float, default=1e-6
        Training ends when the proven relative gap is at most this: the gap divided by the largest
        possible gain. It means the same for every loss and data set.
    fit_intercept : bool, default=True
        {intercept}
    class_weight : dict or "balanced", default=None
        A factor of the weights of the rows of a class.
    random_state : ignored
        Nothing is random.
    max_iter : int, default=100_000
        The most iterations.
    verbose : int, default=0
        1 shows the progress.
    warm_start : bool, default=False
        Start from the last model.
    method : str, default="geod-memory"
        The method of `geodescent train --method`, with settings: "lbfgs:memory=10".
    threads : int, default=None
        The number of threads. It affects speed, never results.

    Attributes
    ----------
    coef_, intercept_, classes_, n_iter_, n_features_in_, feature_names_in_
        As in scikit-learn.
    gap_, relative_gap_ : float
        The proven gap, and its part of what training can gain. With a problem for each class the
        sum of the gaps, and the largest part; so are value, bound, iterations and passes sums.
    objective_value_, lower_bound_ : float
        The objective as mean loss plus l2/2 |coef|^2, and what no coefficients have less of.
    coef_error_bound_ : float
        The Euclidean distance from the optimal coefficients is at most this.
    status_ : str
        "converged", or why the training stopped before.
    n_passes_ : int
        Products with the data.
    history_ : dict of arrays
        iteration, passes, value, lower_bound, seconds and problem.
    certificate_ : Certificate
        The proof.
    model_ : Model
        All of it as :func:`geodescent.train` returns it.
"""
_FREE = "Whether there is an intercept. It is not regularised."


def _documented(example: str, intercept: str = _FREE) -> Any:
    def add(kind: type) -> type:
        kind.__doc__ = f"{kind.__doc__}{_PARAMETERS.format(intercept=intercept)}{example}"
        return kind

    return add


@_documented("""
    Examples
    --------
    >>> from geodescent import LogisticRegression
    >>> model = LogisticRegression(C=10).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> model.status_, model.relative_gap_ <= 1e-6
    ('converged', True)
""")
class LogisticRegression(ProbabilityMixin, CertifiedClassifier):
    """Logistic regression; the objective is that of scikit-learn's LogisticRegression.

    With more than two classes the loss is the multinomial one: a proof covers all classes.
    """

    _loss = "logistic"

    def _loss_for(self, problem: Problem) -> str:
        several = problem.classes is not None and len(problem.classes.labels) > 2
        return "softmax" if several else "logistic"

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.n_iter_ = np.array([model.n_iter], dtype=np.int32)  # an array, as in scikit-learn

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        warm_start: bool = False,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.method = method
        self.threads = threads


@_documented(
    """
    Examples
    --------
    >>> from geodescent import LinearSVC
    >>> LinearSVC().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[2.5]])
    array([1])
""",
    """Whether there is an intercept. As in scikit-learn's LinearSVC it is regularised: it is the
        coefficient of a constant feature of the value `intercept_scaling`.""",
)
class LinearSVC(CertifiedClassifier):
    """A linear SVM; the objective is that of scikit-learn's LinearSVC with the squared hinge loss.

    More than two classes have a problem for each class against the rest. Class weights then count
    for the rows of its own class in each problem, as in scikit-learn, so that each problem has a
    certificate of its own: `model_.of_classes`.

    `geodescent.train(X, y, loss="squared-hinge")` has an intercept that is not regularised: its
    predictions do not depend on the origin of the features.
    """

    _loss = "squared-hinge"
    _regularizes_intercept = True
    _weighs_own_rows = True

    def _model_for(self, problem: Problem) -> Model:
        several = problem.classes is not None and len(problem.classes.labels) > 2
        if several and problem.class_weights and self._weighs_own_rows:
            return train_each(problem, self._start(problem), self._run)
        return super()._model_for(problem)

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: ClassWeight = None,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        warm_start: bool = False,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.method = method
        self.threads = threads


@_documented("""
    Examples
    --------
    >>> from geodescent import SmoothedHingeClassifier
    >>> model = SmoothedHingeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> model.predict([[0.5]])
    array([0])
""")
class SmoothedHingeClassifier(CertifiedClassifier):
    """A linear SVM with a hinge loss whose corner is round.

    With z the margin the loss is 0 for z >= 1, 1/2 - z for z <= 0, and (1 - z)^2 / 2 between. More
    than two classes have a problem for each class against the rest, in which rows have the same
    weights.
    """

    _loss = "smoothed-hinge"

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        warm_start: bool = False,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.method = method
        self.threads = threads
