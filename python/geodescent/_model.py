"""A trained model with its proof."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, softmax

from . import _core
from ._data import Array, Problem, as_matrix, target

if TYPE_CHECKING:
    from ._verify import Proof


@dataclass(eq=False)
class Model:
    """A linear model, the bounds proven for it, and how it was found.

    The objective is the mean loss plus l2/2 |coef|^2; rows count by their weights.
    """

    coef: Array  #: one number for each feature; of several classes a row for each
    intercept: Any  #: a number; of several classes an array
    classes: Array | None  #: the labels in increasing order; None for a regression
    loss: str  #: the name of the loss
    l2: float  #: the strength of the regularisation; nan where those of `of_classes` differ
    value: float  #: the objective is at most this
    lower_bound: float  #: no coefficients have an objective below this
    gap: float  #: at least value - lower_bound, rounding errors included
    relative_gap: float  #: gap as a part of all that training can gain
    status: str  #: "converged", "iteration_limit", "interrupted", ...
    message: str  #: why the training stopped, with the numbers that decided
    n_iter: int  #: iterations
    n_passes: int  #: products with the data
    seconds: float  #: for training and proof
    history: dict[str, Array]  #: iteration, passes, value, lower_bound, seconds and problem
    certificate: _core.Certificate | None  #: the proof; with rows on several ranks only on rank 0
    core: _core.LinearModel = field(repr=False)  #: the model as the library keeps it
    #: with a problem for each class, if the weights of rows differ among them: their models
    of_classes: tuple[Model, ...] = ()

    @property
    def coef_error_bound(self) -> float:
        """The Euclidean distance of the coefficients from the optimal ones is at most this."""
        if self.of_classes:
            return _above(math.hypot(*(model.coef_error_bound for model in self.of_classes)))
        if not self.l2 > 0:  # of a file that does not say it
            return math.nan
        return _above(math.sqrt(_above(2 * self.gap / self.l2)))

    @property
    def converged(self) -> bool:
        """Whether the tolerance is proven to be reached."""
        return self.status == "converged"

    def decision_function(self, X: Any) -> Array:
        """X coef + intercept."""
        X = as_matrix(X)
        if X.shape[1] != self.coef.shape[-1]:
            features = self.coef.shape[-1]
            raise ValueError(f"X has {X.shape[1]} columns, but the model has {features} features")
        return decisions_of(X, self.coef, self.intercept)

    def predict(self, X: Any) -> Array:
        """The class of every row, or its predicted target."""
        return labels_of(self.classes, self.decision_function(X))

    def predict_proba(self, X: Any) -> Array:
        """The probability of every class, for the losses that have probabilities."""
        return probabilities_of(self.loss, self.decision_function(X))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model with its proof, in the format of the command line."""
        _core.write_model(self.core, self.certificate, os.fspath(path))

    def verify(self, X: Any, y: Any, *, sample_weight: Any = None) -> Proof:
        """Check the certificate against the data. See :func:`geodescent.verify`."""
        from ._verify import verify

        return verify(self, X, y, sample_weight=sample_weight)

    def plot_history(self, ax: Any = None) -> Any:
        """Draw the relative gap over the passes, with matplotlib."""
        from ._plots import plot_history

        if not self.history:
            raise ValueError("a model that was read from a file has no history")
        return plot_history(self.history, ax)

    def __repr__(self) -> str:
        return (
            f"Model(loss={self.loss!r}, l2={self.l2:.6g}, features={self.coef.shape[-1]}, "
            f"status={self.status!r}, gap={self.gap:.3e}, relative_gap={self.relative_gap:.3e})"
        )


def _above(x: float) -> float:
    """More than the number that was rounded to x."""
    return math.nextafter(x, math.inf)


_ROWS_AT_A_TIME = 4096


def decisions_of(X: Any, coef: Array, intercept: Any) -> Array:
    """X coef' + intercept, where numpy would copy a float32 X as a whole."""
    if sp.issparse(X) or X.dtype == np.float64:
        return np.asarray(X @ coef.T + intercept)
    result = np.empty(X.shape[:1] + coef.shape[:-1])
    for begin in range(0, len(X), _ROWS_AT_A_TIME):
        rows = slice(begin, begin + _ROWS_AT_A_TIME)
        result[rows] = X[rows].astype(np.float64) @ coef.T + intercept
    return result


