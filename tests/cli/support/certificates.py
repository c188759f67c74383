"""Checks every certificate that the command-line tests produce by scripts/check.py.

certificates.py check CHECKER [COUNTS]  Reads a training a line from standard input, as JSON with `words`, `code`, `folder` and
                                        `input`: what follows `train`, exit code, where it ran, standard input. Answers with a line: what is
                                        wrong with the certificates, or nothing. Writes how many it has checked to COUNTS.
certificates.py limits COUNTS...        Adds up the counts of all processes and fails where a limit is not met.
"""
import collections, contextlib, hashlib, importlib.util, io, json, pathlib, re, sys, tempfile

FLAGS = ("--json", "--quiet", "-q", "-C", "--resume")
MOST_BYTES = 1_000_000  # of data and model; more would take seconds
LARGE, WEIGHTED, NO_MODEL = "data and model over 1 MB", "sample weights by --weight-feature", "ended with 1 and no model"
# What is not checked, and how often at most in all tests. A reason that is not here is a failure.
LIMITS = {LARGE: 25, WEIGHTED: 8, NO_MODEL: 2, "binary data": 20, "compressed by zstd": 2}
LEAST_CHECKED = 200  # different certificates


def parsed(words):
    """Options with their values, and what is no option. All options but FLAGS take a value; -w LABEL WEIGHT takes two, -w balanced one."""
    options, names, words = {}, [], list(words)
    while words:
        word = words.pop(0)
        if not word.startswith("-") or word == "-":
            names.append(word)
        elif word in FLAGS or "=" in word:
            options[word.partition("=")[0]] = word.partition("=")[2]
        else:
            options[word] = words.pop(0)
            if word in ("-w", "--class-weight") and options[word] != "balanced": words.pop(0)
    return options, names


def models(options, names):
    """The files that a training has written: docs/reference/commands, train.md and train-several.md."""
    model = options["--model"] if "--model" in options else names[1] if len(names) > 1 else re.sub(r"\.(gz|bz2|xz|zst)$", "", pathlib.Path(names[0]).name) + ".model"
    if "--l2-path" not in options or {"--folds", "-v"} & options.keys(): return [model]
    count = options["--l2-path"].rpartition(":")[2]
    return [f"{model}.{number:0{max(2, len(count))}}" for number in range(1, int(count) + 1)]


def together(paths):
    """A file with the lines of several plain ones, which check.py does not read."""
    whole = tempfile.NamedTemporaryFile(suffix=".svm")
    for path in paths: whole.write(path.read_bytes().rstrip(b"\n") + b"\n")
    whole.flush()
    return whole


def not_checked(checker, options, paths):
    """Why check.py is not asked about these files, data first; empty if it is."""
    if "--weight-feature" in options: return WEIGHTED
    with open(paths[0], "rb") as data: start = data.read(16)
    for magic, remedy in checker.NOT_READ.items():
        if start.startswith(magic): return re.split(" of |;", remedy)[0]
    return LARGE if sum(path.stat().st_size for path in paths) > MOST_BYTES else ""


def check(checker, training, counts, seen):
    options, names = parsed(training["words"])
    folder = pathlib.Path(training["folder"])
    data = pathlib.Path(training["input"]) if names[0] == "-" else folder / names[0]
    if "--model" in options and len(names) > 1:
        whole = together([folder / name for name in names])  # there as long as its name
        data = pathlib.Path(whole.name)
    weights = [folder / options["--row-weights"]] if "--row-weights" in options else []
    written = [path for path in (folder / model for model in models(options, names)) if path.exists()]
    if not written and training["code"] == 0: return f"no model of {training['words']}"
    if not written: counts[NO_MODEL] += 1
    for model in written:
        paths = [data, model] + weights
        reason = not_checked(checker, options, paths)
        if not reason:
            key = tuple(hashlib.sha256(path.read_bytes()).digest() for path in paths)
            if key in seen: continue
            seen.add(key)
            with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
                code = checker.main([f"--row-weights={path}" for path in weights] + [str(data), str(model)])
            if code not in (0, 4): return f"check.py ends with {code} on {model.name}: {said.getvalue().strip()}"
        elif reason not in LIMITS:
            return f"{model.name} is not checked: {reason}"
        counts[reason or "checked"] += 1
    return ""


def serve(path, results=None):
    specification = importlib.util.spec_from_file_location("check", path)
    checker = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(checker)
    counts, seen = collections.Counter(), set()
    for line in sys.stdin:
        try:
            answer = check(checker, json.loads(line), counts, seen)
        except (Exception, SystemExit) as error:
            answer = f"{type(error).__name__}: {error} in {line}"
        print(answer.replace("\n", " "), flush=True)
    if results:
        pathlib.Path(results).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(results).write_text(json.dumps(counts))


def limits(*results):
    total = collections.Counter()
    for path in results: total.update(json.loads(pathlib.Path(path).read_text()))
    for reason, count in sorted(total.items()):
        print(f"{count:6} {reason}" + (f", at most {LIMITS[reason]}" if reason in LIMITS else f", at least {LEAST_CHECKED}"))
    return total["checked"] < LEAST_CHECKED or any(total[reason] > most for reason, most in LIMITS.items())


if __name__ == "__main__":
    sys.exit({"check": serve, "limits": limits}[sys.argv[1]](*sys.argv[2:]))
