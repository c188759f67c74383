"""Training, as a function."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any

from . import _core
from ._data import ClassWeight, Problem
from ._model import Model, loss_named, model_of, problem_of
from ._parameters import number, positive, tolerance, whole
from ._progress import Callback, Display, say_conversion
from ._ranks import Ranks, problem_on_ranks


def parameter_of(loss: str, given: float | None) -> float:
    """The parameter of a loss, 0 where it has none."""
    if given is not None:
        return positive("loss_parameter", given)
    default = loss_named(loss)["parameter"]
    return 0.0 if default is None else float(default)


def settings_of(
    *,
    loss: str,
    l2: float,
    intercept: str,
    intercept_scaling: float = 1.0,
    loss_parameter: float | None = None,
    tol: float = 1e-6,
    max_iter: int = 100_000,
    max_seconds: float = math.inf,
    method: str = "geod-memory",
    threads: int | None = None,
) -> _core.Settings:
    for name, text in (("intercept", intercept), ("method", method)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a name, not {text!r}")
    return _core.Settings(
        loss=loss,
        loss_parameter=parameter_of(loss, loss_parameter),
        l2=l2,
        bias=intercept,
        constant=positive("intercept_scaling", intercept_scaling),
        method=method,
        tolerance=tolerance("tol", tol),
        max_iterations=whole("max_iter", max_iter, 0),
        max_seconds=number("max_seconds", max_seconds),
        threads=None if threads is None else whole("threads", threads, 1),
    )


def strength(loss: str, C: float, l2: float | None, problem: Problem) -> float:
    """l2, or what C means for these data."""
    loss_named(loss)
    if l2 is None:
        return _core.l2_from_c(loss, positive("C", C), problem.data.total_weight)
    return positive("l2", l2)


def run(
    problem: Problem,
    settings: _core.Settings,
    *,
    tol: float,
    start: Model | None = None,
    verbose: int = 0,
    callback: Callback | None = None,
    checkpoint: tuple[str, int, bool] | None = None,
    keep_proof: bool = True,
) -> Model:
    display = Display(verbose, callback, tol)
    trained = _core.train(
        problem.data,
        settings,
        start.core if start else None,
        display.callback,
        display.seconds,
        checkpoint,
    )
    display.close(trained.message)
    for warning in trained.warnings:
        warnings.warn(warning, RuntimeWarning, stacklevel=3)
    labels = problem.classes.labels if problem.classes else None
    return model_of(trained, labels, keep_proof=keep_proof)


def train(
    X: Any,
    y: Any,
    *,
    loss: str = "logistic",
    C: float = 1.0,
    l2: float | None = None,
    intercept: str = "free",
    intercept_scaling: float = 1.0,
    loss_parameter: float | None = None,
    sample_weight: Any = None,
    class_weight: ClassWeight = None,
    tol: float = 1e-6,
    max_iter: int = 100_000,
    max_seconds: float = math.inf,
    method: str = "geod-memory",
    start: Model | None = None,
    threads: int | None = None,
    verbose: int = 0,
    callback: Callback | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: int = 100,
    resume: bool = False,
    communicator: Any = None,
) -> Model:
    """Train a linear model and prove how close to the optimum it is.

    Parameters
    ----------
    X : array, sparse matrix or frame
        A row for each sample. float64 and float32 arrays in any order and CSR matrices are not
        copied. CSC and other sparse formats are copied once, to CSR.
    y : array
        A label or target for each row.
    loss : str
        "logistic", "squared-hinge", "smoothed-hinge", "softmax", "squared" or "huber".
    C : float
        The strength of the loss: C sum_i loss_i + 1/2 |coef|^2, as in scikit-learn and LIBLINEAR.
    l2 : float, optional
        The strength of the regularisation instead of C: mean loss + l2/2 |coef|^2.
    intercept : {"free", "regularized", "none"}
        A free intercept is not regularised. A regularised one is the coefficient of a constant
        feature of the value `intercept_scaling`.
    loss_parameter : float, optional
        Huber's loss is quadratic up to this distance from the target.
    tol : float
        The training ends when the proven relative gap is at most this: the gap divided by the
        largest possible gain.
    method : str
        The method, with settings: "geod-memory", "lbfgs:memory=10", ...
    start : Model, optional
        Where to start.
    callback : callable, optional
        Called with a :class:`Progress` in every iteration. The training stops when it returns
        something true or raises StopIteration.
    checkpoint : path, optional
        A file for the best model so far and its proof, written every `checkpoint_every` iterations.
        The method begins anew from each.
    resume : bool
        Continue from the file of `checkpoint`, if it is there. The model is that of a training
        with the same parameters that was not interrupted, to the bit.

    communicator : mpi4py communicator, optional
        X and y are then the rows of this process, those of rank 0 first. All processes call `train`
        with the same parameters and get the model of all rows; rank 0 has its proof. The bits are
        those of one process with the same search.

    Ctrl-C ends the training; the best model so far is returned with the status "interrupted".

    Examples
    --------
    >>> import numpy as np, geodescent
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = geodescent.train(X, [0, 0, 1, 1], C=10.0)
    >>> model.predict([[0.5], [2.5]])
    array([0, 1])
    >>> model.gap < 1e-6
    True
    """
    say_conversion(verbose, X)
    if start is not None and not isinstance(start, Model):
        raise TypeError(f"start must be a Model, not {start!r}")
    if resume and checkpoint is None:
        raise ValueError("resume=True needs the file to continue from: checkpoint=PATH")
    if resume and start is not None:
        raise ValueError("a training that continues from a checkpoint has no other start")
    ranks = None if communicator is None else Ranks(communicator)
    if ranks is None:
        problem = problem_of(X, y, loss, sample_weight, class_weight)
    else:
        problem = problem_on_ranks(ranks, X, y, loss, sample_weight, class_weight)
        verbose = verbose if ranks.rank == 0 else 0
    settings = settings_of(
        loss=loss,
        l2=strength(loss, C, l2, problem),
        intercept=intercept,
        intercept_scaling=intercept_scaling,
        loss_parameter=loss_parameter,
        tol=tol,
        max_iter=max_iter,
        max_seconds=max_seconds,
        method=method,
        threads=threads,
    )
    kept = None
    if checkpoint is not None:
        every = whole("checkpoint_every", checkpoint_every, 1)
        kept = (os.fspath(checkpoint), every, bool(resume))
    model = run(
        problem,
        settings,
        tol=tol,
        start=start,
        verbose=verbose,
        callback=callback,
        checkpoint=kept,
        keep_proof=ranks is None or ranks.rank == 0,
    )
    if ranks is not None:
        ranks.close()
    return model
