"""Data in every form that is not copied give the same model, and bad data errors."""

import itertools
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

import geodescent
from geodescent import _core


def dense_forms(X, folder):
    mapped = folder / "X.npy"
    np.save(mapped, X)
    locked = X.copy()
    locked.flags.writeable = False
    wide = np.zeros((X.shape[0], 2 * X.shape[1]))
    wide[:, ::2] = X
    return {
        "C order": X,
        "Fortran order": np.asfortranarray(X),
        "read-only": locked,
        "memory-mapped": np.load(mapped, mmap_mode="r"),
        "with strides": wide[:, ::2],
        "reversed": X[::-1].copy()[::-1],
        "list": X.tolist(),
    }


def test_dense_forms_give_the_same_model(problem, tmp_path):
    X, y = problem
    expected = geodescent.train(X, y, tol=1e-12)
    for name, form in dense_forms(X, tmp_path).items():
        model = geodescent.train(form, y, tol=1e-12)
        assert model.coef == pytest.approx(expected.coef, rel=1e-6), name
        assert model.verify(X, y).holds, name


def sparse_forms(X):
    csr = sp.csr_array(X)
    wide = csr.copy()
    wide.indptr, wide.indices = wide.indptr.astype(np.int64), wide.indices.astype(np.int64)
    mixed = csr.copy()
    mixed.indptr = mixed.indptr.astype(np.int64)
    shuffled = csr.copy()
    for begin, end in itertools.pairwise(csr.indptr):
        shuffled.indices[begin:end] = csr.indices[begin:end][::-1]
        shuffled.data[begin:end] = csr.data[begin:end][::-1]
    shuffled.has_sorted_indices = False
    assert not shuffled.has_sorted_indices
    doubled = sp.coo_array(csr)
    doubled = sp.coo_array(
        (np.tile(doubled.data / 2, 2), (np.tile(doubled.row, 2), np.tile(doubled.col, 2))),
        shape=csr.shape,
    )
    return {
        "csr array": csr,
        "csr matrix": sp.csr_matrix(X),
        "64-bit indices": wide,
        "mixed indices": mixed,
        "csc": sp.csc_array(X),
        "unsorted indices": shuffled,
        "duplicates": doubled,
    }


def test_sparse_forms_give_the_same_model(problem):
    X, y = problem
    X = np.where(np.abs(X) > 1, X, 0)
    expected = geodescent.train(X, y, tol=1e-12)
    for name, form in sparse_forms(X).items():
        before = form.copy()
        model = geodescent.train(form, y, tol=1e-12)
        assert model.coef == pytest.approx(expected.coef, rel=1e-5), name
        assert (form != before).nnz == 0, name
        assert model.verify(X, y).holds, name


@pytest.mark.parametrize("container", [np.asarray, np.asfortranarray, sp.csr_array])
def test_float32_is_kept(problem, container):
    X, y = problem
    single = container(X.astype(np.float32))
    same = container(np.asarray(X.astype(np.float32), dtype=np.float64))
    model = geodescent.train(single, y)
    assert model.coef == pytest.approx(geodescent.train(same, y).coef)
    assert model.decision_function(single) == pytest.approx(model.decision_function(same))


def test_predictions_do_not_copy_float32():
    X = np.random.default_rng(0).random((50_000, 40), dtype=np.float32)
    model = geodescent.Ridge().fit(X[:99], X[:99, 0])
    tracemalloc.start()
    model.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 2


def test_a_view_keeps_its_array_alive():
    X = np.arange(12.0).reshape(4, 3)
    view = _core.Matrix.dense(X)
    references = X.copy()
    del X
    y = np.array([0.0, 1.0, 0.0, 1.0])
    data = _core.Dataset(view, y)
    assert data.fingerprint() == _core.Dataset(_core.Matrix.dense(references), y).fingerprint()


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1.0, 2, 3, 4], "income": [2.0, 1, 5, 3]})
    model = geodescent.LogisticRegression().fit(frame, [0, 1, 0, 1])
    assert list(model.feature_names_in_) == ["age", "income"]
    assert geodescent.train(frame, pandas.Series(["a", "b", "a", "b"])).predict(frame).shape == (4,)


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"age": [1.0, 2, 3, 4], "income": [2.0, 1, 5, 3]})
    model = geodescent.LogisticRegression().fit(frame, [0, 1, 0, 1])
    assert list(model.feature_names_in_) == ["age", "income"]


def test_numbers_of_other_machines_and_sizes(problem):
    X, y = problem
    expected = geodescent.train(X, y).coef
    weights = np.ones(len(y), dtype=">f4")
    swapped = geodescent.train(X.astype(">f8"), y.astype(">i4"), sample_weight=weights)
    assert np.array_equal(swapped.coef, expected)
    rows = sp.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(">i4"), rows.indptr.astype(">i4")
    assert geodescent.train(rows, y).coef == pytest.approx(expected)
    numbers = np.where(y > 0, 2**53 + 1, 2**53)  # one number as float64
    model = geodescent.train(X, numbers)
    assert np.array_equal(model.coef, expected)
    assert set(model.predict(X).tolist()) == {2**53, 2**53 + 1}
    assert model.verify(X, numbers).holds


