"""Regressors for scikit-learn."""

from __future__ import annotations

from typing import Any

from .._parameters import positive
from .estimator import CertifiedRegressor


class Ridge(CertifiedRegressor):
    """Ridge regression; the objective is that of scikit-learn's Ridge.

    The objective is sum_i (y_i - prediction_i)^2 + alpha |coef|^2. The intercept is not
    regularised. alpha must be positive. Parameters and attributes are those of
    :class:`LogisticRegression`, with `alpha` instead of `C`.

    Examples
    --------
    >>> from geodescent import Ridge
    >>> model = Ridge(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.relative_gap_ <= 1e-6
    True
    """

    _loss = "squared"

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        warm_start: bool = False,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.method = method
        self.threads = threads


class HuberRidge(CertifiedRegressor):
    """Ridge regression in which outliers have bounded influence.

    A residual r beyond `delta` counts 2 delta |r| - delta^2 instead of r^2; else the objective is
    that of :class:`Ridge`. scikit-learn's HuberRegressor estimates a scale of the residuals, too;
    here the threshold is fixed, in units of y.

    Examples
    --------
    >>> from geodescent import HuberRidge
    >>> model = HuberRidge(alpha=0.1, delta=0.5)
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 99.0]).relative_gap_ <= 1e-6
    True
    """

    _loss = "huber"

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        delta: float = 1.0,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        random_state: Any = None,
        max_iter: int = 100_000,
        verbose: int = 0,
        warm_start: bool = False,
        method: str = "geod-memory",
        threads: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.delta = delta
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.method = method
        self.threads = threads

    def _loss_parameter(self) -> float:
        return positive("delta", self.delta)
