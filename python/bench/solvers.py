"""Seconds of a fit beside the solvers of scikit-learn, to the same true accuracy.

    python python/bench/solvers.py FOLDER [SET...]

FOLDER has LIBSVM sets, binary/NAME.xz. Each solver runs with tol = 1e-2, 1e-3, ... until the
objective is within 1e-6 of the minimum, as a part of what training can gain; the minimum is known
from a proof to 1e-10. Its time is that of this fit alone, ours that of a fit with tol=1e-6, which
includes the proof. liblinear regularises the intercept and is compared on its own objective.
newton-cholesky factorises a matrix of all columns and is left out beyond 1,000 of them. The fastest
of interleaved runs, each after a run of its own that is not counted; all processors unless
--threads says otherwise. The sets are the eight with the most entries, one of those with nearly the
same name.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import threadpoolctl
from sklearn.linear_model import LogisticRegression

import geodescent

SETS = ["madelon", "skin_nonskin", "ijcnn1", "w8a", "a9a", "phishing", "duke", "leukemia"]
SOLVERS = ["lbfgs", "liblinear", "newton-cg", "newton-cholesky"]
GOAL = 1e-6
PAUSE = 0.1  # seconds after which the threads of another solver have stopped waiting for work
LONGEST = 2.0  # seconds of a single fit, after which a solver is given up


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


class Truth:
    """The minimum of an objective."""

    def __init__(self, X: Any, y: Any, C: float, intercept: str) -> None:
        best = geodescent.train(X, y, C=C, intercept=intercept, tol=1e-10)
        self.data, self.intercept, self.C = (X, y), intercept, C
        self.minimum = best.lower_bound
        self.gain = best.gap / best.relative_gap

    def error(self, coef: Any, intercept: Any) -> float:
        proof = geodescent.verify(
            *self.data,
            coef,
            intercept,
            loss="logistic",
            C=self.C,
            regularized_intercept=self.intercept == "regularized",
        )
        return (proof.value - self.minimum) / self.gain


def theirs(solver: str, X: Any, y: Any, C: float, truth: Truth) -> LogisticRegression | None:
    """With the largest tol that reaches the goal."""
    if solver == "newton-cholesky" and X.shape[1] > 1000:
        return None
    for exponent in range(2, 16):
        model = LogisticRegression(C=C, solver=solver, tol=10.0**-exponent, max_iter=100_000)
        time_taken, _ = seconds(lambda: model.fit(X, y))  # noqa: B023
        if truth.error(model.coef_[0], model.intercept_[0]) <= GOAL:
            return model
        if time_taken > LONGEST:
            return None
    return None


def compare(name: str, path: pathlib.Path, C: float, repeats: int) -> float:
    X, y = geodescent.read_libsvm(path)
    if 2 * X.nnz >= X.shape[0] * X.shape[1]:
        X = X.toarray()
    truths = {kind: Truth(X, y, C, kind) for kind in ("free", "regularized")}
    contenders: dict[str, Any] = {"geodescent": geodescent.LogisticRegression(C=C)}
    for solver in SOLVERS:
        kind = "regularized" if solver == "liblinear" else "free"
        model = theirs(solver, X, y, C, truths[kind])
        if model is not None:
            contenders[solver] = model
    times: dict[str, list[float]] = {solver: [] for solver in contenders}
    for _ in range(repeats):
        for solver, model in contenders.items():
            time.sleep(PAUSE)
            model.fit(X, y)
            times[solver].append(seconds(lambda: model.fit(X, y))[0])  # noqa: B023
    fastest = {solver: min(all_of) for solver, all_of in times.items()}
    own = fastest.pop("geodescent")
    best = min(fastest, key=lambda solver: fastest[solver])
    ratio = fastest[best] / own
    cells = [f"{fastest[s]:.4f}" if s in fastest else "-" for s in SOLVERS]
    print(f"| {name} | {own:.4f} | {' | '.join(cells)} | {best} | {ratio:.1f} |", flush=True)
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("-C", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=geodescent.threads())
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    geodescent.set_threads(options.threads)
    print(f"| set | geodescent, s | {' | '.join(SOLVERS)} | best of them | times as fast |")
    print("|---|---|" + "---|" * (len(SOLVERS) + 2))
    with threadpoolctl.threadpool_limits(options.threads):
        ratios = [
            compare(name, options.folder / "binary" / f"{name}.xz", options.C, options.repeats)
            for name in options.sets
        ]
    print(f"median {statistics.median(ratios):.1f}, least {min(ratios):.1f}")


if __name__ == "__main__":
    main()
