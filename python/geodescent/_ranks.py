"""Rows on several ranks: the communicator of mpi4py as the library uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from . import _core
from ._data import Array, ClassWeight, Problem, balanced, weight_of_classes
from ._model import problem_of

Result = TypeVar("Result")


class _Calls:
    """What the binding calls. It does not refer to the object that owns it."""

    def __init__(self, mpi: Any) -> None:
        self._mpi = mpi

    def send(self, numbers: Array, to: int) -> None:
        self._mpi.Send(numbers, dest=to)

    def receive(self, numbers: Array, source: int) -> None:
        self._mpi.Recv(numbers, source=source)

    def all_gather(self, ours: Array, sizes: list[int], everything: Array) -> None:
        self._mpi.Allgatherv(ours, [everything, sizes])

    def broadcast(self, numbers: Array, root: int) -> None:
        self._mpi.Bcast(numbers, root=root)


class Ranks:
    """An mpi4py communicator. All of its processes make the same calls in the same order."""

    def __init__(self, communicator: Any) -> None:
        needed = ("Get_rank", "Get_size", "Send", "Recv", "Allgatherv", "Bcast", "allgather", "Dup")
        if not all(hasattr(communicator, name) for name in needed):
            raise TypeError(
                f"communicator must be one of mpi4py, such as MPI.COMM_WORLD, not {communicator!r}"
            )
        self._mpi = communicator.Dup()  # so that messages do not mix with those of the caller
        self.rank = int(self._mpi.Get_rank())
        self.core = _core.PythonCommunicator(self.rank, self._mpi.Get_size(), _Calls(self._mpi))

    def close(self) -> None:
        self._mpi.Free()

    def together(self, work: Callable[[], Result]) -> Result:
        """The result of work(). If it fails on one rank, all ranks raise."""
        result, error = None, None
        try:
            result = work()
        except Exception as caught:
            error = caught
        reasons = self._mpi.allgather(None if error is None else str(error))
        if error is not None:
            raise error
        for rank, reason in enumerate(reasons):
            if reason is not None:
                raise ValueError(f"rank {rank} cannot use its rows: {reason}")
        return result  # type: ignore[return-value]

    def union(self, labels: Array) -> Array:
        """The labels of all ranks, in increasing order."""
        parts = [part for part in self._mpi.allgather(labels) if len(part)]
        return np.asarray(np.unique(np.concatenate(parts))) if parts else labels

    def sum(self, totals: Array) -> Array:
        """The sums over the ranks, in their order."""
        result = np.zeros_like(totals)
        for part in self._mpi.allgather(totals):
            result = result + part
        return np.asarray(result)


def problem_on_ranks(
    ranks: Ranks, X: Any, y: Any, loss: str, sample_weight: Any, class_weight: ClassWeight
) -> Problem:
    """The rows of all ranks, of which this one brings some. Every rank has the labels of all."""
    local = ranks.together(lambda: problem_of(X, y, loss, sample_weight))
    labels = None
    if local.classes is not None:
        labels = ranks.union(local.classes.labels)
        if isinstance(class_weight, str) and class_weight == "balanced":
            known = ranks.together(lambda: problem_of(X, y, loss, sample_weight, None, labels))
            assert known.classes is not None
            weights = balanced(ranks.sum(weight_of_classes(known.classes, known.sample_weights)))
            class_weight = dict(zip(labels.tolist(), weights.tolist(), strict=True))
    problem = ranks.together(lambda: problem_of(X, y, loss, sample_weight, class_weight, labels))
    problem.data = _core.on_ranks(problem.data, ranks.core)
    return problem
