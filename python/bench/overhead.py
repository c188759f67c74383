"""What a fit costs beyond the training in C++, in time and memory, and the time to read a file.

    python python/bench/overhead.py fit FOLDER        processor time of fit and of the C++ training
    python python/bench/overhead.py memory            peak memory of a fit, as a part of X
    python python/bench/overhead.py read FILE         seconds of read_libsvm and load_svmlight_file

FOLDER has LIBSVM sets, binary/NAME.xz. Fits use one thread, and the least of 11 interleaved runs
is shown: what a fit does besides is too little to be seen in seconds of a busy machine.
Reading: the fastest of 7 interleaved runs.
"""

from __future__ import annotations

import argparse
import pathlib
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.datasets

import geodescent
from geodescent import _core
from geodescent._data import matrix
from geodescent._train import settings_of

SETS = ["a1a", "a9a", "ijcnn1", "mushrooms", "skin_nonskin", "w8a"]


def seconds(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def least_processor_time(first: Callable[[], Any], second: Callable[[], Any]) -> list[float]:
    """Of the calling thread, which is the only one."""
    times: list[list[float]] = [[], []]
    for _ in range(11):
        for work, taken in zip((first, second), times, strict=True):
            begin = time.thread_time()
            work()
            taken.append(time.thread_time() - begin)
    return [min(taken) for taken in times]


def interleaved(first: Callable[[], Any], second: Callable[[], Any], runs: int) -> list[float]:
    times = [(seconds(first), seconds(second)) for _ in range(runs)]
    return [min(column) for column in zip(*times, strict=True)]


def fit(folder: pathlib.Path) -> None:
    print("| set | fit, ms | training in C++, ms | more, ms | more, % |\n|---|---|---|---|---|")
    for name in SETS:
        X, y = geodescent.read_libsvm(folder / "binary" / f"{name}.xz")
        for form, data in (("sparse", X), ("dense", X.toarray())):
            if X.shape[0] * X.shape[1] > 2e7 and form == "dense":
                continue
            l2 = 1 / len(y)

            def train(data: Any = data, y: Any = y, l2: float = l2) -> None:
                settings = settings_of(loss="logistic", l2=l2, intercept="free", threads=1)
                _core.train(_core.Dataset(matrix(data), y), settings, None, None, 0, None)

            model = geodescent.LogisticRegression(threads=1)
            labels = y.astype(int)
            whole, core = least_processor_time(lambda: model.fit(data, labels), train)  # noqa: B023
            more = 1e3 * (whole - core)
            print(
                f"| {name}, {form} | {1e3 * whole:.2f} | {1e3 * core:.2f} "
                f"| {more:.2f} | {100 * (whole / core - 1):.1f} |"
            )


def memory() -> None:
    rng = np.random.default_rng(0)
    for dtype, order in ((np.float64, "C"), (np.float64, "F"), (np.float32, "C")):
        X = np.empty((1_000_000, 40), dtype=dtype, order=order)
        for j in range(X.shape[1]):
            X[:, j] = rng.standard_normal(len(X), dtype=np.float32)
        y = (X[:, 0] > 0).astype(np.int8)
        geodescent.LogisticRegression().fit(X[:1000], y[:1000])
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        before = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        before *= resource.getpagesize()
        geodescent.LogisticRegression(C=1e-3, max_iter=5).fit(X, y)
        status = pathlib.Path("/proc/self/status").read_text()
        peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
        part = (peak - before) / X.nbytes
        print(f"{X.nbytes / 1e6:.0f} MB, {dtype.__name__}, {order} order: fit adds {part:.2f} of X")
        del X


def read(file: pathlib.Path) -> None:
    ours, theirs = interleaved(
        lambda: geodescent.read_libsvm(file),
        lambda: sklearn.datasets.load_svmlight_file(str(file)),
        7,
    )
    print(
        f"{file.name}: read_libsvm {ours:.3f} s, load_svmlight_file {theirs:.3f} s: "
        f"{theirs / ours:.1f} times"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["fit", "memory", "read"])
    parser.add_argument("path", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if options.what == "memory":
        memory()
    else:
        {"fit": fit, "read": read}[options.what](options.path)


if __name__ == "__main__":
    main()
