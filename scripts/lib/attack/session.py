"""One round of an attack: runs programs in a folder of its own, counts what was tried, keeps what failed."""
import collections, contextlib, importlib.util, io, os, pathlib, re, resource, shutil, signal, subprocess, tempfile, traceback

COLUMNS = ("tries", "false", "lost", "crashes", "disagreements")
TIME_LIMIT = 300           # seconds for one command; a busy machine needs some
MEMORY_LIMIT = 4 << 30     # bytes; data may ask for any amount by a large index
MOST_KEPT = 5
DOCUMENTED = {"train": (0, 1, 3), "verify": (0, 1, 3, 4), "predict": (0, 3), "info": (0, 3), "convert": (0, 3)}  # docs/reference/cli.md
Outcome = collections.namedtuple("Outcome", "code out err")


class Late(BaseException):
    """A checker that does not end; no handler of its own takes this for an error of the files."""


class Session:
    def __init__(self, settings, number, kind, rng):
        self.settings, self.number, self.kind, self.rng = settings, number, kind, rng
        self.counts, self.findings = collections.Counter(), []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="geodescent-attack-"))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def tried(self, row, column="tries"):
        self.counts[row, column] += 1

    def found(self, row, column, what):
        """A failure: counted. The files of this moment are kept, of each round at most MOST_KEPT times."""
        self.tried(row, column)
        if len(self.findings) >= MOST_KEPT: return
        kept = self.settings.keep / f"{self.settings.seed}-{self.number}-{self.kind}-{len(self.findings) + 1}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.folder, kept, symlinks=True)
        only = f" --only {self.kind}" if self.settings.only else ""
        (kept / "WHAT").write_text(f"{row}, {column}: {what}\nagain: scripts/attack --seed {self.settings.seed} "
                                   f"--round {self.number}{only}\n")
        self.findings.append(f"{row}, {column}: {what} [{kept}]")

    def start(self, words, preload=None, file_limit=None, output=subprocess.PIPE):
        environment = dict(os.environ, LC_ALL="C.UTF-8", ASAN_OPTIONS="verify_asan_link_order=0:max_allocation_size_mb=2000")
        if preload: environment.update(preload, LD_PRELOAD=str(self.settings.crash))

        def limits():
            if self.settings.memory_limit: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if file_limit is not None: resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
        # A session of its own: Ctrl-C is for the attack, not for what it tries.
        return subprocess.Popen([str(self.settings.program), *map(str, words)], cwd=self.folder, env=environment, preexec_fn=limits,
                                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, start_new_session=True)

    def wait(self, process, row, words, allowed=None, seconds=TIME_LIMIT):
        """Ends when the program does; anything but a documented end is a crash."""
        allowed = DOCUMENTED[words[0]] if allowed is None else allowed
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.found(row, "crashes", f"no end after {seconds} s: {' '.join(map(str, words))}")
            return Outcome(None, out or b"", err)
        outcome = Outcome(process.returncode, out or b"", err)
        out_of_memory = re.search(rb"Sanitizer: (out-of-memory|allocation-size-too-big)", err)
        report = re.search(rb"Sanitizer|runtime error:", err) and not out_of_memory
        said = outcome.code != 3 or err.startswith(b"geodescent: error: ") and err.count(b"\n") == 1
        if report or not out_of_memory and (outcome.code not in allowed or not said):
            self.found(row, "crashes", f"exit code {outcome.code} of {' '.join(map(str, words))}\n{err.decode(errors='replace')}")
        return outcome

    def geodescent(self, row, *words, allowed=None, **surroundings):
        return self.wait(self.start(words, **surroundings), row, words, allowed)

    def train(self, row, *words):
        """An honest training to the last word; true if it wrote a model. Numbers beyond doubles give none."""
        (self.folder / words[-1]).unlink(missing_ok=True)
        return self.geodescent(row, "train", *words).code in (0, 1) and any(self.folder.glob(words[-1] + "*"))

    def check(self, row, *words):
        """The exit code of scripts/check.py, run in this process."""
        def late(*_): raise Late
        signal.signal(signal.SIGALRM, late)
        signal.alarm(TIME_LIMIT)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
                code = checker(self.settings.checker).main([str(word) for word in words])
        except (Exception, Late):
            self.found(row, "crashes", f"check.py {' '.join(map(str, words))}\n{traceback.format_exc()}")
            return None, ""
        finally:
            signal.alarm(0)
        return code, said.getvalue().strip()

    def leftovers(self):
        return [path.name for path in self.folder.rglob(".geodescent-*")]


loaded = {}


def checker(path):
    if path not in loaded:
        specification = importlib.util.spec_from_file_location("check", path)
        loaded[path] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(loaded[path])
    return loaded[path]
