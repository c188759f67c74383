"""The functions: training, proofs, paths, files and functions of the user."""

import numpy as np
import pytest
import scipy.optimize

import geodescent


def test_the_proof_holds_and_says_the_gap(problem):
    model = geodescent.train(*problem, tol=1e-9)
    assert model.converged and model.relative_gap <= 1e-9
    proof = model.verify(*problem)
    assert proof.holds and proof.relative_gap <= 1e-9
    assert proof.lower_bound <= proof.value <= proof.lower_bound + proof.gap


def test_a_proof_does_not_hold_for_other_data(problem):
    X, y = problem
    model = geodescent.train(X, y)
    other = X.copy()
    other[0, 0] += 1
    proof = model.verify(other, y)
    assert not proof.holds and "data" in proof.reason


def test_class_weights_are_in_the_certificate(problem):
    X, y = problem
    for weights in ({1: 3.0, -1: 0.5}, "balanced"):
        model = geodescent.train(X, y, class_weight=weights)
        assert model.verify(X, y).holds
        assert len(model.certificate.class_weights) == 2
    names = np.where(y > 0, "yes", "no")
    named = geodescent.train(X, names, class_weight={"yes": 3.0, "no": 0.5})
    assert named.verify(X, names).holds


def test_coefficients_alone_prove_a_bound(problem):
    X, y = problem
    model = geodescent.train(X, y, C=2.0, tol=1e-10)
    proof = geodescent.verify(X, y, model.coef, model.intercept, loss="logistic", C=2.0)
    assert proof.relative_gap < 1e-6
    worse = geodescent.verify(X, y, model.coef + 0.1, model.intercept, loss="logistic", C=2.0)
    assert worse.value > proof.value and worse.lower_bound <= proof.value
    with pytest.raises(ValueError, match="entries"):
        geodescent.verify(X, y, [1.0], 0.0, loss="logistic")
    with pytest.raises(ValueError, match="not known"):
        geodescent.verify(object(), X, y)


def test_no_coefficients_are_below_the_bound(problem):
    X, y = problem
    model = geodescent.train(X, y, loss="squared-hinge", l2=0.01, tol=1e-3)
    rng = np.random.default_rng(0)
    for _ in range(100):
        w, b = model.coef + 0.05 * rng.normal(size=6), model.intercept + 0.05 * rng.normal()
        f = np.mean(np.maximum(0, 1 - y * (X @ w + b)) ** 2) / 2 + 0.005 * w @ w
        assert f >= model.lower_bound


def test_callbacks_stop(problem):
    seen = []

    def stop(progress):
        seen.append(progress.relative_gap)
        return len(seen) == 3

    model = geodescent.train(*problem, tol=1e-12, callback=stop)
    assert model.status == "stopped_by_observer" and len(seen) == 3
    assert model.verify(*problem).holds

    def raise_stop(progress):
        raise StopIteration

    assert geodescent.train(*problem, callback=raise_stop).status == "stopped_by_observer"

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        geodescent.train(*problem, callback=fail)


def test_callbacks_stop_all_classes():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 8))
    y = X[:, :4].argmax(axis=1)
    seen = []

    def stop(progress):
        seen.append(progress)
        return len(seen) == 5

    model = geodescent.train(X, y, loss="squared-hinge", tol=1e-12, callback=stop, threads=2)
    assert model.status == "stopped_by_observer" and len(seen) == 5
    assert {progress.problems for progress in seen} == {4}
    assert model.verify(X, y).holds

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        geodescent.train(X, y, loss="squared-hinge", callback=fail, threads=2)


def test_history_and_counts(problem):
    model = geodescent.train(*problem)
    assert len(model.history["value"]) == model.n_iter + 1
    assert model.history["passes"][-1] <= model.n_passes
    assert np.all(model.history["value"] >= model.lower_bound)


def test_a_start_saves_iterations(problem):
    first = geodescent.train(*problem, C=1.0, method="geod", tol=1e-8)
    again = geodescent.train(*problem, C=1.01, method="geod", tol=1e-8, start=first)
    assert again.n_iter < geodescent.train(*problem, C=1.01, method="geod", tol=1e-8).n_iter


def test_a_training_continues_from_its_checkpoint(problem, tmp_path):
    how = {"C": 1e4, "method": "geod", "tol": 1e-9, "checkpoint_every": 5}
    whole = geodescent.train(*problem, checkpoint=tmp_path / "whole", **how)
    assert whole.n_iter > 10
    file = tmp_path / "file"
    stopped = geodescent.train(
        *problem, checkpoint=file, callback=lambda p: p.iteration == 7, **how
    )
    assert stopped.status == "stopped_by_observer" and stopped.n_iter == 7
    assert geodescent.read_model(file).verify(*problem).holds
    again = geodescent.train(*problem, checkpoint=file, resume=True, threads=1, **how)
    assert np.array_equal(again.coef, whole.coef) and again.intercept == whole.intercept
    assert again.gap == whole.gap and again.n_iter == whole.n_iter
    assert again.history["iteration"][0] == 6
    X, y = problem
    with pytest.raises(ValueError, match="other data"):
        geodescent.train(2 * X, y, checkpoint=file, resume=True, **how)
    with pytest.raises(ValueError, match="l2"):
        geodescent.train(X, y, checkpoint=file, resume=True, **{**how, "C": 1.0})
    with pytest.raises(ValueError, match="checkpoint=PATH"):
        geodescent.train(X, y, resume=True)
    with pytest.warns(RuntimeWarning, match="no checkpoint after 5 iterations"):
        geodescent.train(X, y, checkpoint=tmp_path / "missing" / "file", **how)