def labels_of(classes: Array | None, decisions: Array) -> Array:
    if classes is None:
        return decisions
    if decisions.ndim == 1:
        return np.asarray(classes[(decisions > 0).astype(np.intp)])
    return np.asarray(classes[decisions.argmax(axis=1)])


LOSSES: Mapping[str, Mapping[str, Any]] = {entry["name"]: entry for entry in _core.losses()}


def loss_named(name: str) -> Mapping[str, Any]:
    if name not in LOSSES:
        raise ValueError(f"unknown loss {name!r}; known are {', '.join(LOSSES)}")
    return LOSSES[name]


def probabilities_of(loss: str, decisions: Array) -> Array:
    if not loss_named(loss)["probabilities"]:
        raise ValueError(f"the loss {loss!r} has no probabilities")
    if decisions.ndim == 1:
        positive = np.asarray(expit(decisions))
        return np.column_stack([1 - positive, positive])
    if loss == "softmax":
        return np.asarray(softmax(decisions, axis=1))
    each = expit(decisions)  # one class against the rest, normalised
    return np.asarray(each / each.sum(axis=1, keepdims=True))


def coefficients_of(core: _core.LinearModel) -> tuple[Array, Any]:
    """Coefficients and intercept in their shapes."""
    if core.outputs == 1:
        return core.weights, float(core.intercepts[0])
    return core.weights.reshape(-1, core.outputs).T.copy(), core.intercepts


def model_of(trained: _core.Trained, classes: Array | None, *, keep_proof: bool = True) -> Model:
    """What a training has found. Raises where the objective was not finite."""
    certificate = trained.certificate  # a copy, with a number for each row
    if certificate is None:
        raise ValueError(
            f"the objective is not finite: {trained.message}; the values of X may be too large"
        )
    core = trained.model
    coef, intercept = coefficients_of(core)
    return Model(
        coef=coef,
        intercept=intercept,
        classes=classes,
        loss=core.loss,
        l2=core.l2,
        value=trained.value,
        lower_bound=trained.lower_bound,
        gap=trained.gap,
        relative_gap=certificate.relative_gap,
        status="interrupted" if trained.interrupted else trained.status,
        message=trained.message,
        n_iter=trained.iterations,
        n_passes=trained.passes,
        seconds=trained.seconds + trained.proof_seconds,
        history=trained.history,
        certificate=certificate if keep_proof else None,
        core=core,
    )


def read_model(path: str | os.PathLike[str]) -> Model:
    """Read a model of ours or of liblinear-train, with its proof if it has one."""
    core, certificate = _core.read_model(os.fspath(path))
    coef, intercept = coefficients_of(core)
    labels = np.array([label for label, _ in core.classes])
    if len(labels) and np.all(labels == np.round(labels)):
        labels = labels.astype(np.int64)
    unknown = float("nan")
    value, bound = (
        (certificate.value, certificate.lower_bound) if certificate else (unknown, unknown)
    )
    return Model(
        coef=coef,
        intercept=intercept,
        classes=labels if len(labels) else None,
        loss=core.loss,
        l2=core.l2,
        value=value,
        lower_bound=bound,
        gap=0.0 if value == bound else _above(value - bound),
        relative_gap=certificate.relative_gap if certificate else unknown,
        status=core.status,
        message="",
        n_iter=0,
        n_passes=0,
        seconds=0.0,
        history={},
        certificate=certificate,
        core=core,
    )


def read_certificate(path: str | os.PathLike[str]) -> _core.Certificate:
    """Read a certificate from a file of its own or from that of its model."""
    return _core.read_certificate(os.fspath(path))


def write_certificate(certificate: _core.Certificate, path: str | os.PathLike[str]) -> None:
    """Write a certificate to a file of its own, for `geodescent verify DATA MODEL FILE`."""
    _core.write_certificate(certificate, os.fspath(path))


def problem_of(
    X: Any,
    y: Any,
    loss: str,
    sample_weight: Any = None,
    class_weight: Any = None,
    all_labels: Array | None = None,
) -> Problem:
    return Problem(
        as_matrix(X),
        target(y),
        classification=bool(loss_named(loss)["classification"]),
        sample_weight=sample_weight,
        class_weight=class_weight,
        all_labels=all_labels,
    )
