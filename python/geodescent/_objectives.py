"""What fitted models of scikit-learn minimise."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._data import Array, ClassWeight


@dataclass(frozen=True)
class Objective:
    """What the coefficients of a model are supposed to minimise."""

    loss: str
    coef: Array
    intercept: Array
    bias: str
    C: float = 1.0
    l2_of: Callable[[float, int], float] | None = None  #: from total weight and rows, instead of C
    scaling: float = 1.0
    loss_parameter: float = 0.0
    # Of a classifier of scikit-learn.
    labels: Array | None = None
    joint: bool = False  #: one problem for all classes, not one for each class against the rest
    class_weight: ClassWeight = None
    balances_rows: bool = False  #: "balanced" counts rows, whatever their sample weights are
    weighs_own_rows: bool = True  #: the problem of a class has class weights for its own rows alone

    def weights_of_classes(self, y: Array, sample_weight: Any) -> Array:
        """The class weights of the installed scikit-learn, in the order of the labels."""
        from sklearn.utils.class_weight import compute_class_weight

        counted = "sample_weight" in inspect.signature(compute_class_weight).parameters
        given = {"sample_weight": sample_weight} if counted and not self.balances_rows else {}
        weights = compute_class_weight(self.class_weight, classes=self.labels, y=y, **given)
        return np.asarray(weights, dtype=np.float64)


def bias_of(has_intercept: bool, regularized: bool) -> str:
    if not has_intercept:
        return "none"
    return "regularized" if regularized else "free"


def _refuse(model: Any, why: str) -> ValueError:
    return ValueError(f"the objective of this {type(model).__name__} is not ours: {why}")


def _fitted(model: Any, **parts: Any) -> Objective:
    coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    classifier = hasattr(model, "classes_")
    return Objective(
        coef=np.atleast_2d(np.asarray(coef, dtype=np.float64)),
        intercept=np.asarray(model.intercept_, dtype=np.float64),
        labels=model.classes_ if classifier else None,
        class_weight=model.class_weight if classifier else None,
        **parts,
    )


def _logistic_regression(model: Any) -> Objective:
    penalty = model.get_params().get("penalty", "l2")
    ratios = getattr(model, "l1_ratio_", model.get_params().get("l1_ratio"))
    if penalty not in ("l2", "deprecated") or any(np.ravel(ratios)):
        raise _refuse(model, "its penalty is not l2")
    strengths = np.unique(getattr(model, "C_", model.get_params().get("C")))
    if len(strengths) > 1:
        raise _refuse(model, "its classes have different values of C")
    liblinear = model.solver == "liblinear"
    several = len(model.classes_) > 2
    # A parameter of old releases. Two classes of a multinomial model share their coefficients.
    other = "ovr" if several else "multinomial"
    if not liblinear and model.get_params().get("multi_class") == other:
        raise _refuse(model, f"multi_class={other!r} with {len(model.classes_)} classes")
    joint = several and not liblinear
    return _fitted(
        model,
        loss="softmax" if joint else "logistic",
        joint=joint,
        C=float(strengths[0]),
        bias=bias_of(model.fit_intercept, liblinear),
        scaling=model.intercept_scaling if liblinear and model.fit_intercept else 1.0,
    )


def _linear_svc(model: Any) -> Objective:
    if model.loss != "squared_hinge" or model.penalty != "l2":
        raise _refuse(model, "it needs loss='squared_hinge' and penalty='l2'")
    if len(model.classes_) > 2 and model.multi_class != "ovr":
        raise _refuse(model, "it needs multi_class='ovr'")
    return _fitted(
        model,
        loss="squared-hinge",
        C=model.C,
        bias=bias_of(model.fit_intercept, True),
        scaling=model.intercept_scaling if model.fit_intercept else 1.0,
    )


def _ridge(model: Any) -> Objective:
    strength = getattr(model, "alpha_", model.get_params().get("alpha"))
    if np.ndim(strength) != 0 or getattr(model, "positive", False):
        raise _refuse(model, "it needs one alpha and positive=False")
    if not hasattr(model, "classes_") and np.ndim(model.coef_) > 1 and len(model.coef_) > 1:
        raise _refuse(model, "it has several targets; give them one by one, with their coef")
    alpha = float(strength)
    return _fitted(
        model,
        loss="squared",
        l2_of=lambda weight, rows: alpha / weight,
        bias=bias_of(model.fit_intercept, False),
        # Of RidgeClassifier, which is a regression on -1 and 1 for each class.
        balances_rows=True,
        weighs_own_rows=False,
    )


def _sgd(model: Any, losses: dict[str, tuple[str, float]]) -> Objective:
    if model.loss not in losses or model.penalty != "l2":
        raise _refuse(model, f"it needs penalty='l2' and a loss of {', '.join(losses)}")
    loss, factor = losses[model.loss]
    alpha = float(model.alpha)
    return _fitted(
        model,
        loss=loss,
        l2_of=lambda weight, rows: alpha * rows / (factor * weight),
        bias=bias_of(model.fit_intercept, False),
        loss_parameter=model.epsilon if loss == "huber" else 0.0,
        balances_rows=True,
    )


def _sgd_classifier(model: Any) -> Objective:
    return _sgd(model, {"log_loss": ("logistic", 1.0), "squared_hinge": ("squared-hinge", 2.0)})


def _sgd_regressor(model: Any) -> Objective:
    return _sgd(model, {"squared_error": ("squared", 1.0), "huber": ("huber", 1.0)})


_OBJECTIVES: dict[str, Callable[[Any], Objective]] = {
    "LogisticRegression": _logistic_regression,
    "LinearSVC": _linear_svc,
    "Ridge": _ridge,
    "RidgeCV": _ridge,
    "RidgeClassifier": _ridge,
    "RidgeClassifierCV": _ridge,
    "SGDClassifier": _sgd_classifier,
    "SGDRegressor": _sgd_regressor,
}


def objective_of(model: Any) -> Objective:
    for kind in type(model).__mro__:
        if kind.__module__.startswith("sklearn.") and kind.__name__ in _OBJECTIVES:
            return _OBJECTIVES[kind.__name__](model)
    raise ValueError(
        f"the objective of a {type(model).__name__} is not known; "
        "give X, y, coef and intercept with loss= and C="
    )
