"""Estimators that choose the strength of the regularisation by cross-validation."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from .. import _core
from .._data import Array, ClassWeight, Problem
from .._parameters import several, whole
from .._progress import Display
from .classifiers import LinearSVC, LogisticRegression, SmoothedHingeClassifier
from .regressors import HuberRidge, Ridge

_FIRST_SEED = 1  # that of `geodescent train --folds`


def _fold_of_rows(problem: Problem, cv: Any, classification: bool, random_state: Any) -> list[int]:
    """The fold that holds out each row."""
    rows = problem.data.rows
    if cv is None:
        cv = 5
    if isinstance(cv, numbers.Integral):
        if rows < int(cv):
            raise ValueError(f"{rows} sample(s) are too few for {cv} folds; n_samples={rows}")
        seed = _FIRST_SEED
        if isinstance(random_state, numbers.Integral):
            seed = int(random_state)
        elif random_state is not None:
            seed = int(random_state.randint(2**31 - 1))
        return _core.folds(problem.data, classification, int(cv), seed)
    fold_of = np.full(len(problem.given), -1)
    splits = check_cv(cv).split(np.zeros((len(fold_of), 1)), problem.given)
    for fold, (_, held_out) in enumerate(splits):
        if np.any(fold_of[held_out] >= 0):
            raise ValueError("cv holds out a row twice; it must hold out each row exactly once")
        fold_of[held_out] = fold
    if np.any(fold_of < 0):
        raise ValueError("cv does not hold out all rows; it must hold out each row exactly once")
    kept = fold_of if problem.kept is None else fold_of[problem.kept]
    return [int(fold) for fold in np.unique(kept, return_inverse=True)[1]]


class _CrossValidated:
    """Chooses among strengths by the mean loss of the rows that are held out.

    Attributes
    ----------
    held_out_loss_, held_out_error_ : array
        The mean loss of the rows that were held out, for each strength, and its standard error.
    held_out_score_ : array
        Of a classifier the accuracy, of a regressor the mean squared error.
    """

    _classification: bool
    # Set by the estimators.
    cv: Any
    random_state: Any
    verbose: int
    tol: float
    max_iter: int
    one_standard_error: bool
    Cs: Any
    alphas: Any
    _settings: Any
    _l2_from_c: Any
    _l2_from_alpha: Any

    def _choose(self, problem: Problem, strengths: Array, l2: Array) -> float:
        """The best strength. l2 goes from strong to weak."""
        fold_of = _fold_of_rows(
            problem,
            self.cv,
            self._classification,
            self.random_state,
        )
        display = Display(self.verbose, None, self.tol)
        found = _core.cross_validate(
            problem.data,
            self._settings(problem, 1.0, self.max_iter),
            l2,
            fold_of,
            display.callback,
            display.seconds,
        )
        display.close("cross-validation is done")
        name = "accuracy" if self._classification else "mean_squared_error"
        score = [getattr(value, name) for value in found.values]
        self.held_out_loss_ = np.array([value.loss for value in found.values])
        self.held_out_error_ = np.array([value.standard_error for value in found.values])
        self.held_out_score_ = np.array([np.nan if s is None else s for s in score])
        best = found.one_standard_error if self.one_standard_error else found.chosen
        return float(strengths[best])


class _ClassifierCV(_CrossValidated):
    def _trained(self, problem: Problem) -> Any:
        Cs = self.Cs
        if isinstance(Cs, numbers.Integral):
            Cs = np.logspace(-4, 4, whole("Cs", Cs, 1))
        self.Cs_ = np.sort(several("Cs", Cs))
        l2 = np.array([self._l2_from_c(problem, C) for C in self.Cs_])
        self.C_ = self._choose(problem, self.Cs_, l2)
        return super()._trained(problem)  # type: ignore[misc]

    def _l2(self, problem: Problem) -> float:
        return self._l2_from_c(problem, self.C_)  # type: ignore[no-any-return]


class _RegressorCV(_CrossValidated):
    def _trained(self, problem: Problem) -> Any:
        self.alphas_ = np.sort(several("alphas", self.alphas))[::-1]
        l2 = np.array([self._l2_from_alpha(problem, a) for a in self.alphas_])
        self.alpha_ = self._choose(problem, self.alphas_, l2)
        return super()._trained(problem)  # type: ignore[misc]

    def _l2(self, problem: Problem) -> float:
        return self._l2_from_alpha(problem, self.alpha_)  # type: ignore[no-any-return]


class LogisticRegressionCV(_ClassifierCV, LogisticRegression):
    """:class:`LogisticRegression` with C chosen by cross-validation.

    Parameters are those of :class:`LogisticRegression`, and:

    Cs : int or list, default=10
        The number of values from 1e-4 to 1e4, or the values.
    cv : int, splitter or list of splits, default=5
        The number of folds, drawn with `random_state`, or splits that hold out each row once.
    one_standard_error : bool, default=False
        Take the smallest C whose loss is at most one standard error above the best.

    Each C means the same l2 = 1/(C W) on the rows of every fold, with W the weight of all rows.
    `C_` is the chosen value; `held_out_loss_`, `held_out_error_` and `held_out_score_` belong to
    `Cs_`.

    Examples
    --------
    >>> import numpy as np
    >>> from geodescent import LogisticRegressionCV
    >>> X = np.arange(20.0).reshape(-1, 1)
    >>> model = LogisticRegressionCV(Cs=[0.01, 1.0]).fit(X, np.arange(20) > 9)
    >>> model.C_
    1.0
    """

    def __init__(
        self,
        Cs: Any = 10,
        *,
        cv: Any = None,
        one_standard_error: bool = False,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.Cs = Cs
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.method = method
        self.threads = threads


class SmoothedHingeClassifierCV(_ClassifierCV, SmoothedHingeClassifier):
    """:class:`SmoothedHingeClassifier` with C chosen as in :class:`LogisticRegressionCV`."""

    __init__ = LogisticRegressionCV.__init__


class LinearSVCCV(_ClassifierCV, LinearSVC):
    """:class:`LinearSVC` with C chosen as in :class:`LogisticRegressionCV`.

    With more than two classes, class weights count for all rows of a class in each problem.
    """

    _weighs_own_rows = False

    def __init__(
        self,
        Cs: Any = 10,
        *,
        cv: Any = None,
        one_standard_error: bool = False,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: ClassWeight = None,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.Cs = Cs
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.method = method
        self.threads = threads


class RidgeCV(_RegressorCV, Ridge):
    """:class:`Ridge` with alpha chosen by cross-validation, from `alphas`.

    The other parameters are those of :class:`LogisticRegressionCV`. `alpha_` is the chosen value;
    `held_out_loss_`, `held_out_error_` and `held_out_score_` belong to `alphas_`.

    Examples
    --------
    >>> import numpy as np
    >>> from geodescent import RidgeCV
    >>> X = np.arange(20.0).reshape(-1, 1)
    >>> RidgeCV(alphas=[0.1, 10.0]).fit(X, 2 * X[:, 0]).alpha_
    0.1
    """

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        cv: Any = None,
        one_standard_error: bool = False,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.alphas = alphas
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.method = method
        self.threads = threads


class HuberRidgeCV(_RegressorCV, HuberRidge):
    """:class:`HuberRidge` with alpha chosen as in :class:`RidgeCV`."""

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        delta: float = 1.0,
        cv: Any = None,
        one_standard_error: bool = False,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.alphas = alphas
        self.delta = delta
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.method = method
        self.threads = threads
