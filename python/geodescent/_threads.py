"""How many threads the library uses. It affects speed, never results."""

from __future__ import annotations

import os
from typing import Any

from . import _core

VARIABLE = "GEODESCENT_NUM_THREADS"


def threads() -> int:
    """The number of threads of all fits without a parameter `threads`."""
    return _core.threads()


def set_threads(count: int) -> None:
    """Set the number of threads of all fits without a parameter `threads`."""
    _core.set_threads(count)


def _from_environment() -> None:
    """GEODESCENT_NUM_THREADS, or fewer than all processors where OMP_NUM_THREADS says so.

    joblib sets OMP_NUM_THREADS in its workers, so that together they use each processor once.
    """
    own = os.environ.get(VARIABLE, "")
    openmp = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # others are nested
    if own:
        if not own.isdigit() or int(own) < 1:
            raise ValueError(f"{VARIABLE} is {own!r}; it must be a whole number of at least 1")
        _core.set_threads(int(own))
    elif openmp.isdigit() and int(openmp) >= 1:
        _core.set_threads(min(int(openmp), _core.threads()))


def _register_with_threadpoolctl() -> None:
    """With threadpoolctl installed, threadpool_limits() limits our threads, too."""
    try:
        from threadpoolctl import LibController, register
    except ImportError:
        return

    class Controller(LibController):  # type: ignore[misc]
        user_api = "geodescent"
        internal_api = "geodescent"
        filename_prefixes = ("_core",)
        check_symbols = ("geodescent_get_num_threads", "geodescent_set_num_threads")

        def get_num_threads(self) -> Any:
            return self.dynlib.geodescent_get_num_threads()

        def set_num_threads(self, num_threads: int) -> Any:
            return self.dynlib.geodescent_set_num_threads(num_threads)

        def get_version(self) -> str:
            from ._version import __version__

            return __version__

    register(Controller)


_from_environment()
_register_with_threadpoolctl()
