"""Proofs for coefficients, wherever they come from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _core
from ._data import ClassWeight, Problem, as_matrix, target
from ._model import Model, problem_of
from ._objectives import Objective, bias_of, objective_of
from ._train import parameter_of, strength


@dataclass(frozen=True)
class Proof:
    """What is proven about coefficients, rounding errors included."""

    value: float  #: the objective is at most this
    lower_bound: float  #: no coefficients have an objective below this
    gap: float  #: at least value - lower_bound
    relative_gap: float  #: gap as a part of all that training can gain
    coef_error_bound: float  #: the Euclidean distance from the optimal coefficients
    loss: str  #: the name of the loss
    l2: float  #: the objective is the mean loss plus l2/2 |coef|^2
    holds: bool = True  #: whether the certificate of the model, if it has one, holds
    reason: str = ""  #: why it does not hold

    def __repr__(self) -> str:
        if not self.holds:
            return f"Proof(loss={self.loss!r}, holds=False, reason={self.reason!r})"
        return (
            f"Proof(loss={self.loss!r}, value={self.value:.12g}, "
            f"lower_bound={self.lower_bound:.12g}, gap={self.gap:.3e}, "
            f"relative_gap={self.relative_gap:.3e}, holds=True)"
        )


def verify(
    model: Any,
    X: Any,
    y: Any,
    intercept: Any = None,
    *,
    loss: str | None = None,
    C: float = 1.0,
    l2: float | None = None,
    regularized_intercept: bool = False,
    intercept_scaling: float = 1.0,
    loss_parameter: float | None = None,
    sample_weight: Any = None,
    class_weight: ClassWeight = None,
) -> Proof:
    """Prove how far coefficients are from the optimum of their training objective.

    Call it in one of two ways:

    ``verify(model, X, y)`` for a :class:`Model`, for an estimator of geodescent, and for a fitted
    LogisticRegression, LinearSVC, Ridge, RidgeClassifier, SGDClassifier or SGDRegressor of
    scikit-learn, or the CV version of one. `sample_weight` is that of the fit. Of a Pipeline its
    last step is judged on what the steps before make of X, of a search such as GridSearchCV its
    `best_estimator_`.

    ``verify(X, y, coef, intercept, loss=..., C=...)`` for any coefficients. Without an intercept,
    the objective has none.

    It takes one forward and one backward pass and trusts nothing that the training computed. The
    bound for coefficients without a certificate is that of the dual point at the coefficients: it
    is true, and tight for coefficients that are close to the optimum.

    Examples
    --------
    >>> import geodescent
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> model = geodescent.train(X, y)
    >>> geodescent.verify(model, X, y).holds
    True
    >>> geodescent.verify(X, y, [1.0], -1.5, loss="logistic", C=1.0).gap < 0.1
    True
    """
    if loss is not None:
        objective = Objective(
            loss=loss,
            coef=np.asarray(y, dtype=np.float64),
            intercept=np.asarray(0.0 if intercept is None else intercept, dtype=np.float64),
            bias=bias_of(intercept is not None, regularized_intercept),
            C=C,
            l2_of=None if l2 is None else lambda weight, rows: float(l2),
            scaling=intercept_scaling,
            loss_parameter=parameter_of(loss, loss_parameter),
        )
        return _judge(objective, model, X, sample_weight, class_weight)
    if intercept is not None or (not _is_model(model) and np.ndim(model) > 1):
        raise ValueError("verify(X, y, coef, intercept) needs the loss, such as loss='logistic'")
    model, X = _last_step(model, X)
    own = getattr(model, "model_", model)
    if isinstance(own, Model):
        weights = getattr(model, "class_weight", class_weight)
        return _check(own, X, y, sample_weight, weights)
    if not hasattr(model, "coef_") and hasattr(model, "get_params"):
        raise ValueError(f"this {type(model).__name__} is not fitted, or has no coef_")
    return _judge_fitted(objective_of(model), X, y, sample_weight)


def _last_step(model: Any, X: Any) -> tuple[Any, Any]:
    """The estimator at the end of a search or pipeline of scikit-learn, and its rows."""
    if hasattr(model, "best_estimator_"):
        return _last_step(model.best_estimator_, X)
    if hasattr(model, "named_steps"):
        return _last_step(model[-1], model[:-1].transform(X) if len(model.steps) > 1 else X)
    return model, X


def _is_model(model: Any) -> bool:
    return isinstance(model, Model) or hasattr(model, "get_params")


def _check(model: Model, X: Any, y: Any, sample_weight: Any, class_weight: ClassWeight) -> Proof:
    """The certificate of a model of ours."""
    if model.of_classes:
        return _check_each(model, problem_of(X, y, model.loss, sample_weight, class_weight))
    if model.certificate is None:
        raise ValueError("the model has no certificate; give coef, intercept, loss and C instead")
    if class_weight is None and model.certificate.class_weights:
        named = dict(model.certificate.class_weights)
        labels = zip(model.core.classes, model.classes, strict=True)  # type: ignore[arg-type]
        class_weight = {label: named[number] for (number, _), label in labels if number in named}
    problem = problem_of(X, y, model.loss, sample_weight, class_weight)
    return _proof(_core.verify(problem.data, model.core, model.certificate), model.loss)


def _check_each(model: Model, problem: Problem) -> Proof:
    assert problem.classes is not None and model.classes is not None
    if not np.array_equal(problem.classes.labels, model.classes):
        raise ValueError(f"y must have the labels {model.classes.tolist()}")
    proofs = []
    for k, one in enumerate(model.of_classes):
        assert one.certificate is not None
        data = problem.against_rest(k).data
        proofs.append(_proof(_core.verify(data, one.core, one.certificate), one.loss))
    return sum_of(proofs)


def _proof(found: _core.Verification, loss: str) -> Proof:
    proven = found.proven
    return Proof(
        value=proven.value,
        lower_bound=proven.lower_bound,
        gap=proven.gap,
        relative_gap=found.relative_gap,
        coef_error_bound=proven.distance_bound,
        loss=loss,
        l2=proven.l2,
        holds=found.holds,
        reason=found.reason,
    )


def _judge(o: Objective, X: Any, y: Any, sample_weight: Any, class_weight: ClassWeight) -> Proof:
    """What the coefficients prove by themselves."""
    problem = problem_of(X, y, o.loss, sample_weight, class_weight)
    weight = problem.data.total_weight
    l2 = strength(o.loss, o.C, o.l2_of(weight, len(problem.given)) if o.l2_of else None, problem)
    coef = np.atleast_2d(o.coef)
    if coef.shape[1] != problem.features:
        raise ValueError(f"coef has {coef.shape[1]} entries, but X has {problem.features} columns")
    rows_of_classes = problem.rows_of_classes()
    if rows_of_classes and len(rows_of_classes) != max(len(coef), 2):
        classes = len(rows_of_classes)
        raise ValueError(f"y has {classes} classes, but coef has {len(coef)} row(s)")
    intercepts = np.broadcast_to(o.intercept.reshape(-1), (len(coef),)) / o.scaling
    model = _core.LinearModel(
        o.loss,
        o.loss_parameter,
        l2,
        o.bias,
        o.scaling,
        rows_of_classes,
        len(coef) > 1,
        np.ascontiguousarray(coef.T).reshape(-1),
        np.ascontiguousarray(intercepts, dtype=np.float64),
    )
    return _proof(_core.judge(problem.data, model), o.loss)


def _judge_fitted(o: Objective, X: Any, y: Any, sample_weight: Any) -> Proof:
    """A model of scikit-learn."""
    X, y = as_matrix(X), target(y)
    if o.labels is None:
        return _judge(o, X, y, sample_weight, None)
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if not set(np.unique(y)) <= set(o.labels):
        raise ValueError(f"y has labels that the model does not know; it knows {list(o.labels)}")
    factors = o.weights_of_classes(y, sample_weight)
    of_rows = weights * factors[np.searchsorted(o.labels, y)]
    if o.joint:
        return _judge(o, X, y, of_rows, None)
    proofs = []
    own = len(o.labels) > 2 and o.weighs_own_rows
    for k, label in enumerate(o.labels[-len(o.coef) :]):  # of two classes the second one
        positive = y == label
        parts = weights * np.where(positive, factors[k], 1.0) if own else of_rows
        intercept = o.intercept[k] if o.intercept.ndim else o.intercept
        part = replace(o, coef=o.coef[k], intercept=np.asarray(intercept))
        proofs.append(_judge(part, X, np.where(positive, 1.0, -1.0), parts, None))
    return proofs[0] if len(proofs) == 1 else sum_of(proofs)


def sum_of(proofs: Sequence[Proof]) -> Proof:
    """One class against the rest: the proofs of all classes, in one. Sums are rounded outward."""
    return Proof(
        value=math.nextafter(math.fsum(p.value for p in proofs), math.inf),
        lower_bound=math.nextafter(math.fsum(p.lower_bound for p in proofs), -math.inf),
        gap=math.nextafter(math.fsum(p.gap for p in proofs), math.inf),
        relative_gap=max(p.relative_gap for p in proofs),
        coef_error_bound=math.hypot(*(p.coef_error_bound for p in proofs)) * (1 + 1e-14),
        loss=proofs[0].loss,
        l2=proofs[0].l2 if len({p.l2 for p in proofs}) == 1 else math.nan,
        holds=all(p.holds for p in proofs),
        reason="; ".join(p.reason for p in proofs if p.reason),
    )
