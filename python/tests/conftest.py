"""What the tests share: data, the program, and the folder of the project."""

import os
import pathlib
import shutil

import numpy as np
import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DATA = PROJECT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def program() -> str:
    """The command line of the same sources."""
    for path in (os.environ.get("GEODESCENT_BINARY"), PROJECT / "build" / "release" / "geodescent"):
        if path and (found := shutil.which(path)):
            return found
    pytest.skip("no geodescent program: set GEODESCENT_BINARY, or run scripts/build")


@pytest.fixture
def problem() -> tuple[np.ndarray, np.ndarray]:
    """Two classes that overlap."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 6))
    y = np.where(X @ rng.normal(size=6) + rng.normal(size=200) > 0.3, 1, -1)
    return X, y


@pytest.fixture
def regression() -> tuple[np.ndarray, np.ndarray]:
    """A linear model with noise and some outliers."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 5))
    y = X @ rng.normal(size=5) + 0.3 * rng.normal(size=150) + 1.0
    y[::20] += 8
    return X, y
