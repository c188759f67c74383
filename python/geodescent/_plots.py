"""Figures, where matplotlib is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._data import Array
    from ._path import Path


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return plt.subplots()[1]


def plot_history(history: dict[str, Array], ax: Any = None) -> Any:
    """The gap that was proven after each pass over the data."""
    ax = _axes(ax)
    gap = history["value"] - history["lower_bound"]
    best = np.maximum(np.minimum.accumulate(gap), np.finfo(float).tiny)
    ax.semilogy(history["passes"], best, marker=".")
    ax.set_xlabel("passes over the data")
    ax.set_ylabel("value - lower bound")
    return ax


def plot_path(path: Path, ax: Any = None) -> Any:
    """Coefficients over the strength of the regularisation."""
    ax = _axes(ax)
    ax.semilogx(path.l2, path.coefs.reshape(len(path.models), -1))
    ax.invert_xaxis()
    ax.set_xlabel("l2, the strength of the regularisation")
    ax.set_ylabel("coefficients")
    return ax
