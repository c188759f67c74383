"""A function of your own, with a proven gap."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from . import _core
from ._data import Array
from ._parameters import number, whole


def _value_and_gradient(
    fun: Callable[..., Any], jac: Any, args: tuple[Any, ...]
) -> Callable[[Array], tuple[float, Array]]:
    def gradient_of(gradient: Any) -> Array:
        return np.ascontiguousarray(gradient, dtype=np.float64).reshape(-1)

    if callable(jac):
        return lambda x: (float(fun(x, *args)), gradient_of(jac(x, *args)))
    if jac is not True:
        raise ValueError(
            "the gradient is needed: jac=True if fun returns (value, gradient), or jac=gradient"
        )

    def both(x: Array) -> tuple[float, Array]:
        answer = fun(x, *args)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise TypeError("with jac=True fun must return the pair (value, gradient)")
        return float(answer[0]), gradient_of(answer[1])

    return both


def _in_scipys_manner(
    callback: Callable[..., Any], called_by_scipy: bool
) -> Callable[[OptimizeResult], Any]:
    """scipy tells by the name of the parameter whether the callback wants all or x alone."""
    try:
        names = list(inspect.signature(callback).parameters)
    except (TypeError, ValueError):
        names = []
    if names == ["intermediate_result"]:
        return lambda result: callback(intermediate_result=result)
    if called_by_scipy:
        return lambda result: callback(np.copy(result.x))
    return callback


class _Run:
    """A function as the library calls it, and what a callback is told."""

    def __init__(
        self,
        evaluate: Callable[[Array], tuple[float, Array]],
        shape: tuple[int, ...],
        callback: Callable[[OptimizeResult], Any] | None,
    ) -> None:
        self._evaluate = evaluate
        self._shape = shape
        self._callback = callback
        self._interrupted = False
        self._value = math.inf  # the least so far, and where
        self._x: Array | None = None

    def evaluate(self, x: Array) -> tuple[float, Array]:
        x = x.reshape(self._shape)
        try:
            value, gradient = self._evaluate(x.copy())  # fun may write to x
        except KeyboardInterrupt:
            if self._interrupted:
                raise
            self._interrupted = True
            value, gradient = self._evaluate(x.copy())
        if value < self._value or self._x is None:
            self._value, self._x = (math.inf if math.isnan(value) else value), x
        return value, gradient

    def watch(self, p: _core.Progress) -> Any:
        if self._interrupted:
            raise KeyboardInterrupt  # the library ends the run
        if self._callback is None:
            return None
        now = OptimizeResult(
            x=self._x, nit=p.iteration, fun=p.value, lower_bound=p.lower_bound, gap=p.gap
        )
        return self._callback(now)


def minimize(
    fun: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    *,
    jac: Any = True,
    strong_convexity: float = 0.0,
    smoothness: float | None = None,
    relative_precision: float = 1e-15,
    tol: float = 1e-6,
    gap_tolerance: float = 0.0,
    gradient_tolerance: float = 0.0,
    maxiter: int = 100_000,
    max_seconds: float = math.inf,
    geodescent_method: str = "geod-memory",
    callback: Callable[[OptimizeResult], Any] | None = None,
    **ignored: Any,
) -> OptimizeResult:
    """Minimise a smooth strongly convex function and bound its minimum from below.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` returns the value and the gradient, or with a callable `jac` the value.
    x0 : array
        Where to start.
    strong_convexity : float
        alpha > 0 such that fun(x) - alpha/2 |x|^2 is convex. A false value makes a false bound.
        0 is unknown: then the bound is an estimate, and ``result.proven`` is False.
    smoothness : float, optional
        The gradient is Lipschitz with this constant.
    relative_precision : float
        The relative error of the values and gradients of fun.
    tol : float
        Stop when the gap is at most this part of fun(x0) - lower_bound.
    gap_tolerance, gradient_tolerance : float
        Stop when the gap, or the norm of the gradient, is at most this.
    callback : callable, optional
        Called in every iteration with an OptimizeResult of x, nit, fun, lower_bound and gap. The
        run stops when it returns something true or raises StopIteration.

    Returns
    -------
    OptimizeResult
        x, fun, success, message, nit, nfev, and lower_bound, gap, relative_gap, proven.

    Ctrl-C ends the run after its iteration, and the best point so far is returned. fun is called
    again where Ctrl-C has interrupted it; a second Ctrl-C there raises KeyboardInterrupt.

    It is a `method` of scipy, too: ``scipy.optimize.minimize(fun, x0, jac=True,
    method=geodescent.minimize, options={"strong_convexity": 1.0})``.

    Examples
    --------
    >>> import numpy as np, geodescent
    >>> def f(x):
    ...     return np.log(np.exp(x).sum()) + x @ x / 2, np.exp(x) / np.exp(x).sum() + x
    >>> result = geodescent.minimize(f, np.zeros(3), strong_convexity=1.0)
    >>> bool(result.gap < 1e-5), bool(result.lower_bound <= result.fun)
    (True, True)
    """
    # scipy hands these on for every method; they are None or empty where they are not used.
    for name, value in ignored.items():
        given = value is not None and not (isinstance(value, (tuple, list)) and len(value) == 0)
        if given:
            raise ValueError(f"geodescent.minimize has no parameter {name!r}")
    args = args if isinstance(args, tuple) else (args,)
    if np.iscomplexobj(x0):
        raise ValueError("x0 has complex entries; they must be real")
    start = np.array(x0, dtype=np.float64)
    shape = start.shape
    evaluate = _value_and_gradient(fun, jac, args)

    told = _in_scipys_manner(callback, "hessp" in ignored) if callback else None
    run = _Run(evaluate, shape, told)

    options = _core.Options(
        number("tol", tol),
        number("gap_tolerance", gap_tolerance),
        number("gradient_tolerance", gradient_tolerance),
        whole("maxiter", maxiter, 0),
        number("max_seconds", max_seconds),
    )
    found = _core.minimize(
        run.evaluate,
        start.reshape(-1),
        number("strong_convexity", strong_convexity),
        None if smoothness is None else number("smoothness", smoothness),
        number("relative_precision", relative_precision),
        geodescent_method,
        options,
        run.watch,
    )
    found["x"] = found["x"].reshape(shape)
    codes = {"converged": 0, "iteration_limit": 1, "time_limit": 2}
    return OptimizeResult(
        found,
        success=found["status"] == "converged",
        status=codes.get(found["status"], 3),
        reason=found["status"],
    )
