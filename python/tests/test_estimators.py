"""The estimators: scikit-learn's objectives, attributes, and company."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
import sklearn.svm
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import geodescent

WEIGHTS = np.random.default_rng(3).uniform(0.2, 3, size=200)
CLASSIFIERS = [
    (
        geodescent.LogisticRegression,
        sklearn.linear_model.LogisticRegression,
        {"tol": 1e-12, "max_iter": 10000},
    ),
    (
        geodescent.LinearSVC,
        sklearn.svm.LinearSVC,
        {"tol": 1e-12, "max_iter": 100000, "dual": False},
    ),
]


@pytest.mark.parametrize(("ours", "theirs", "tightest"), CLASSIFIERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("class_weight", [None, {1: 2.0, -1: 0.7}, "balanced"])
@pytest.mark.parametrize("sample_weight", [None, WEIGHTS])
def test_coefficients_are_scikit_learns(
    problem, ours, theirs, tightest, fit_intercept, class_weight, sample_weight
):
    if isinstance(class_weight, str) and sample_weight is not None:
        sample_weight = None  # releases of scikit-learn differ in what is balanced then
    common = {"C": 0.7, "fit_intercept": fit_intercept, "class_weight": class_weight}
    model = ours(tol=1e-12, **common).fit(*problem, sample_weight)
    expected = theirs(**tightest, **common).fit(*problem, sample_weight)
    distance = np.linalg.norm(model.coef_ - expected.coef_)
    proof = geodescent.verify(expected, *problem, sample_weight=sample_weight)
    assert distance <= model.coef_error_bound_ + proof.coef_error_bound
    assert proof.coef_error_bound < 1e-4
    assert geodescent.verify(model, *problem, sample_weight=sample_weight).holds
    assert np.array_equal(model.predict(problem[0]), expected.predict(problem[0]))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_ridge_is_scikit_learns(regression, fit_intercept, weighted):
    weights = WEIGHTS[:150] if weighted else None
    model = geodescent.Ridge(alpha=2.0, fit_intercept=fit_intercept, tol=1e-13)
    expected = sklearn.linear_model.Ridge(alpha=2.0, fit_intercept=fit_intercept)
    model.fit(*regression, weights)
    expected.fit(*regression, weights)
    proof = geodescent.verify(expected, *regression, sample_weight=weights)
    distance = np.linalg.norm(model.coef_ - expected.coef_)
    assert distance <= model.coef_error_bound_ + proof.coef_error_bound < 1e-4
    assert model.intercept_ == pytest.approx(expected.intercept_, abs=1e-5)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # defaults of LogisticRegressionCV change
def test_other_models_of_scikit_learn_get_a_proof(problem, regression):
    models = [
        sklearn.linear_model.LogisticRegression(solver="liblinear", tol=1e-10),
        sklearn.linear_model.LogisticRegressionCV(Cs=[0.1, 1.0], tol=1e-8, cv=3),
        sklearn.linear_model.RidgeClassifier(class_weight="balanced"),
        sklearn.linear_model.RidgeClassifierCV(alphas=[0.1, 1.0]),
    ]
    for model in models:
        assert geodescent.verify(model.fit(*problem), *problem).relative_gap < 1e-6, model
    model = sklearn.linear_model.RidgeCV(alphas=[0.5, 5.0]).fit(*regression)
    assert geodescent.verify(model, *regression).relative_gap < 1e-6
    shape = {
        "alpha": 0.1,
        "learning_rate": "adaptive",
        "eta0": 0.01,
        "tol": 1e-6,
        "random_state": 0,
    }
    for loss in ("log_loss", "squared_hinge"):
        model = sklearn.linear_model.SGDClassifier(loss=loss, **shape).fit(*problem)
        assert geodescent.verify(model, *problem).relative_gap < 0.1, model
    for loss in ("squared_error", "huber"):
        model = sklearn.linear_model.SGDRegressor(loss=loss, epsilon=0.5, **shape).fit(*regression)
        assert geodescent.verify(model, *regression).relative_gap < 0.1, model


@pytest.fixture
def three_classes():
    """Three classes that overlap."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(240, 5))
    scores = X @ rng.normal(size=(5, 3)) + rng.normal(size=(240, 3)) + [0.8, 0, 0]
    return X, np.array(["left", "middle", "right"])[scores.argmax(axis=1)]


