"""Linear models with a proof of how close to the optimum they are.

The functions need numpy and scipy only. The estimators need scikit-learn, which is imported when
the first of them is used.

>>> import numpy as np, geodescent
>>> X = np.array([[0.0, 1.0], [1.0, 0.5], [2.0, 1.5], [3.0, 0.0]])
>>> model = geodescent.train(X, [0, 1, 0, 1], loss="logistic", C=1.0)
>>> model.relative_gap <= 1e-6
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._core import Certificate, InputError, Progress
from ._libsvm import read_libsvm
from ._minimize import minimize
from ._model import Model, read_certificate, read_model, write_certificate
from ._path import Path, regularization_path
from ._threads import set_threads, threads
from ._train import train
from ._verify import Proof, verify
from ._version import __version__

if TYPE_CHECKING:
    from ._sklearn.classifiers import LinearSVC, LogisticRegression, SmoothedHingeClassifier
    from ._sklearn.cross_validation import (
        HuberRidgeCV,
        LinearSVCCV,
        LogisticRegressionCV,
        RidgeCV,
        SmoothedHingeClassifierCV,
    )
    from ._sklearn.regressors import HuberRidge, Ridge

__all__ = [
    "Certificate",
    "HuberRidge",
    "HuberRidgeCV",
    "InputError",
    "LinearSVC",
    "LinearSVCCV",
    "LogisticRegression",
    "LogisticRegressionCV",
    "Model",
    "Path",
    "Progress",
    "Proof",
    "Ridge",
    "RidgeCV",
    "SmoothedHingeClassifier",
    "SmoothedHingeClassifierCV",
    "__version__",
    "minimize",
    "read_certificate",
    "read_libsvm",
    "read_model",
    "regularization_path",
    "set_threads",
    "threads",
    "train",
    "verify",
    "write_certificate",
]

# The file of each estimator in _sklearn/. It is imported when it is first used.
_ESTIMATORS = {
    "LinearSVC": "classifiers",
    "LogisticRegression": "classifiers",
    "SmoothedHingeClassifier": "classifiers",
    "HuberRidge": "regressors",
    "Ridge": "regressors",
    "HuberRidgeCV": "cross_validation",
    "LinearSVCCV": "cross_validation",
    "LogisticRegressionCV": "cross_validation",
    "RidgeCV": "cross_validation",
    "SmoothedHingeClassifierCV": "cross_validation",
}


def __getattr__(name: str) -> Any:
    if name not in _ESTIMATORS:
        raise AttributeError(f"module 'geodescent' has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"._sklearn.{_ESTIMATORS[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if error.name != "sklearn":
            raise
        raise ImportError(
            f"geodescent.{name} needs scikit-learn: pip install scikit-learn"
        ) from error


def __dir__() -> list[str]:
    return sorted(__all__)