def test_a_path_has_a_proof_at_each_strength(problem):
    X, y = problem
    path = geodescent.regularization_path(X, y, Cs=[1.0, 0.01, 0.1])
    assert np.all(np.diff(path.l2) < 0) and path.coefs.shape == (3, 6)
    assert all(model.verify(X, y).holds and model.converged for model in path.models)
    stopped = geodescent.regularization_path(X, y, callback=lambda p: True)
    assert len(stopped.models) == 1
    with pytest.raises(ValueError, match="at least one"):
        geodescent.regularization_path(X, y, l2s=[])


def logsumexp(x):
    e = np.exp(x - x.max())
    return x.max() + np.log(e.sum()) + x @ x / 2, e / e.sum() + x


def test_minimize():
    result = geodescent.minimize(logsumexp, np.arange(5.0), strong_convexity=1.0, tol=1e-10)
    assert result.success and result.proven and 0 <= result.gap < 1e-8
    assert result.x == pytest.approx(np.full(5, -0.2), abs=1e-4)


def test_minimize_with_arguments_and_a_shape():
    target = np.array([[1.0, 2.0], [3.0, 4.0]])
    result = geodescent.minimize(
        lambda x, t: 0.5 * ((x - t) ** 2).sum(),
        np.zeros((2, 2)),
        (target,),
        jac=lambda x, t: x - t,
        strong_convexity=1.0,
    )
    assert result.x.shape == (2, 2) and result.x == pytest.approx(target)


def test_minimize_without_convexity_estimates():
    result = geodescent.minimize(logsumexp, np.ones(4))
    assert not result.proven


def test_minimize_is_a_method_of_scipy():
    gaps = []

    def callback(intermediate_result):
        gaps.append(intermediate_result.gap)

    result = scipy.optimize.minimize(
        logsumexp,
        np.ones(4),
        jac=True,
        method=geodescent.minimize,
        tol=1e-8,
        callback=callback,
        options={"strong_convexity": 1.0},
    )
    assert result.success and result.lower_bound <= result.fun and len(gaps) == result.nit + 1


def test_callbacks_of_scipy_see_x():
    seen = []
    scipy.optimize.minimize(
        logsumexp,
        np.ones((2, 2)).ravel(),
        jac=True,
        method=geodescent.minimize,
        callback=lambda xk: seen.append(logsumexp(xk)[0]),
        options={"strong_convexity": 1.0},
    )
    assert len(seen) > 1 and sorted(seen, reverse=True) == seen


def test_ctrl_c_in_a_function_keeps_the_best_point():
    calls = []

    def interrupted(x):
        calls.append(x)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return logsumexp(x)

    start = np.arange(30.0)
    result = geodescent.minimize(interrupted, start, strong_convexity=1.0, tol=0.0)
    assert result.reason == "interrupted" and not result.success and len(calls) >= 6
    assert result.fun == logsumexp(result.x)[0] < logsumexp(start)[0]

    def always(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        geodescent.minimize(always, start, strong_convexity=1.0)


def test_errors_of_the_function_pass_through():
    def broken(x):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        geodescent.minimize(broken, np.zeros(2), strong_convexity=1.0)
    with pytest.raises(ValueError, match="gradient"):
        geodescent.minimize(lambda x: (0.0, np.zeros(3)), np.zeros(2), strong_convexity=1.0)
    with pytest.raises(ValueError, match="gradient"):
        geodescent.minimize(lambda x: 0.0, np.zeros(2), jac=False)
    with pytest.raises(TypeError, match="pair"):
        geodescent.minimize(lambda x: 0.0, np.zeros(2))
    with pytest.raises(ValueError, match="complex"):
        geodescent.minimize(logsumexp, np.zeros(2) * 1j)
    with pytest.raises(TypeError, match="strong_convexity must be a number"):
        geodescent.minimize(logsumexp, np.zeros(2), strong_convexity="1")
    with pytest.raises(ValueError, match="bounds"):
        geodescent.minimize(logsumexp, np.zeros(2), bounds=[(0, 1), (0, 1)])


def test_plots(problem):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert geodescent.train(*problem).plot_history().get_yscale() == "log"
    path = geodescent.regularization_path(*problem, Cs=[0.1, 1])
    assert len(path.plot_path().lines) == 6