OF_SEVERAL = [
    sklearn.linear_model.LogisticRegression(tol=1e-10, max_iter=10000),
    sklearn.svm.LinearSVC(tol=1e-10, dual=False),
    sklearn.linear_model.RidgeClassifier(),
    sklearn.linear_model.SGDClassifier(
        loss="log_loss", alpha=0.1, learning_rate="adaptive", eta0=0.01, tol=1e-7, random_state=0
    ),
]


@pytest.mark.parametrize("model", OF_SEVERAL, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("class_weight", [None, {"left": 3.0, "right": 0.5}, "balanced"])
@pytest.mark.parametrize("weighted", [True, False])
def test_models_of_several_classes_get_a_proof(three_classes, model, class_weight, weighted):
    weights = np.resize(WEIGHTS, 240) if weighted else None
    model = clone(model).set_params(class_weight=class_weight)
    model.fit(*three_classes, sample_weight=weights)
    proof = geodescent.verify(model, *three_classes, sample_weight=weights)
    exact = not isinstance(model, sklearn.linear_model.SGDClassifier)
    assert 0 <= proof.relative_gap < (1e-6 if exact else 0.05)
    assert proof.value > proof.lower_bound > 0
    model.coef_ = model.coef_ + 0.1
    worse = geodescent.verify(model, *three_classes, sample_weight=weights)
    assert worse.value > proof.value and worse.lower_bound <= proof.value


@pytest.mark.parametrize(("ours", "theirs", "tightest"), CLASSIFIERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("class_weight", [None, {"left": 2.0, "right": 0.7}, "balanced"])
@pytest.mark.parametrize("weighted", [True, False])
def test_coefficients_of_several_classes_are_scikit_learns(
    three_classes, ours, theirs, tightest, fit_intercept, class_weight, weighted
):
    weights = np.resize(WEIGHTS, 240) if weighted else None
    if isinstance(class_weight, str):
        weights = None
    common = {"C": 0.7, "fit_intercept": fit_intercept, "class_weight": class_weight}
    model = ours(tol=1e-12, **common).fit(*three_classes, weights)
    expected = theirs(**tightest, **common).fit(*three_classes, weights)
    assert model.coef_.shape == (3, 5) and model.intercept_.shape == (3,)
    distance = np.linalg.norm(model.coef_ - expected.coef_)
    proof = geodescent.verify(expected, *three_classes, sample_weight=weights)
    assert distance <= model.coef_error_bound_ + proof.coef_error_bound
    assert proof.coef_error_bound < 1e-4
    assert model.intercept_ == pytest.approx(expected.intercept_, abs=1e-3)
    assert geodescent.verify(model, *three_classes, sample_weight=weights).holds
    X, y = three_classes
    assert np.array_equal(model.predict(X), expected.predict(X))
    if hasattr(model, "predict_proba"):
        assert model.predict_proba(X) == pytest.approx(expected.predict_proba(X), abs=1e-4)
    again = pickle.loads(pickle.dumps(model))
    assert geodescent.verify(again, *three_classes, sample_weight=weights).holds
    assert not geodescent.verify(again, X + 1, y, sample_weight=weights).holds


def test_smoothed_hinge_of_several_classes(three_classes):
    X, y = three_classes
    model = geodescent.SmoothedHingeClassifier(tol=1e-9, class_weight={"left": 2.0}).fit(X, y)
    for k, label in enumerate(model.classes_):
        weights = np.where(y == "left", 2.0, 1.0)
        alone = geodescent.SmoothedHingeClassifier(tol=1e-9).fit(X, y == label, weights)
        assert np.array_equal(alone.coef_[0], model.coef_[k])
    assert geodescent.verify(model, X, y).holds
    assert set(model.history_["problem"]) == {0, 1, 2}


def test_warm_starts_of_several_classes(three_classes):
    X, y = three_classes
    for kind, class_weight in (
        (geodescent.LogisticRegression, None),
        (geodescent.LinearSVC, None),
        (geodescent.LinearSVC, "balanced"),
    ):
        model = kind(warm_start=True, class_weight=class_weight, method="geod", tol=1e-9)
        first = model.fit(X, y).n_iter_
        assert model.set_params(C=1.01).fit(X, y).n_iter_ < first, kind


def test_cross_validation_of_several_classes(three_classes):
    X, y = three_classes
    for kind in (geodescent.LogisticRegressionCV, geodescent.LinearSVCCV):
        model = kind(Cs=[1e-4, 1e-1, 1.0], class_weight="balanced").fit(X, y)
        assert model.C_ == model.Cs_[np.argmin(model.held_out_loss_)] != 1e-4
        assert model.coef_.shape == (3, 5) and model.held_out_score_.max() > 0.6


@pytest.mark.parametrize(
    "model",
    [
        sklearn.svm.LinearSVC(loss="hinge"),
        sklearn.linear_model.SGDClassifier(loss="hinge"),
        sklearn.linear_model.LogisticRegression(solver="saga", l1_ratio=0.5, max_iter=3),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_other_objectives_are_refused(problem, model):
    if (
        isinstance(model, sklearn.linear_model.LogisticRegression)
        and "penalty" in model.get_params()
    ):
        model.set_params(penalty="elasticnet")
    with pytest.raises(ValueError, match="not ours"):
        geodescent.verify(model.fit(*problem), *problem)


@pytest.mark.skipif(
    "multi_class" not in sklearn.linear_model.LogisticRegression().get_params(),
    reason="releases of scikit-learn from 1.8 on have one objective for each number of classes",
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_other_objectives_of_old_releases_are_refused(problem, three_classes):
    for data, multi_class in ((problem, "multinomial"), (three_classes, "ovr")):
        model = sklearn.linear_model.LogisticRegression(multi_class=multi_class).fit(*data)
        with pytest.raises(ValueError, match="not ours"):
            geodescent.verify(model, *data)


def test_huber_ridge_minimises_its_objective(regression):
    X, y = regression
    model = geodescent.HuberRidge(alpha=0.5, delta=0.8, tol=1e-12).fit(X, y)

    def objective(w, b):
        r = np.abs(X @ w + b - y)
        return np.sum(np.where(r < 0.8, r**2, 1.6 * r - 0.64)) + 0.5 * w @ w

    best = objective(model.coef_, model.intercept_)
    assert best == pytest.approx(2 * len(y) * model.objective_value_, rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(50):
        step = 0.01 * rng.normal(size=6)
        assert objective(model.coef_ + step[:5], model.intercept_ + step[5]) > best


def test_attributes(problem):
    X, y = problem
    model = geodescent.LogisticRegression().fit(X, y)
    assert model.coef_.shape == (1, 6) and model.intercept_.shape == (1,)
    assert list(model.classes_) == [-1, 1] and model.n_features_in_ == 6
    assert model.status_ == "converged" and model.relative_gap_ <= 1e-6
    assert model.lower_bound_ <= model.objective_value_ <= model.lower_bound_ + model.gap_
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(model.predict_proba(X))
    assert model.n_iter_.shape == (1,)
    assert f"proven gap {model.gap_:.3e}" in model._repr_html_()
    assert f"proven gap {model.gap_:.3e}" in model._repr_mimebundle_()["text/html"]  # notebooks


def test_no_convergence_is_a_warning_with_numbers(problem):
    with pytest.warns(ConvergenceWarning, match=r"iteration_limit.*tol=1\.000e-09"):
        geodescent.LogisticRegression(max_iter=1, tol=1e-9).fit(*problem)


def test_warm_start(problem):
    model = geodescent.LogisticRegression(method="geod", warm_start=True, tol=1e-9).fit(*problem)
    first = model.n_iter_
    assert model.set_params(C=1.01).fit(*problem).n_iter_ < first
    model.fit(problem[0][:, :3], problem[1])  # another number of features: from zero
    assert model.coef_.shape == (1, 3)


def test_strings_and_sparse(problem):
    X, y = problem
    names = np.where(y > 0, "good", "bad")
    model = geodescent.LinearSVC().fit(sp.csc_array(X), names)
    assert set(model.predict(X)) == {"good", "bad"}
    assert geodescent.verify(model, X, names).holds


def test_pickle_and_clone(problem):
    model = geodescent.LogisticRegression().fit(*problem)
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert np.array_equal(again.coef_, model.coef_)
        assert geodescent.verify(again, *problem).holds
    assert not hasattr(clone(model), "coef_")


def test_company(problem):
    X, y = problem
    search = GridSearchCV(
        make_pipeline(StandardScaler(), geodescent.LogisticRegression()),
        {"logisticregression__C": [0.1, 1.0]},
        n_jobs=2,
    ).fit(X, y)
    assert search.best_score_ > 0.7
    assert geodescent.verify(search, X, y).holds  # its best pipeline, on scaled rows
    theirs = make_pipeline(StandardScaler(), sklearn.linear_model.Ridge()).fit(X, y)
    assert geodescent.verify(theirs, X, y).relative_gap < 1e-6
    columns = ColumnTransformer([("scaled", StandardScaler(), [0, 1])], remainder="passthrough")
    assert make_pipeline(columns, geodescent.LinearSVC()).fit(X, y).score(X, y) > 0.7


def test_cross_validation_chooses_by_held_out_loss(problem):
    X, y = problem
    model = geodescent.LogisticRegressionCV(Cs=[1e-4, 1e-1, 1.0], cv=4).fit(X, y)
    assert model.C_ == model.Cs_[np.argmin(model.held_out_loss_)] != 1e-4
    again = geodescent.LogisticRegression(C=model.C_).fit(X, y)
    assert np.array_equal(model.coef_, again.coef_)
    careful = geodescent.LogisticRegressionCV(Cs=model.Cs_, cv=4, one_standard_error=True)
    assert careful.fit(X, y).C_ <= model.C_
    other = geodescent.LogisticRegressionCV(Cs=model.Cs_, cv=4, random_state=7).fit(X, y)
    assert not np.array_equal(other.held_out_loss_, model.held_out_loss_)


def test_cross_validation_takes_splits(regression):
    X, y = regression
    rows = np.arange(len(y))
    splits = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]
    model = geodescent.RidgeCV(alphas=[0.1, 10.0], cv=splits, tol=1e-10).fit(X, y)
    losses = []
    for rest, held_out in splits:
        l2 = 0.1 / len(y)
        part = geodescent.train(X[rest], y[rest], loss="squared", l2=l2, tol=1e-10)
        losses.append((part.predict(X[held_out]) - y[held_out]) ** 2 / 2)
    assert model.held_out_loss_[1] == pytest.approx(np.mean(np.concatenate(losses)), rel=1e-6)
    weights = (rows > 9).astype(float)
    assert geodescent.RidgeCV(cv=splits).fit(X, y, weights).coef_.shape == (5,)
    with pytest.raises(ValueError, match="exactly once"):
        geodescent.RidgeCV(cv=ShuffleSplit(2, test_size=0.3)).fit(X, y)
    with pytest.raises(ValueError, match="1 sample"):
        geodescent.RidgeCV().fit(X[:1], y[:1])
