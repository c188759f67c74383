"""kill, writers, full: trainings that end in the middle. Every file is then the old or the new one, whole."""
import errno, signal, time

from problem import Problem

ERRORS = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT)
MODES = {"train": ["--l2", "0.01"], "path": ["--l2-path", "0.01:1:3"], "cross-validation": ["--l2-path", "0.01:1:3", "--folds", "3"]}


class Place:
    """A folder with data and the models of an old training, and what the new one makes of them."""

    def __init__(self, session, mode, row):
        self.session, self.row, self.mode = session, row, mode
        problem = Problem(session.rng, rows=(50, 400), features=(2, 20), far=False)
        problem.row_weights, problem.class_weights, problem.weight_feature = False, [], None
        problem.write(session.folder)
        self.options = ["--quiet", "--threads", session.rng.choice(("1", "2")), "--loss", problem.loss, "--bias", problem.bias,
                        "--max-seconds", "60"]
        self.command = ["train", *self.options, *MODES[mode], "data.svm", "model"]
        old = self.options + (["--l2", "5"] if mode != "path" else ["--l2-path", "2:9:3"])
        self.old = self.after(["train", *old, "data.svm", "model"])
        process, started = session.start(self.command), time.monotonic()  # the time after the start, as kills are timed
        session.wait(process, row, self.command)
        self.seconds = time.monotonic() - started
        self.new = self.files()

    def after(self, command):
        self.session.geodescent(self.row, *command)
        return self.files()

    def files(self):
        return {path.name: path.read_bytes() for path in self.session.folder.glob("model*")}

    def put_back(self):
        for name in self.files(): (self.session.folder / name).unlink()
        for name, content in self.old.items(): (self.session.folder / name).write_bytes(content)

    def sweep(self):
        """A failed unlink leaves its file."""
        for path in self.session.folder.glob(".geodescent-*"): path.unlink()

    def is_whole(self, name, content, states):
        if name.endswith(".csv"):  # it has the seconds of the run
            return content.startswith(b"number,l2,") and content.endswith(b"\n") and content.count(b"\n") == 4
        return content in [state[name] for state in states]

    def look(self, what, news=None):
        """Each file is whole, and each model has its proof."""
        now, states = self.files(), [self.old] + (news or [self.new])
        bad = [name for name in self.old if name not in now or not self.is_whole(name, now[name], states)]
        bad += sorted(set(now) - set(self.old))
        if bad: self.session.found(self.row, "lost", f"{', '.join(bad)} after {what}")
        for name in now:
            if not name.endswith(".csv"):
                verified = self.session.geodescent(self.row, "verify", "--quiet", "data.svm", name)
                if verified.code not in (0, 4): self.session.found(self.row, "lost", f"{name} without its proof after {what}")

    def clear(self):
        """The next run removes what the killed one left."""
        if self.after(self.command) and self.session.leftovers():
            self.session.found(self.row, "lost", f"not cleared up: {self.session.leftovers()}")


def kill(session):
    mode = session.rng.choice(list(MODES))
    row = f"kill: {mode}"
    place = Place(session, mode, row)
    changes = 12 if mode == "path" else 5  # at most, of files; fewer once a training gets through
    for _ in range(12):
        if session.settings.late(): return
        place.put_back()
        session.tried(row)
        at = None
        if session.rng.random() < 0.5:
            at = session.rng.randint(1, changes)
            process, what = session.start(place.command, preload={"CRASH_AT": str(at), "CRASH_AS": "0"}), f"a kill at change {at}"
        else:
            seconds = session.rng.uniform(0, 1.1 * place.seconds)
            process, what = session.start(place.command), f"a kill after {seconds:.4f} s"
            time.sleep(seconds)
            process.kill()
        outcome = session.wait(process, row, place.command, allowed=(0, 1, -signal.SIGKILL))
        if outcome.code == -signal.SIGKILL: session.tried(row, "killed")
        elif at: changes = max(1, at - 1)
        place.look(what)
        if session.rng.random() < 0.2: place.clear()


def writers(session):
    row = "writers"
    place = Place(session, "train", row)
    other = ["train", *place.options, "--l2", "0.5", "data.svm", "model"]
    place.put_back()
    news = [place.new, place.after(other)]
    for _ in range(12):
        if session.settings.late(): return
        place.put_back()
        session.tried(row)
        both = [session.start(place.command), session.start(other)]
        killed = [process for process in both if session.rng.random() < 0.4]
        for process in killed:
            time.sleep(session.rng.uniform(0, place.seconds))
            process.kill()
        for process, words in zip(both, (place.command, other)):
            session.wait(process, row, words, allowed=(0, 1) + ((-signal.SIGKILL,) if process in killed else ()))
        place.look(f"two trainings, {len(killed)} of them killed", news)
        if len(killed) < 2 and place.files() == place.old: session.found(row, "lost", "a training that ended well")
        if not killed and session.leftovers(): session.found(row, "lost", f"left behind: {session.leftovers()}")


def full(session):
    mode = session.rng.choice(list(MODES) + ["convert", "predict", "report"])
    row = f"full disk: {mode}"
    place = Place(session, mode if mode in MODES else "train", row)
    session.geodescent(row, "convert", "--quiet", "data.svm", "model.gdm")
    (session.folder / "model.predictions").write_bytes(b"old\n")
    (session.folder / "good").write_bytes(place.new["model"] if "model" in place.new else place.new["model.01"])
    command = {"convert": ["convert", "--quiet", "data.svm", "model.gdm"], "report": ["info", "--json", "data.svm"],
               "predict": ["predict", "--quiet", "data.svm", "good", "model.predictions"]}.get(mode, place.command)
    if mode in ("convert", "predict"):
        name = command[-1]
        place.old = {name: b"old\n"}
        place.put_back()
        place.new = {name: place.after(command)[name]}
    for _ in range(12):
        if session.settings.late(): return
        place.put_back()
        place.sweep()
        session.tried(row)
        if mode == "report":
            with open("/dev/full", "wb") as nowhere: session.geodescent(row, *command, output=nowhere, allowed=(3,))
            continue
        if session.rng.random() < 0.5:
            at, error = session.rng.randint(1, 12), session.rng.choice(ERRORS)
            what = f"error {errno.errorcode[error]} at change {at}"
            surroundings = {"preload": {"CRASH_AT": str(at), "CRASH_AS": str(error)}}
        else:
            limit = session.rng.choice((0, 1, 100, 1000, session.rng.randrange(20000)))
            what, surroundings = f"a limit of {limit} bytes", {"file_limit": limit}
        outcome = session.geodescent(row, *command, **surroundings)
        now = place.files()
        # New after success, old after an error; but a path keeps the models that were finished before it.
        states = [place.old] * (outcome.code == 3) + [place.new] * (outcome.code != 3 or mode == "path")
        for name in place.old:
            if name not in now or not place.is_whole(name, now[name], states):
                session.found(row, "lost", f"{name} after {what}, exit code {outcome.code}")
        if "limit" in what and session.leftovers(): session.found(row, "lost", f"left behind after {what}: {session.leftovers()}")
