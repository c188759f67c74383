"""Rows on the ranks of an mpi4py communicator."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import geodescent

PROGRAM = pathlib.Path(__file__).with_name("rank_program.py")


def mpirun(ranks, *command):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return subprocess.run(
        ["mpirun", *root, "--oversubscribe", "-n", str(ranks), *command],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("ranks", [1, 3])
def test_ranks_get_the_bits_of_one_process(ranks, tmp_path):
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("no mpirun")
    file = tmp_path / "found"
    run = mpirun(ranks, sys.executable, str(PROGRAM), str(file))
    assert run.returncode == 0, run.stdout + run.stderr
    everything = json.loads(file.read_text(encoding="utf-8"))
    assert len(everything) == ranks
    for found in everything:
        for name in ("plain", "balanced", "regression"):
            together, alone = found[name]
            assert together == alone, name
        assert "NaN" in found["error"] or "not finite" in found["error"] or "rank" in found["error"]


def test_a_communicator_is_one_of_mpi4py():
    with pytest.raises(TypeError, match="mpi4py"):
        geodescent.train(np.eye(2), [0, 1], communicator="world")
