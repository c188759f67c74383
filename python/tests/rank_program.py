"""Run by mpirun: trains on the rows of all ranks; rank 0 writes what all of them have found."""

import json
import sys

import numpy as np
from mpi4py import MPI

import geodescent


def problem(classes):
    random = np.random.default_rng(7)
    X = random.normal(size=(3001, 12))
    scores = X @ random.normal(size=(12, classes)) + random.normal(size=(3001, classes))
    return X, np.array(["ape", "bee", "cat"])[scores.argmax(axis=1)]


def outcome(model):
    return [model.coef.tolist(), np.asarray(model.intercept).tolist(), model.value, model.gap]


def main(file):
    comm = MPI.COMM_WORLD
    X, y = problem(2)
    rows = slice(3001 * comm.rank // comm.size, 3001 * (comm.rank + 1) // comm.size)
    found = {}
    for name, how in {
        "plain": {},
        "balanced": {"class_weight": "balanced", "loss": "smoothed-hinge"},
        "regression": {"loss": "huber", "intercept": "regularized"},
    }.items():
        target = X[:, 0] + X[:, 1] ** 2 if name == "regression" else y
        how = {"method": "geod-memory:directions=gradients", "C": 0.5, **how}
        model = geodescent.train(X[rows], target[rows], communicator=comm, **how)
        assert (model.certificate is not None) == (comm.rank == 0)
        found[name] = [outcome(model), outcome(geodescent.train(X, target, **how))]
        if comm.rank == 0:
            assert model.verify(X, target).holds
    bad = X[rows].copy()
    if comm.rank == comm.size - 1:
        bad[3, 4] = np.nan
    try:
        geodescent.train(bad, y[rows], communicator=comm)
    except ValueError as error:
        found["error"] = str(error)
    everything = comm.gather(found)
    if comm.rank == 0:
        with open(file, "w", encoding="utf-8") as out:
            json.dump(everything, out)


if __name__ == "__main__":
    main(sys.argv[1])
