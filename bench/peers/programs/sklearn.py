# scikit-learn as a peer of `geodescent bench peers`. Reads one JSON request per line from standard input and answers
# each with one line. The data are read once and kept; only load_svmlight_file and fit are timed.
import json
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore")  # not converged: the weights are judged, not the message
data = {}


def load(request):
    start = time.perf_counter()
    x, y = load_svmlight_file(request["file"], dtype=np.float64)
    seconds = time.perf_counter() - start
    # liblinear accepts no wider indices.
    if x.nnz < 2**31:
        x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    # The form that is faster for the solvers: dense if at least half of the entries are stored.
    dense = 2 * x.nnz >= x.shape[0] * x.shape[1]
    if request["keep"]:
        data["x"] = np.ascontiguousarray(x.toarray()) if dense else x
        data["y"] = y
    return {"seconds": seconds}


def estimator(request):
    solver = request["solver"]
    # Newton's method never needs as many. For unreachable tolerances newton-cg would not end.
    common = dict(tol=request["tol"], fit_intercept=False, random_state=1,
                  max_iter=1000 if solver.startswith("newton") else 1000000)
    if request["loss"] == "squared":
        # Twice the sum of losses + alpha |w|^2.
        return Ridge(alpha=request["alpha"], solver=solver.removeprefix("Ridge "), **common)
    common["C"] = request["C"]
    if request["loss"] == "squared-hinge":
        return LinearSVC(loss="squared_hinge", dual=solver.endswith("dual"), **common)
    if solver.startswith("liblinear"):
        return LogisticRegression(penalty="l2", solver="liblinear", dual=solver.endswith("dual"), **common)
    return LogisticRegression(penalty="l2", solver=solver, **common)


def largest_matrix(solver, x):
    # The order of the largest square matrix that the solver allocates.
    if solver == "newton-cholesky":
        return x.shape[1]
    return min(x.shape) if solver in ("Ridge cholesky", "Ridge svd") else 0


def fit(request):
    x = data["x"]
    if largest_matrix(request["solver"], x) > 10000:
        size = largest_matrix(request["solver"], x)
        return {"error": "a matrix of %d x %d numbers would take %.0f GB" % (size, size, 8e-9 * size ** 2)}
    model = estimator(request)
    start = time.perf_counter()
    model.fit(x, data["y"])
    seconds = time.perf_counter() - start
    # Feature by feature, with a number for each of several classes.
    np.atleast_2d(model.coef_).T.ravel().astype(np.float64).tofile(request["out"])
    return {"seconds": seconds}


def warm_up(request):
    # The first fit of a solver imports modules, which is not part of training.
    x, y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1, -1, 1])
    model = estimator(dict(request, C=1.0, alpha=1.0, tol=1e-2))
    model.fit(x, y)
    return {"seconds": 0.0}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"start": lambda _: {}, "load": load, "fit": fit, "warm up": warm_up}[request["do"]](request)
    except Exception as error:  # a solver that this version does not have, a lack of memory: to be reported by name
        answer = {"error": "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:300])}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
