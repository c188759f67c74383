"""Kills ranks of mpirun at random moments of a training. The job must end within seconds, with a message, and the model is the
old or the new one, whole.
Usage: ranks.py PROGRAM [--kills N] [--seed N] [--mpiexec FILE] [MPIEXEC-OPTION...]"""
import argparse, os, random, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

PATIENCE = 15  # seconds for a job whose rank was killed
LIMIT = 60     # seconds for any job
STUCK = "mpiexec does not end, although all ranks have"


def environment():
    """Root may start ranks, which share processors and leave them while they wait."""
    return os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                         "OMPI_MCA_mpi_yield_when_idle": "1", "ASAN_OPTIONS": "detect_leaks=0", "LC_ALL": "C.UTF-8"}


class Jobs:
    """Starts the program on ranks, in a folder of its own."""

    def __init__(self, program, mpiexec="mpiexec", options=()):
        self.program, self.mpiexec, self.options = str(Path(program).resolve()), mpiexec, list(options)
        self.folder = Path(tempfile.mkdtemp())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, ranks, *words, variables=None):
        """No ranks: one process, without mpirun."""
        command = [self.mpiexec, "-n", str(ranks), *self.options] if ranks else []
        return subprocess.Popen([*command, self.program, *words], cwd=self.folder, env=environment() | (variables or {}),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def end_of(self, process, seconds=LIMIT, ranks_only=False):
        """(exit code, output, errors); None if it hangs. With ranks_only STUCK if mpiexec alone does: that of Open MPI 4.1 can wait
        for a lock of its own for ever when a rank dies before it has joined the others."""
        try:
            out, err = process.communicate(timeout=seconds)
            return process.returncode, out, err
        except subprocess.TimeoutExpired:
            left = self.ranks_of(process)
            for rank in left: os.kill(rank, signal.SIGKILL)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return STUCK if ranks_only and not left else None

    def run(self, ranks, *words, variables=None):
        ended = self.end_of(self.start(ranks, *words, variables=variables))
        if ended is None: raise AssertionError(f"hangs on {ranks} ranks: {' '.join(words)}")
        return ended

    def ranks_of(self, process):
        """The processes of the program that mpiexec has started, by itself or by its helper."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit(): continue
            try:
                parents[int(entry.name)] = (int(entry.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1]),
                                            os.readlink(entry / "exe"))
            except (OSError, IndexError):
                pass
        below, found = {process.pid}, []
        while True:
            new = [pid for pid, (parent, _) in parents.items() if parent in below and pid not in below]
            if not new: return sorted(pid for pid in below if pid in parents and parents[pid][1] == self.program)
            below.update(new)

    def read(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def write(self, name, content):
        (self.folder / name).write_bytes(content)


def kill(jobs, kills, seed, ranks=3):
    """The faults that were found."""
    rng, faults, stuck = random.Random(seed), [], 0
    jobs.run(0, "generate", "--rows", "4000", "--features", "60", "--seed", "7", "data.svm")
    command = ["train", "--quiet", "--directions", "gradients", "--threads", "1", "--tol", "1e-9", "data.svm", "model"]
    jobs.run(0, "train", "--quiet", "--l2", "9", "data.svm", "model")
    old = jobs.read("model")
    began = time.monotonic()
    code, _, err = jobs.run(ranks, *command)
    seconds, new = time.monotonic() - began, jobs.read("model")
    if code != 0 or new == old: return [f"the training without kills fails: {err}"]
    for k in range(kills):
        jobs.write("model", old)
        process = jobs.start(ranks, *command)
        started = time.monotonic()
        while len(jobs.ranks_of(process)) < ranks and process.poll() is None and time.monotonic() - started < LIMIT: time.sleep(0.005)
        moment, number = rng.uniform(0, seconds), rng.randrange(ranks)
        time.sleep(moment)
        victims, killed = jobs.ranks_of(process), False
        if number < len(victims):
            try:
                os.kill(victims[number], signal.SIGKILL)
                killed = True
            except ProcessLookupError:
                pass
        what = f"kill {k} (process {number} after {moment:.3f} s): "
        ended = jobs.end_of(process, PATIENCE, ranks_only=True)
        if ended is None:
            faults.append(what + f"the job does not end in {PATIENCE} s")
            continue
        if ended == STUCK:
            stuck += 1
            continue
        code, out, err = ended
        model = jobs.read("model")
        if model not in (old, new): faults.append(what + "the model is neither the old nor the new one")
        if code == 0 and model != new: faults.append(what + "exit code 0, but no new model")
        if code != 0 and not (out + err).strip(): faults.append(what + f"exit code {code} without a message")
        if code != 0 and not killed: faults.append(what + f"exit code {code} although nothing was killed: {err}")
        if jobs.ranks_of(process): faults.append(what + "a rank goes on")
    # What killed ranks have left is removed by the next training.
    jobs.run(0, "train", "--quiet", "data.svm", "model")
    left = sorted(path.name for path in jobs.folder.iterdir() if path.name not in ("data.svm", "model"))
    if left: faults.append(f"left behind: {left}")
    if stuck: print(f"{stuck} times: {STUCK}", file=sys.stderr)
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mpiexec", default="mpiexec")
    settings, options = parser.parse_known_args()
    with Jobs(settings.program, settings.mpiexec, options) as jobs:
        faults = kill(jobs, settings.kills, settings.seed)
    for fault in faults: print(fault, file=sys.stderr)
    print(f"{settings.kills} ranks killed, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
