"""What verbose=1 shows: a line in a terminal, a bar in a notebook with ipywidgets or tqdm."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Protocol

import scipy.sparse as sp

from . import _core

Callback = Callable[[_core.Progress], Any]

SECONDS_BETWEEN_CALLS = 0.2
SECONDS_BETWEEN_LINES = 2.0  # of a log


def say_conversion(verbose: int, X: Any) -> None:
    """Say that a sparse X is not in the form in which it is used."""
    if verbose and sp.issparse(X) and X.format != "csr":
        print(f"X is copied once, from {X.format.upper()} to CSR", file=sys.stderr)


class _Bar(Protocol):
    def show(self, done: float, text: str) -> None: ...
    def close(self, text: str) -> None: ...


class _WidgetBar:
    """A bar of ipywidgets."""

    def __init__(self) -> None:
        import ipywidgets
        from IPython.display import display

        self._bar = ipywidgets.FloatProgress(min=0.0, max=1.0)
        self._label = ipywidgets.Label()
        display(ipywidgets.HBox([self._bar, self._label]))

    def show(self, done: float, text: str) -> None:
        self._bar.value = done
        self._label.value = text

    def close(self, text: str) -> None:
        self._label.value = text


class _TqdmBar:
    """A bar of tqdm."""

    def __init__(self) -> None:
        from tqdm import tqdm

        self._bar = tqdm(total=100, bar_format="{percentage:3.0f}%|{bar}| {desc}")

    def show(self, done: float, text: str) -> None:
        self._bar.n = round(100 * done)
        self._bar.set_description_str(text)

    def close(self, text: str) -> None:
        self._bar.set_description_str(text)
        self._bar.close()


class _Line:
    """A line that is written over in a terminal, lines elsewhere."""

    def __init__(self) -> None:
        self._overwrites = sys.stderr.isatty()
        self._lines = 0

    def show(self, done: float, text: str) -> None:
        self._lines += 1
        if self._overwrites:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def close(self, text: str) -> None:
        begin = "\r\033[K" if self._overwrites and self._lines else ""
        print(f"{begin}{text}", file=sys.stderr, flush=True)

    @property
    def seconds(self) -> float:
        return SECONDS_BETWEEN_CALLS if self._overwrites else SECONDS_BETWEEN_LINES


def _bar() -> _Bar:
    if "ipykernel" in sys.modules:
        for kind in (_WidgetBar, _TqdmBar):
            try:
                return kind()
            except ImportError:
                pass
    return _Line()


class Display:
    """Shows the progress of a run, and passes it on to the caller's callback."""

    def __init__(self, verbose: int, callback: Callback | None, tol: float) -> None:
        self._callback = callback
        self._tol = min(max(tol, 1e-16), 0.5)
        self._bar = _bar() if verbose else None
        self._between = getattr(self._bar, "seconds", SECONDS_BETWEEN_CALLS)
        self._shown = -math.inf

    @property
    def callback(self) -> Callback | None:
        """None where nothing is to be called."""
        return self if self._bar is not None else self._callback

    @property
    def seconds(self) -> float:
        """Between two calls; 0 for every iteration."""
        return 0.0 if self._callback else SECONDS_BETWEEN_CALLS

    def __call__(self, progress: _core.Progress) -> Any:
        due = progress.seconds >= self._shown + self._between
        another_run = progress.seconds < self._shown
        if self._bar is not None and (due or another_run):
            self._shown = progress.seconds
            self._show(self._bar, progress)
        return self._callback(progress) if self._callback else None

    def _show(self, bar: _Bar, p: _core.Progress) -> None:
        text = (
            f"iteration {p.iteration}, {p.passes} passes, {p.seconds:.1f} s: "
            f"value {p.value:.6g}, relative gap {p.relative_gap:.3e}"
        )
        if p.problems > 1:
            bar.show(
                p.problems_done / p.problems,
                f"{p.problems_done} of {p.problems} classes; class {p.problem + 1}: {text}",
            )
            return
        gap = max(p.relative_gap, self._tol) if p.relative_gap < 1 else 1.0  # it may be nan
        bar.show(math.log(gap) / math.log(self._tol), text)

    def close(self, message: str) -> None:
        if self._bar is not None:
            self._bar.close(message)
