"""From arrays of numpy, scipy, pandas and polars to data sets of the library."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from . import _core

Array = npt.NDArray[Any]
ClassWeight = Mapping[Any, float] | str | None


def require_unmasked(**arrays: Any) -> None:
    """numpy would take what is behind a mask for data."""
    for name, array in arrays.items():
        if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
            raise ValueError(f"{name} has masked entries; fill them, or leave their rows out")


def matrix(X: Any) -> _core.Matrix:
    """A view of X. Nothing is copied where X is float64 or float32, dense or CSR.

    CSC and other sparse formats are converted to CSR once, other numbers to float64.
    """
    return _sparse(X) if sp.issparse(X) else _dense(X)


def _dense(X: Any) -> _core.Matrix:
    if X.dtype not in (np.float64, np.float32):
        X = X.astype(np.float64)
    if any(stride <= 0 or stride % X.itemsize for stride in X.strides) and X.size:
        X = np.ascontiguousarray(X)
    return _core.Matrix.dense(X)


def _sparse(X: Any) -> _core.Matrix:
    X = X.tocsr()
    if X.dtype not in (np.float64, np.float32):
        X = X.astype(np.float64)
    try:
        return _view(X)  # looks at each index anyway
    except ValueError:
        if np.any(np.diff(X.indptr) < 0) or X.has_canonical_format:
            raise
    X = X.copy()
    X.sum_duplicates()
    return _view(X)


def _view(X: Any) -> _core.Matrix:
    indptr, indices = X.indptr, X.indices
    if indptr.dtype != indices.dtype or indptr.dtype not in (np.int32, np.int64):
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    contiguous = np.ascontiguousarray
    rows, columns = X.shape
    return _core.Matrix.csr(
        rows, columns, contiguous(indptr), contiguous(indices), contiguous(X.data)
    )


class Classes:
    """The classes of a target in increasing order, and numbers that stand for them.

    A label that is a number stands for itself, so that files say what the user says. Other labels,
    and numbers that are equal as float64, are numbered from 0.
    """

    def __init__(self, y: Array, all_labels: Array | None = None) -> None:
        """all_labels: those of all ranks, where y has the targets of one."""
        if y.dtype.kind in "biuf":
            self.labels = _distinct(y) if all_labels is None else all_labels
            self.numbers = self.labels.astype(np.float64)
            if len(self.labels) > 2 and np.any(np.rint(self.numbers) != self.numbers):
                raise ValueError(
                    f"y has {len(self.labels)} values that are not all whole numbers; the loss of "
                    "quantities to predict is 'squared' or 'huber'"
                )
            if bool(np.all(self.numbers[1:] != self.numbers[:-1])):
                self.targets = np.ascontiguousarray(y, dtype=np.float64)
                return
        try:
            if all_labels is None:
                self.labels, codes = np.unique(y, return_inverse=True)
            else:
                self.labels, codes = all_labels, np.searchsorted(all_labels, y)
        except TypeError as error:
            raise ValueError("y has labels of types that have no common order") from error
        self.targets = codes.reshape(-1).astype(np.float64)
        self.numbers = np.arange(len(self.labels), dtype=np.float64)


def _distinct(y: Array) -> Array:
    if len(y) == 0:
        return y
    low, high = y.min(), y.max()
    if low != high and np.count_nonzero(y == low) + np.count_nonzero(y == high) == len(y):
        return np.array([low, high], dtype=y.dtype)  # two classes: nothing to sort
    return np.asarray(np.unique(y))


def target(y: Any) -> Array:
    """y as an array of one dimension."""
    require_unmasked(y=y)
    result: Array = np.asarray(y)
    if result.ndim != 1:
        remedy = "; use y.ravel()" if result.ndim == 2 and 1 in result.shape else ""
        raise ValueError(f"y must have one dimension, but has the shape {result.shape}{remedy}")
    return result


def weight_of_classes(classes: Classes, sample_weight: Array | None) -> Array:
    """The total weight of the rows of each class."""
    index = np.searchsorted(classes.numbers, classes.targets)
    return np.asarray(np.bincount(index, sample_weight, minlength=len(classes.numbers)))


def balanced(totals: Array) -> Array:
    """The weight of each class with which all classes have the same total weight."""
    if not np.all(totals > 0):
        raise ValueError("class_weight='balanced' needs a positive sample weight in each class")
    return np.asarray(totals.sum() / (len(totals) * totals))


def _weights_of_classes(
    class_weight: ClassWeight, classes: Classes, sample_weight: Array | None
) -> list[tuple[float, float]]:
    """Pairs of a class, as a number, and its weight."""
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight is a dict, 'balanced' or None, not {class_weight!r}")
        weights = balanced(weight_of_classes(classes, sample_weight))
        return list(zip(classes.numbers.tolist(), weights.tolist(), strict=True))
    if class_weight is None:
        return []
    if not isinstance(class_weight, Mapping):
        raise TypeError(f"class_weight is a dict, 'balanced' or None, not {class_weight!r}")
    labels = list(classes.labels.tolist())
    unknown = [label for label in class_weight if label not in labels]
    if unknown:
        raise ValueError(f"class_weight has the class {unknown[0]!r}, but y has only {labels}")
    return [
        (number, float(class_weight[label]))
        for number, label in zip(classes.numbers.tolist(), labels, strict=True)
        if label in class_weight
    ]


def _times_class_weights(
    weights: Array | None, pairs: list[tuple[float, float]], targets: Array
) -> Array:
    result: Array = np.ones(len(targets)) if weights is None else weights.copy()
    for number, weight in pairs:
        if not 0 <= weight < np.inf:
            raise ValueError(f"a class weight is {weight}; it must be finite and not negative")
        result[targets == number] *= weight
    return result


class Problem:
    """Rows, targets and weights as the library takes them. Rows of weight 0 are left out."""

    def __init__(
        self,
        X: Any,
        y: Array,
        *,
        classification: bool,
        sample_weight: Any = None,
        class_weight: ClassWeight = None,
        all_labels: Array | None = None,
    ) -> None:
        if X.shape[0] != len(y):
            raise ValueError(f"X has {X.shape[0]} rows, but y has {len(y)}")
        weights = None
        self.given = y  #: the target of every row of X
        self.kept: Array | None = None  #: the rows of X that `data` has; None for all
        if sample_weight is not None:
            require_unmasked(sample_weight=sample_weight)
            weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
            if weights.shape != (len(y),):
                raise ValueError(f"sample_weight must have {len(y)} entries, one for each row")
            if not np.all(weights >= 0):
                raise ValueError("sample_weight has entries that are negative or not numbers")
            if not np.all(weights > 0):
                self.kept = np.flatnonzero(weights)
                X = (X.tocsr() if sp.issparse(X) else X)[self.kept]
                y, weights = y[self.kept], weights[self.kept]
        self.classes = Classes(y, all_labels) if classification else None
        pairs: list[tuple[float, float]] = []
        if self.classes is None:
            targets = np.ascontiguousarray(y, dtype=np.float64)
        else:
            targets = self.classes.targets
            pairs = _weights_of_classes(class_weight, self.classes, weights)
        plain = weights
        if pairs:
            weights = _times_class_weights(weights, pairs, targets)
            if not np.all(weights > 0):
                raise ValueError("a class has weight 0; leave its rows out")
        self.matrix = matrix(X)
        # A certificate can state the weights of at most 64 classes.
        self.data = _core.Dataset(self.matrix, targets, weights, pairs if len(pairs) <= 64 else [])
        self.features = self.matrix.columns
        self.sample_weights = plain
        self.class_weights = pairs

    def rows_of_classes(self) -> list[tuple[float, int]]:
        """The number that stands for each class, and how many rows it has."""
        if self.classes is None:
            return []
        numbers = self.classes.numbers
        counts = np.bincount(np.searchsorted(numbers, self.classes.targets))
        return list(zip(numbers.tolist(), counts.tolist(), strict=True))

    def against_rest(self, k: int) -> Problem:
        """The rows of class k, times the weight of the class, against all others."""
        assert self.classes is not None
        own = self.classes.targets == self.classes.numbers[k]
        signs = np.where(own, 1.0, -1.0)
        factor = dict(self.class_weights).get(float(self.classes.numbers[k]), 1.0)
        weights = np.where(own, factor, 1.0)
        if self.sample_weights is not None:
            weights *= self.sample_weights
        part = copy.copy(self)
        part.classes = Classes(signs)
        part.data = _core.Dataset(self.matrix, signs, weights, [])
        return part


def as_matrix(X: Any) -> Any:
    """What has a shape: sparse matrices as they are, frames and lists as arrays."""
    require_unmasked(X=X)
    result = X if sp.issparse(X) else np.asarray(X)
    for kinds, what in (("c", "complex entries"), ("mM", "dates or durations")):
        if result.dtype.kind in kinds:
            raise ValueError(f"X has {what}; it must have real numbers")
    if result.ndim != 2:
        raise ValueError(f"X must have two dimensions, but has the shape {result.shape}")
    return result
