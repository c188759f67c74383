"""A program of a user: scripts/python-tests checks it with mypy --strict, test_docs.py runs it."""

import numpy as np
import numpy.typing as npt

import geodescent


def f(x: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
    return float(x @ x) / 2, x


def watch(progress: geodescent.Progress) -> bool:
    return progress.relative_gap < 1e-3


def main() -> float:
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = [0, 1, 0, 1]
    model: geodescent.Model = geodescent.train(X, y, C=2.0, callback=watch)
    proof: geodescent.Proof = model.verify(X, y)
    path: geodescent.Path = geodescent.regularization_path(X, y, Cs=[0.1, 1.0])
    gap: float = geodescent.minimize(f, np.ones(3), strong_convexity=1.0).gap
    estimator = geodescent.LogisticRegression(C=2.0, threads=1).fit(X, y)
    bound: float = estimator.gap_
    if model.certificate is not None:
        gap += model.certificate.relative_gap
    return gap + bound + proof.gap + float(path.relative_gaps.max())


if __name__ == "__main__":
    print(main())
