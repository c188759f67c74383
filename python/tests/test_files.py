"""Files shared with the command line, and the same bits as its trainings."""

import pickle
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.datasets
from conftest import DATA

import geodescent

SETS = [
    ("binary/a1a", "logistic"),
    ("binary/australian", "logistic"),
    ("binary/breast-cancer_scale", "smoothed-hinge"),
    ("binary/diabetes_scale", "squared-hinge"),
    ("binary/german.numer", "logistic"),
    ("binary/ionosphere_scale", "smoothed-hinge"),
    ("binary/mushrooms", "logistic"),
    ("binary/svmguide1", "squared-hinge"),
    ("binary/w1a", "logistic"),
    ("regression/housing_scale", "squared"),
    ("regression/abalone_scale", "huber"),
    ("multiclass/iris.scale", "softmax"),
    ("multiclass/segment.scale", "logistic"),
]


def in_form_of_the_program(X):
    """The program stores a matrix in full when at least half of its entries are there."""
    return X.toarray() if 2 * X.nnz >= X.shape[0] * X.shape[1] else X


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def same_bits(program, path, loss, folder):
    run(program, "train", "--loss", loss, "-c", "1", "--quiet", path, folder / "its.model")
    X, y = geodescent.read_libsvm(path)
    model = geodescent.train(in_form_of_the_program(X), y, loss=loss, C=1.0)
    its = geodescent.read_model(folder / "its.model")
    assert np.array_equal(model.coef, its.coef)
    assert np.array_equal(model.intercept, its.intercept)
    assert model.certificate.fingerprint == its.certificate.fingerprint
    assert (model.value, model.lower_bound) == (its.value, its.lower_bound)
    return model, X, y


@pytest.mark.parametrize(("name", "loss"), SETS)
def test_same_bits_as_the_command_line(program, name, loss, tmp_path):
    path = DATA / f"{name}.xz"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    same_bits(program, path, loss, tmp_path)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("loss", ["logistic", "squared-hinge", "smoothed-hinge", "softmax"])
def test_files_go_both_ways(program, loss, classes, tmp_path):
    path = tmp_path / "data.svm"
    shape = ("--rows", "600", "--features", "30", "--density", "0.3", "--classes", classes)
    run(program, "generate", *shape, "--seed", "1", "--quiet", path)
    model, X, y = same_bits(program, path, loss, tmp_path)
    assert geodescent.verify(geodescent.read_model(tmp_path / "its.model"), X, y).holds
    model.save(tmp_path / "our.model")
    assert "verdict     holds" in run(program, "verify", path, tmp_path / "our.model")
    certificate = geodescent.read_certificate(tmp_path / "our.model")
    assert certificate.value == model.value
    geodescent.write_certificate(certificate, tmp_path / "our.cert")
    again = geodescent.read_certificate(tmp_path / "our.cert")
    assert pickle.dumps(again) == pickle.dumps(certificate)
    run(program, "verify", path, tmp_path / "our.model", tmp_path / "our.cert")


def test_class_weights_of_a_saved_model_are_stated(program, tmp_path):
    path = tmp_path / "data.svm"
    run(program, "generate", "--preset", "a9a", "--scale", "0.02", "--seed", "1", "--quiet", path)
    X, y = geodescent.read_libsvm(path)
    geodescent.LogisticRegression(class_weight={1: 2.0, -1: 0.5}).fit(X, y).save(tmp_path / "model")
    assert "verdict     holds" in run(program, "verify", path, tmp_path / "model")


def test_read_libsvm_agrees_with_scikit_learn(tmp_path):
    rng = np.random.default_rng(0)
    X = sp.random(50, 40, density=0.1, random_state=0, format="csr")
    y = rng.normal(size=50)
    sklearn.datasets.dump_svmlight_file(X, y, str(tmp_path / "data.svm"), zero_based=False)
    ours, our_y = geodescent.read_libsvm(tmp_path / "data.svm", features=40)
    theirs, their_y = sklearn.datasets.load_svmlight_file(str(tmp_path / "data.svm"), n_features=40)
    assert (ours != theirs).nnz == 0 and np.array_equal(our_y, their_y)
    assert ours.indices.dtype == ours.indptr.dtype == np.int32


def test_values_that_are_all_equal(tmp_path):
    (tmp_path / "ones.svm").write_text("1 1:1 2:1\n-1 3:1\n")
    X, _ = geodescent.read_libsvm(tmp_path / "ones.svm")
    assert X.toarray().tolist() == [[1, 1, 0], [0, 0, 1]]
    zero, _ = geodescent.read_libsvm(tmp_path / "ones.svm", index_base="zero")
    assert zero.shape == (2, 4)


def test_errors_name_the_place(tmp_path):
    (tmp_path / "bad.svm").write_text("1 1:1\n1 3:1 2:1\n")
    with pytest.raises(geodescent.InputError, match=r"bad\.svm:2:.*index 2 after 3"):
        geodescent.read_libsvm(tmp_path / "bad.svm")
    with pytest.raises(ValueError, match="missing"):
        geodescent.read_libsvm(tmp_path / "missing.svm")
    with pytest.raises(geodescent.InputError):
        geodescent.read_model(tmp_path / "bad.svm")
