"""mutate: files changed at random. Every command ends as documented and leaves no half of a file."""
import bz2, gzip, lzma, shutil, subprocess

import truth
from forge import trained

TOKENS = (b"nan", b"inf", b"-", b"1e999", b"1e-999", b"4294967294", b"4294967295", b"99999999999999999999", b"0", b"-1", b":", b"::",
          b" ", b"\t", b"\0", b"\r", b"\r\n", b"\n", b"#", b"qid:1", b"\xff\xfe", b"\xef\xbb\xbf", b"1:1", b"end", b"w ", b"\x1b[31m")
COMPRESSIONS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress,
                "lzma": lambda content: lzma.compress(content, lzma.FORMAT_ALONE),
                "zstd": lambda content: subprocess.run(["zstd", "-c"], input=content, capture_output=True, check=True).stdout}


def mutated(content, others, rng):
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at, way = rng.randrange(len(changed) + 1), rng.randrange(10)
        length = rng.choice((1, 4, 30, 300))
        if way == 0 and changed: changed[at % len(changed)] ^= 1 << rng.randrange(8)
        if way == 1 and changed: changed[at % len(changed)] = rng.randrange(256)
        if way == 2: changed[at:at] = bytes(rng.randrange(256) for _ in range(length))
        if way == 3: del changed[at:at + length]
        if way == 4: changed[at:at] = changed[at:at + length] * rng.choice((1, 50))
        if way == 5: del changed[at:]
        if way == 6: changed += rng.choice(others)
        if way in (7, 8): changed[at:at + rng.choice((0, 1, 3))] = rng.choice(TOKENS)
        if way == 9:
            lines = changed.split(b"\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            changed = bytearray(b"\n".join(lines))
    return bytes(changed)


def mutate(session):
    problem, options, honest = trained(session, "mutate: data", far=False)
    if honest is None: return
    rng, folder, words = session.rng, session.folder, problem.weight_options(session.folder)
    session.geodescent("mutate: data", "convert", "--quiet", "--features", problem.features, "--index-base", problem.base,
                       "data.svm", "data.gdm")
    bases = {name: (folder / name).read_bytes() for name in ("data.svm", "data.gdm", "weights.txt", "model")}
    (folder / "good.model").write_bytes(honest)
    for _ in range(15):
        if session.settings.late(): return
        name = rng.choice(("data.svm", "data.gdm", "model", "model", "weights.txt", "compressed"))
        row = {"data.svm": "mutate: data", "data.gdm": "mutate: binary data", "model": "mutate: model",
               "weights.txt": "mutate: row weights", "compressed": "mutate: compressed data"}[name]
        for base, content in bases.items(): (folder / base).write_bytes(content)
        if name == "compressed":
            how = rng.choice([how for how in COMPRESSIONS if how != "zstd" or shutil.which("zstd")])
            bases[name] = COMPRESSIONS[how](bases["data.svm"])
        (folder / "bad").write_bytes(mutated(bases[name], list(bases.values()), rng))
        if name == "model": try_model(session, row, problem, words)
        elif name == "weights.txt":
            bad = ["--row-weights", "bad"]
            without = [[word for word in given if word != "--row-weights" and not word.endswith("/weights.txt")]
                       for given in (options, words)]
            try_training(session, row, without[0] + bad, "data.svm", without[1] + bad)
        else: try_data(session, row, options, words)


def unchanged(session, row, outcome, name, before, what):
    """After an error the old file is there; after any end nothing lies beside it."""
    path = session.folder / name
    now = path.read_bytes() if path.exists() else None
    if outcome.code not in (0, 1) and now != before: session.found(row, "lost", f"{name} after exit code {outcome.code} of {what}")
    if session.leftovers(): session.found(row, "lost", f"left behind by {what}: {session.leftovers()}")


def try_training(session, row, options, data, words):
    """A training that succeeds makes a model that holds."""
    session.tried(row)
    old = (session.folder / "model").read_bytes()
    outcome = session.geodescent(row, "train", *options, data, "model", allowed=(0, 1, 2, 3))
    unchanged(session, row, outcome, "model", old, "train")
    if outcome.code in (0, 1):
        verified = session.geodescent(row, "verify", "--quiet", *words, data, "model")
        if verified.code not in (0, 4): session.found(row, "disagreements", f"verify refuses what train wrote for {data}")


def try_data(session, row, options, words):
    for command in (("info",), ("info", "--json"), ("predict", "--quiet"), ("verify", "--quiet", *words)):
        session.tried(row)
        model = ["good.model"] if command[0] in ("predict", "verify") else []
        session.geodescent(row, *command, "bad", *model, allowed=(0, 1, 2, 3, 4) if command[0] == "verify" else None)
    session.tried(row)
    old = (session.folder / "data.gdm").read_bytes()
    converted = session.geodescent(row, "convert", "--quiet", "bad", "data.gdm")
    unchanged(session, row, converted, "data.gdm", old, "convert")
    if converted.code == 0 and session.geodescent(row, "info", "data.gdm").code != 0:
        session.found(row, "lost", "convert wrote what info refuses")
    try_training(session, row, options, "bad", words)


def try_model(session, row, problem, words):
    folder = session.folder
    session.tried(row)
    (folder / "predictions").write_bytes(b"old\n")
    predicted = session.geodescent(row, "predict", "--quiet", "data.svm", "bad", "predictions")
    unchanged(session, row, predicted, "predictions", b"old\n", "predict")
    session.tried(row)
    session.geodescent(row, "train", "--quiet", "--max-seconds", "5", "--loss", problem.loss, "--initial", "bad", "data.svm", "model",
                       allowed=(0, 1, 2, 3))
    session.tried(row)
    verified = session.geodescent(row, "verify", "--quiet", *words, "data.svm", "bad")
    if verified.code not in (0, 4): return
    try:
        wrong = truth.falsehoods(truth.read((folder / "bad").read_bytes()), problem.rows(), problem.features)
    except truth.NO_FORM as error:
        wrong = [f"no model of our format ({error!r})"]
    if wrong: session.found(row, "false", f"verify accepted, but false: {', '.join(wrong)}")
