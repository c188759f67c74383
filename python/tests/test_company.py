"""Threads, processes and signals."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest
import threadpoolctl

import geodescent


def big_problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20000, 30))
    return X, np.where(X @ rng.normal(size=30) + 3 * rng.normal(size=20000) > 0, 1, 0)


def fitted(_=None):
    return geodescent.train(*big_problem(), tol=1e-9).coef


def test_same_bits_for_every_number_of_threads():
    X, y = big_problem()
    one = geodescent.train(X, y, threads=1).coef
    assert np.array_equal(one, geodescent.train(X, y, threads=4).coef)


def test_fits_at_the_same_time_give_the_same_bits():
    expected = fitted()
    with joblib.parallel_config("threading"):
        for coef in joblib.Parallel(3)(joblib.delayed(fitted)() for _ in range(4)):
            assert np.array_equal(coef, expected)
    for coef in joblib.Parallel(2)(joblib.delayed(fitted)() for _ in range(2)):  # processes
        assert np.array_equal(coef, expected)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_child_processes_give_the_same_bits(method):
    expected = fitted()  # the parent has threads already
    with multiprocessing.get_context(method).Pool(2) as pool:
        for coef in pool.map(fitted, range(2)):
            assert np.array_equal(coef, expected)


def test_the_gil_is_released():
    X, y = big_problem()
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    watcher = threading.Thread(target=tick)
    watcher.start()
    begin = time.perf_counter()
    while time.perf_counter() < begin + 0.5:
        geodescent.train(X, y, method="geod", tol=1e-9)
    done.set()
    watcher.join()
    assert len(ticks) > 50


def test_threads_are_limited():
    before = geodescent.threads()
    geodescent.train(*big_problem(), threads=1)
    assert geodescent.threads() == before
    with threadpoolctl.threadpool_limits(1, user_api="geodescent"):
        assert geodescent.threads() == 1
    assert geodescent.threads() == before
    for names, expected in (
        ({"GEODESCENT_NUM_THREADS": "3"}, "3"),
        ({"OMP_NUM_THREADS": "1"}, "1"),
        ({"GEODESCENT_NUM_THREADS": "3", "OMP_NUM_THREADS": "1"}, "3"),
    ):
        code = "import geodescent; print(geodescent.threads())"
        answer = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **names},
            capture_output=True,
            text=True,
        )
        assert answer.stdout.strip() == expected, answer.stderr


def test_fits_that_overlap_restore_the_number_of_threads():
    before = geodescent.threads()
    began, second_began, first_ended = threading.Event(), threading.Event(), threading.Event()

    def first(_):
        began.set()
        return second_began.wait(10)

    def second(_):
        second_began.set()
        return first_ended.wait(10)

    X, y = big_problem()
    limited = before % 2 + 1
    thread = threading.Thread(
        target=lambda: geodescent.train(X, y, threads=limited, callback=second)
    )
    whole = threading.Thread(target=lambda: geodescent.train(X, y, threads=limited, callback=first))
    whole.start()
    assert began.wait(10)
    thread.start()
    whole.join()
    first_ended.set()
    thread.join()
    assert geodescent.threads() == before


INTERRUPTED = """
import os, signal, threading, numpy as np, warnings, geodescent
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 50)) * np.logspace(0, 3, 50)
two = (X[:, 0] + X[:, 1] + rng.normal(size=3000) > 0).astype(int)
four = two + 2 * (X[:, 2] > 0)
geodescent.LinearSVC().fit(X[:99], two[:99])  # imports scikit-learn before the signal
for y, class_weight in ((two, None), (four, None), (four, "balanced")):
    model = geodescent.LinearSVC(
        method="sd", C=1e6, tol=1e-15, max_iter=10**9, class_weight=class_weight, threads=2)
    threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    print(model.status_, geodescent.verify(model, X, y).holds, len(caught))
"""


def test_ctrl_c_keeps_the_best_model():
    answer = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120
    )
    assert answer.stdout.split() == 3 * ["interrupted", "True", "1"], answer.stderr


def test_a_handler_of_a_signal_may_raise(problem):
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Alarm):
            for _ in range(10**6):
                geodescent.train(*big_problem(), method="sd", tol=1e-14)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_functions_need_no_scikit_learn():
    code = (
        "import sys, geodescent; geodescent.train([[0.0], [1.0]], [0, 1]);"
        "print('sklearn' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout.strip() == "False", answer.stderr
