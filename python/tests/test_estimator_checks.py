"""scikit-learn's own checks, none of them expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import geodescent

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ESTIMATORS = [
    # Weighted and repeated rows agree in the seven digits that are compared only where training
    # goes to the last ones. scikit-learn's checks set the tol of its own estimators, too.
    geodescent.LogisticRegression(tol=1e-14),
    geodescent.LinearSVC(tol=1e-12),
    geodescent.SmoothedHingeClassifier(),
    geodescent.Ridge(),
    geodescent.HuberRidge(),
    geodescent.LogisticRegressionCV(),
    geodescent.LinearSVCCV(),
    geodescent.SmoothedHingeClassifierCV(tol=1e-13),
    geodescent.RidgeCV(),
    geodescent.HuberRidgeCV(),
]


def test_list_is_complete():
    listed = {type(estimator).__name__ for estimator in ESTIMATORS}
    assert listed == {name for name in dir(geodescent) if name in geodescent._ESTIMATORS}


@parametrize_with_checks(ESTIMATORS)
def test_check(estimator, check):
    check(estimator)