def test_broken_sparse_matrices_are_errors(problem):
    X, y = problem
    for change, words in (
        (lambda A: A.indices.__setitem__(3, 99), "beyond"),
        (lambda A: A.indices.__setitem__(3, -1), "negative"),
        (lambda A: A.indptr.__setitem__(5, A.indptr[6] + 3), "decrease"),
    ):
        broken = sp.csr_array(X)
        change(broken)
        with pytest.raises(ValueError, match=words):
            geodescent.train(broken, y)


def test_a_conversion_is_said(problem, capsys):
    X, y = problem
    for fit in (geodescent.train, geodescent.LogisticRegression(verbose=1).fit):
        options = {"verbose": 1} if fit is geodescent.train else {}
        fit(sp.csc_array(X), y, **options)
        assert "from CSC to CSR" in capsys.readouterr().err
        fit(sp.csr_array(X), y, **options)
        assert "CSR" not in capsys.readouterr().err


def test_rows_of_weight_zero_are_left_out(problem):
    X, y = problem
    weights = np.ones(len(y))
    weights[:50] = 0
    weighted = geodescent.train(X, y, sample_weight=weights)
    assert np.array_equal(
        weighted.coef, geodescent.train(X[50:], y[50:], sample_weight=weights[50:]).coef
    )
    assert weighted.verify(X, y, sample_weight=weights).holds


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda X, y: (X[:-1], y), "rows"),
        (lambda X, y: (X[0], y), "two dimensions"),
        (lambda X, y: (np.where(X > 1, np.nan, X), y), "row"),
        (lambda X, y: (np.where(X > 1, np.inf, X), y), "row"),
        (lambda X, y: (X, y[:, None]), r"use y\.ravel"),
        (lambda X, y: (X + 1j, y), "complex"),
        (lambda X, y: (X.astype("M8[s]"), y), "dates"),
        (lambda X, y: (X, X[:, 0]), "200 values that are not all whole"),
        (lambda X, y: (X, [None] * len(y)), "no common order"),
        (lambda X, y: (X, np.ones(len(y))), "class"),
        (lambda X, y: (np.ma.masked_greater(X, 1), y), "X has masked entries"),
        (lambda X, y: (X, np.ma.masked_equal(y, 1)), "y has masked entries"),
        (lambda X, y: (X, np.where(y > 0, np.nan, 1)), "row"),
        (lambda X, y: (X[:0], y[:0]), "at least one row"),
        (lambda X, y: (np.array([["a"]] * len(y)), y), "could not convert"),
    ],
)
def test_bad_data_are_errors(problem, change, words):
    X, y = change(*problem)
    with pytest.raises(ValueError, match=words):
        geodescent.train(X, y)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"loss": "hinge"}, "unknown loss"),
        ({"C": 0}, "C is 0"),
        ({"l2": -1}, "l2 is -1"),
        ({"intercept": "big"}, "intercept"),
        ({"method": "adam"}, "adam"),
        ({"tol": 2}, "tol is 2"),
        ({"threads": 0}, "threads"),
        ({"sample_weight": [1, 2]}, "sample_weight"),
        ({"class_weight": {7: 1}}, "7"),
        ({"class_weight": "even"}, "even"),
        ({"class_weight": {1: 0}}, "weight 0"),
        ({"loss": "huber", "loss_parameter": 0}, "loss_parameter is 0"),
        ({"threads": 10**6}, "threads"),
        ({"max_iter": 2**70}, "max_iter"),
        ({"sample_weight": np.ma.masked_equal(np.ones(200), 1)}, "sample_weight has masked"),
    ],
)
def test_bad_parameters_are_errors(problem, given, words):
    with pytest.raises(ValueError, match=words):
        geodescent.train(*problem, **given)


@pytest.mark.parametrize(
    "given",
    [
        {"C": "1"},
        {"tol": "small"},
        {"max_iter": 10.0},
        {"max_seconds": None},
        {"threads": 1.5},
        {"class_weight": [1, 2]},
        {"method": None},
        {"intercept": True},
        {"loss_parameter": "big"},
        {"start": "last"},
    ],
)
def test_parameters_of_a_wrong_type_are_named(problem, given):
    with pytest.raises(TypeError, match=f"^{next(iter(given))} "):
        geodescent.train(*problem, **given)


def test_estimators_name_wrong_parameters(problem):
    for estimator, words in (
        (geodescent.LogisticRegression(C="1"), "C must be a number"),
        (geodescent.Ridge(alpha=None), "alpha must be a number"),
        (geodescent.HuberRidge(delta="1"), "delta must be a number"),
        (geodescent.LinearSVC(threads=2.0), "threads must be a whole number"),
        (geodescent.LogisticRegressionCV(Cs=1.0), "Cs must be a list"),
        (geodescent.RidgeCV(alphas=None), "alphas must be a list"),
    ):
        with pytest.raises(TypeError, match=words):
            estimator.fit(*problem)


def test_predictions_need_the_columns_of_the_model(problem):
    X, y = problem
    model = geodescent.train(X, y)
    with pytest.raises(ValueError, match="2 columns, but the model has 6 features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="two dimensions"):
        model.predict(X[0])
