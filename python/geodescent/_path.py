"""A regularisation path: models for several strengths, each started from those before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._data import Array, ClassWeight
from ._model import Model, model_of, problem_of
from ._parameters import several
from ._progress import Callback, Display, say_conversion
from ._train import settings_of, strength


@dataclass(eq=False)
class Path:
    """The models of a path, from strong to weak regularisation."""

    models: list[Model]

    @property
    def l2(self) -> Array:
        """The strengths of the regularisation."""
        return np.array([model.l2 for model in self.models])

    @property
    def coefs(self) -> Array:
        """The coefficients, a row for each model."""
        return np.array([model.coef for model in self.models])

    @property
    def relative_gaps(self) -> Array:
        """What is proven for each model."""
        return np.array([model.relative_gap for model in self.models])

    def plot_path(self, ax: Any = None) -> Any:
        """Draw the coefficients over l2, with matplotlib."""
        from ._plots import plot_path

        return plot_path(self, ax)


def regularization_path(
    X: Any,
    y: Any,
    *,
    loss: str = "logistic",
    Cs: Sequence[float] | Array | None = None,
    l2s: Sequence[float] | Array | None = None,
    intercept: str = "free",
    intercept_scaling: float = 1.0,
    loss_parameter: float | None = None,
    sample_weight: Any = None,
    class_weight: ClassWeight = None,
    tol: float = 1e-6,
    max_iter: int = 100_000,
    max_seconds: float = math.inf,
    method: str = "geod-memory",
    threads: int | None = None,
    verbose: int = 0,
    callback: Callback | None = None,
) -> Path:
    """Train for several strengths of the regularisation, each model with its proof.

    Give `Cs` or `l2s`; without both, Cs = 1e-4, 1e-3, ..., 1e4. The other parameters are those of
    :func:`train`. A run that is stopped ends the path; the models so far are returned.

    Examples
    --------
    >>> import geodescent
    >>> path = geodescent.regularization_path([[0.0], [1.0], [2.0]], [0, 0, 1], Cs=[0.1, 1, 10])
    >>> len(path.models), bool((path.relative_gaps <= 1e-6).all())
    (3, True)
    """
    say_conversion(verbose, X)
    problem = problem_of(X, y, loss, sample_weight, class_weight)
    if l2s is None:
        Cs = np.logspace(-4, 4, 9) if Cs is None else Cs
        values = [strength(loss, C, None, problem) for C in several("Cs", Cs)]
    elif Cs is not None:
        raise ValueError("give Cs or l2s, not both")
    else:
        values = several("l2s", l2s)
    settings = settings_of(
        loss=loss,
        l2=1.0,
        intercept=intercept,
        intercept_scaling=intercept_scaling,
        loss_parameter=loss_parameter,
        tol=tol,
        max_iter=max_iter,
        max_seconds=max_seconds,
        method=method,
        threads=threads,
    )
    display = Display(verbose, callback, tol)
    ordered = np.sort(np.array(values))[::-1].copy()
    trained = _core.train_path(problem.data, settings, ordered, display.callback, display.seconds)
    display.close(f"{len(trained)} of {len(values)} models")
    labels = problem.classes.labels if problem.classes else None
    return Path([model_of(one, labels) for one in trained])
