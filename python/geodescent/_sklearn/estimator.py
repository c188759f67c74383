"""What all estimators share. Parameters and attributes are scikit-learn's where it has them."""

from __future__ import annotations

import html
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_is_fitted,
    validate_data,
)

from .. import _core
from .._data import Array, Problem, require_unmasked
from .._model import Model, decisions_of, labels_of, probabilities_of
from .._parameters import positive
from .._progress import say_conversion
from .._train import run, settings_of


def _are_whole_numbers(y: Array) -> bool:
    """These are classes, whatever they are. scikit-learn would sort them to find out."""
    if y.dtype.kind in "biu":
        return True
    return y.dtype.kind == "f" and bool(np.all(np.rint(y) == y))


class CertifiedEstimator(BaseEstimator):  # type: ignore[misc]
    """A linear model that knows how far from the optimum it can be."""

    _loss: str
    _classification: bool
    _regularizes_intercept = False

    # What the estimators differ in.

    def _l2(self, problem: Problem) -> float:
        raise NotImplementedError

    def _loss_for(self, problem: Problem) -> str:
        return self._loss

    def _loss_parameter(self) -> float | None:
        return None

    # Fit.

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> Problem:
        require_unmasked(X=X, y=y, sample_weight=sample_weight)
        say_conversion(self.verbose, X)
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,  # the library looks at each entry anyway
            y_numeric=not self._classification,
        )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
            if np.any(sample_weight < 0):
                raise ValueError("Negative values in data passed to `sample_weight`")
            if not np.any(sample_weight > 0):
                raise ValueError("all entries of sample_weight are zero")
        if self._classification and not _are_whole_numbers(y):
            check_classification_targets(y)
        try:
            problem = Problem(
                X,
                y,
                classification=self._classification,
                sample_weight=sample_weight,
                class_weight=getattr(self, "class_weight", None),
            )
        except ValueError:
            name = type(self).__name__
            assert_all_finite(y if y.dtype.kind == "f" else 0.0, input_name="y")
            assert_all_finite(X, estimator_name=name, input_name="X")
            raise
        if problem.classes is not None and len(problem.classes.labels) < 2:
            raise ValueError("y has 1 class; a classifier needs at least 2 classes")
        return problem

    def _settings(self, problem: Problem, l2: float, max_iter: int) -> _core.Settings:
        bias = "none"
        if self.fit_intercept:
            bias = "regularized" if self._regularizes_intercept else "free"
        return settings_of(
            loss=self._loss_for(problem),
            l2=l2,
            intercept=bias,
            intercept_scaling=getattr(self, "intercept_scaling", 1.0)
            if self.fit_intercept
            else 1.0,
            loss_parameter=self._loss_parameter(),
            tol=self.tol,
            max_iter=max_iter,
            method=self.method,
            threads=self.threads,
        )

    def _start(self, problem: Problem) -> Model | None:
        """The last model, if it fits."""
        model: Model | None = getattr(self, "model_", None)
        if not getattr(self, "warm_start", False) or model is None:
            return None
        if model.coef.shape[-1] != problem.features:
            return None
        labels = problem.classes.labels if problem.classes else None
        if labels is None or model.classes is None:
            return model
        return model if np.array_equal(labels, model.classes) else None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Train. Ctrl-C stops and keeps the best model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            float64 and float32 arrays in any order and CSR matrices are not copied. CSC and other
            sparse formats are copied once, to CSR.
        y : array-like of shape (n_samples,)
            Labels or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight 2 counts like two rows.
        """
        return self._trained(self._checked(X, y, sample_weight))

    def _trained(self, problem: Problem) -> Any:
        model = self._model_for(problem)
        self._keep(model)
        reached = model.converged or (model.status == "precision_limit" and self.tol == 0)
        if not reached:
            warnings.warn(
                f"{type(self).__name__} stopped before its tolerance ({model.status}): relative "
                f"gap {model.relative_gap:.3e} proven, tol={self.tol:.3e}. {model.message}",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _model_for(self, problem: Problem) -> Model:
        return self._run(problem, self._start(problem))

    def _run(self, problem: Problem, start: Model | None, stopped: bool = False) -> Model:
        max_iter = 0 if stopped else self.max_iter
        settings = self._settings(problem, self._l2(problem), max_iter)
        return run(problem, settings, tol=self.tol, start=start, verbose=self.verbose)

    def _keep(self, model: Model) -> None:
        self.model_ = model
        self.coef_ = model.coef
        self.intercept_ = model.intercept
        self.n_iter_: Any = model.n_iter
        self.gap_ = model.gap
        self.relative_gap_ = model.relative_gap
        self.objective_value_ = model.value
        self.lower_bound_ = model.lower_bound
        self.coef_error_bound_ = model.coef_error_bound
        self.status_ = model.status
        self.n_passes_ = model.n_passes
        self.history_ = model.history
        self.certificate_ = model.certificate

    # Use.

    def _decisions(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        decisions = decisions_of(X, self.coef_, self.intercept_)
        return decisions.ravel() if decisions.ndim > 1 and decisions.shape[1] == 1 else decisions

    def plot_history(self, ax: Any = None) -> Any:
        """Draw the gap over the passes of the last fit, with matplotlib."""
        check_is_fitted(self)
        return self.model_.plot_history(ax)

    def save(self, path: Any) -> None:
        """Write the model with its proof, in the format of the command line."""
        check_is_fitted(self)
        self.model_.save(path)

    def _repr_html_inner(self) -> str:
        return self._with_gap(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """What notebooks show; they do not ask for `_repr_html_` then."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._with_gap(bundle["text/html"])
        return bundle

    def _with_gap(self, page: str) -> str:
        if not hasattr(self, "model_"):
            return page
        said = (
            f"{self.status_}: proven gap {self.gap_:.3e}, relative {self.relative_gap_:.3e} "
            f"(tol={self.tol:.3e})"
        )
        return f"{page}<p class='geodescent-gap'>{html.escape(said)}</p>"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class CertifiedClassifier(ClassifierMixin, CertifiedEstimator):  # type: ignore[misc]
    """Its strength is C, as in scikit-learn: C sum_i loss_i + 1/2 |coef|^2."""

    _classification = True

    def _l2(self, problem: Problem) -> float:
        return self._l2_from_c(problem, self.C)

    def _l2_from_c(self, problem: Problem, C: float) -> float:
        strength = positive("C", C)
        return _core.l2_from_c(self._loss_for(problem), strength, problem.data.total_weight)

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.classes_ = model.classes
        self.coef_ = np.atleast_2d(model.coef)
        self.intercept_ = np.atleast_1d(model.intercept)

    def decision_function(self, X: Any) -> Array:
        """X coef + intercept: of two classes one number a row, of several one for each class."""
        return self._decisions(X)

    def predict(self, X: Any) -> Array:
        """The class of every row."""
        decisions = self._decisions(X)
        return labels_of(self.classes_, decisions)


class ProbabilityMixin:
    """For losses whose decisions mean probabilities."""

    def predict_proba(self, X: Any) -> Array:
        """The probability of every class, in the order of `classes_`."""
        decisions = self._decisions(X)  # type: ignore[attr-defined]
        return probabilities_of(self.model_.loss, decisions)  # type: ignore[attr-defined]

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of predict_proba."""
        return np.log(self.predict_proba(X))


class CertifiedRegressor(RegressorMixin, CertifiedEstimator):  # type: ignore[misc]
    """Its strength is alpha, as in scikit-learn: sum_i 2 loss_i + alpha |coef|^2."""

    _classification = False

    def _l2(self, problem: Problem) -> float:
        return self._l2_from_alpha(problem, self.alpha)

    def _l2_from_alpha(self, problem: Problem, alpha: float) -> float:
        return positive("alpha", alpha) / problem.data.total_weight

    def predict(self, X: Any) -> Array:
        """The predicted target of every row."""
        return self._decisions(X)
