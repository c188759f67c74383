"""forge: every statement of a model file changed, with a right checksum. agree: honest certificates, judged three times."""
import copy, hashlib, math, re
from fractions import Fraction

import truth
from problem import CLASSES, LOSSES, TWO_CLASSES, Problem

CLAIMS = ("value", "lower_bound", "relative_gap")
SOLVERS = {"softmax": "L2R_LR", "logistic": "L2R_LR", "squared-hinge": "L2R_L2LOSS_SVC", "smoothed-hinge": "L2R_L2LOSS_SVC",
           "squared": "L2R_L2LOSS_SVR", "huber": "L2R_L2LOSS_SVR"}
WORDS = ("", "0", "-1", "1", "3", "1e308", "-inf", "inf", "nan", "x", "-0", "1e-320", "converged", "precision_limit", "unknown",
         "regression", "L2R_LR", "L2R_L2LOSS_SVC", "geod", "sha256:" + "0" * 64) + LOSSES + ("free", "none", "regularized")
CLEAR = Fraction(1, 10**9)  # claims weaker than the exact ones by this share must be confirmed


class Draft:
    """A model file in parts, and the problem it is about."""

    def __init__(self, content, problem):
        head, _, tail = content.partition(b"\ndual\n")
        self.lines, self.problem = head.decode().split("\n"), copy.deepcopy(problem)
        claims = self.places("class")
        self.key = "bytes_per_value" if self.places("classes") else "bytes_per_row"
        self.widths = [int(self.lines[i].split(" ")[5]) for i in claims] or [int(self.get(self.key))]
        count = int(self.get("rows")) * (int(self.get("classes")) if problem.loss == "softmax" else 1)
        self.duals = []
        for width in self.widths: self.duals, tail = self.duals + [tail[:count * width]], tail[count * width:]

    def places(self, key):
        return [i for i, line in enumerate(self.lines) if line.startswith(key + " ")]

    def get(self, key):
        return self.lines[self.places(key)[-1]].partition(" ")[2]

    def put(self, key, text, places=None):
        for i in self.places(key) if places is None else places: self.lines[i] = f"{key} {text}"

    def put_word(self, line, place, text):
        words = self.lines[line].split(" ")
        words[place] = str(text)
        self.lines[line] = " ".join(words)

    def steps(self, which):
        width, dual = self.widths[which], self.duals[which]
        return [int.from_bytes(dual[i:i + width], "little", signed=True) for i in range(0, len(dual), width)]

    def set_steps(self, which, steps, width):
        limit = 1 << 8 * width - 1
        steps = [max(-limit, min(limit - 1, k)) for k in steps]
        self.widths[which], self.duals[which] = width, b"".join(k.to_bytes(width, "little", signed=True) for k in steps)
        claims = self.places("class")
        if claims: self.put_word(claims[which], 5, width)
        else: self.put(self.key, width)

    def content(self):
        body = "\n".join(self.lines).encode() + b"\ndual\n" + b"".join(self.duals) + b"\n"
        start = max(0, body.find(b"geodescent-certificate "))
        return body + b"end sha256:" + hashlib.sha256(body[start:]).hexdigest().encode() + b"\n"


def near(number, rng):
    return repr(rng.choice((math.nextafter(number, math.inf), math.nextafter(number, -math.inf), number * (1 + 1e-9),
                            number * (1 - 1e-9), number / 2, number * 2, number + 1, number - 1, -number)))


def other(word, rng):
    try:
        if rng.random() < 0.6: return near(float(word), rng) if rng.random() < 0.7 else str(int(word) + rng.choice((-1, 1)))
    except (ValueError, OverflowError): pass
    return rng.choice(WORDS + (word + "0", "-" + word, word + " " + word))


# ---- Forgeries. Each changes a draft; whether it is true afterwards is for the judge to say. ------
def a_word(draft, rng):
    i = rng.randrange(len(draft.lines))
    words = draft.lines[i].split(" ")
    k = rng.randrange(len(words))
    words[k] = other(words[k], rng)
    draft.lines[i] = " ".join(words)


def everywhere(draft, rng):
    key = rng.choice(("loss", "loss_parameter", "l2", "bias", "constant", "value", "lower_bound", "labels"))
    text = {"loss": rng.choice(LOSSES), "bias": rng.choice(("free", "none", "regularized"))}.get(key) or other(draft.get(key), rng)
    draft.put(key, text, draft.places(key)[-2:])      # not the number `bias` of the first lines
    if key == "loss":
        draft.put("solver_type", SOLVERS[text])
        if text not in CLASSES: draft.put("labels", "regression")
        if text not in CLASSES and draft.places("label"): del draft.lines[draft.places("label")[0]]
    if key in ("bias", "constant"):
        draft.put("bias", "-1" if draft.get("bias") == "none" else draft.get("constant"), draft.places("bias")[:1])


def to_the_edge(draft, rng):
    """A claim becomes the best double that is true, or the next one, which is false."""
    exact = truth.Exact(truth.read(draft.content()), draft.problem.rows())
    key = rng.choice(CLAIMS)
    claims = draft.places("class")
    which = rng.randrange(len(claims)) if claims and rng.random() < 0.7 else None
    facts = exact if which is None else exact.problems[which]
    fact = {"value": facts.value, "lower_bound": facts.bound, "relative_gap": facts.bound is not None and facts.gap()}[key]
    if fact in (None, False): return
    up = key != "lower_bound"
    best = float(fact)
    while Fraction(best) < fact if up else Fraction(best) > fact: best = math.nextafter(best, math.inf if up else -math.inf)
    if rng.random() < 0.7: best = math.nextafter(best, -math.inf if up else math.inf)
    if which is not None: return draft.put_word(claims[which], 1 + CLAIMS.index(key), repr(best))
    places = draft.places(key)
    draft.put(key, repr(best), rng.choice((places, places[:1], places[-1:])))


def lines(draft, rng):
    i, j = rng.randrange(len(draft.lines)), rng.randrange(len(draft.lines))
    way = rng.randrange(5)
    if way == 0: del draft.lines[i]
    if way == 1: draft.lines.insert(j, draft.lines[i])
    if way == 2: draft.lines[i], draft.lines[j] = draft.lines[j], draft.lines[i]
    if way == 3: draft.lines[i] = draft.lines[i].partition(" ")[0] + " "
    if way == 4: draft.lines[i] = ""


def dual_point(draft, rng):
    which = rng.randrange(len(draft.duals))
    steps, width, claims = draft.steps(which), draft.widths[which], draft.places("class")
    i, j, way = rng.randrange(len(steps)), rng.randrange(len(steps)), rng.randrange(9)
    if way == 0: steps[i] += rng.choice((-1, 1))
    if way == 1: steps[i], steps[j] = steps[i] + 1, steps[j] - 1
    if way == 2: steps[i], steps[j] = steps[j], steps[i]
    if way == 3: steps[i] = -steps[i]
    if way == 4: steps = [rng.choice((0, -1, 1, 2**53, -2**53, 2**53 + 1)) for _ in steps]
    if way == 5:
        change = rng.choice((-1, 1, 60))
        if claims: draft.put_word(claims[which], 4, int(draft.lines[claims[which]].split(" ")[4]) + change)
        else: draft.put("exponent", int(draft.get("exponent")) + change)
    if way == 7: steps = draft.steps(rng.randrange(len(draft.duals)))      # of another class
    if way == 8: steps[i - 1], steps[i] = steps[i - 1] + 1, steps[i] - 1   # within a row of softmax, mostly
    draft.set_steps(which, steps, 8 if way in (4, 6, 7) else width)


def coefficients(draft, rng):
    start = draft.lines.index("w ") + 1
    count = draft.lines.index("geodescent-model 2") - start
    if not count: return
    i = start + rng.randrange(count)
    words = draft.lines[i].rstrip().split(" ")
    k = rng.randrange(len(words))
    if rng.random() < 0.2: words.reverse()      # columns of other classes
    else: words[k] = near(float(words[k]), rng)
    draft.lines[i] = " ".join(words) + " "


def classes(draft, rng):
    """Another order of the classes, one less, one twice or one with another label, and most of the file follows."""
    if not draft.places("label"): return
    names, said, claims = draft.get("label").split(" "), draft.get("labels").split(" "), draft.places("class")
    count, way = len(names), rng.randrange(4)
    order, rows = list(range(count)), said[count:]
    said = said[:count]
    if way == 0: rng.shuffle(order)
    if way == 1: del order[rng.randrange(count)]
    if way == 2: order.insert(rng.randrange(count + 1), rng.choice(order))
    if way == 3: names[0] = said[0] = other(said[0], rng)
    def follows(): return rng.random() < 0.8
    def pick(items): return [items[k] for k in order]
    if draft.problem.loss == "softmax" and follows():
        steps = draft.steps(0)
        draft.set_steps(0, [k for i in range(0, len(steps), count) for k in pick(steps[i:i + count])], draft.widths[0])
    if claims and follows():
        texts = pick([draft.lines[i] for i in claims])
        draft.lines[claims[0]:claims[-1] + 1] = texts
        if follows(): draft.duals, draft.widths = pick(draft.duals), pick(draft.widths)
        for text, width, i in zip(texts, draft.widths, draft.places("class")): draft.put_word(i, 5, width)
        if follows():
            for key, place in ("value", 1), ("lower_bound", 2): draft.put(key, repr(math.fsum(float(text.split(" ")[place]) for text in texts)))
    start, end = draft.lines.index("w ") + 1, draft.lines.index("geodescent-model 2")
    for i in range(start, end if count > 2 and follows() else start): draft.lines[i] = " ".join(pick(draft.lines[i].split(" "))) + " "
    if follows(): draft.put("label", " ".join(pick(names)))
    if follows(): draft.put("labels", " ".join(pick(said) + pick(rows)))
    if follows(): draft.put("nr_class", len(order))
    if follows(): draft.put("classes", len(order))


def data(draft, rng):
    """Other data; rows, weights, counts and fingerprint follow."""
    rows, way = draft.problem.raw, rng.randrange(6)
    i = rng.randrange(len(rows))
    if way == 0 and len(rows) > 2: del rows[i]
    if way == 1: rows.append(copy.deepcopy(rows[i]))
    if way == 2: rows[i][0] = rng.choice(draft.problem.labels)
    if way == 3 and draft.problem.row_weights: rows[i][1] = float(near(rows[i][1], rng))
    if way == 4 and rows[i][2]: rows[i][2][rng.choice(list(rows[i][2]))] = rng.gauss(0, 1)
    if way == 5: rng.shuffle(rows)
    new, count = draft.problem.rows(), int(draft.get("classes")) if draft.problem.loss == "softmax" else 1
    if any(weight < 0 for _, weight, _ in rows) or not new: return
    draft.put("rows", len(new))
    draft.put("total_weight", repr(math.fsum(row.weight for row in new)))
    for which, width in enumerate(draft.widths):
        draft.set_steps(which, (draft.steps(which) + [0] * count * len(new))[:count * len(new)], width)
    if draft.problem.loss in CLASSES:
        targets, words = [row.target for row in new], draft.get("labels").split(" ")
        labels = words[:len(words) // 2]
        draft.put("labels", " ".join(labels + [str(targets.count(float(label))) for label in labels]))


def new_fingerprint(draft):
    try:
        constant = float(draft.get("constant")) if draft.get("bias") == "regularized" else None
        draft.put("data", truth.fingerprint(draft.problem.rows(), int(draft.get("features")), constant))
    except truth.NO_FORM: pass


FORGERIES = (a_word, a_word, everywhere, to_the_edge, to_the_edge, lines, dual_point, coefficients, data, classes)


def form(session, code, said):
    """Whether check.py did not read how the model is written: it takes fewer forms than verify (docs/explanations/trust.md)."""
    return code == 2 and re.match(rf"check\.py: {re.escape(str(session.folder))}/model(:\d+)?: ", said)


def judge(session, row, content, problem, honest=False):
    """Runs both checkers on a file and compares them with the truth."""
    folder, rows = session.folder, problem.rows()
    problem.write(folder)
    (folder / "model").write_bytes(content)
    session.tried(row)
    verified = session.geodescent(row, "verify", "--quiet", *problem.row_weight_options(folder), "data.svm", "model",
                                  allowed=(0, 1, 2, 3, 4)).code
    checked, said = session.check(row, "--row-weights", folder / "plain.txt", folder / "plain.svm", folder / "model")
    try:
        wrong = truth.falsehoods(truth.read(content), rows, problem.features)
        clear = not wrong and not truth.falsehoods(truth.read(content), rows, problem.features, CLEAR)
    except truth.NO_FORM as error:
        wrong, clear = [f"no model of our format ({error!r})"], False
    by_verify, by_checker = verified in (0, 4), checked in (0, 4)
    session.tried(row, "split" if by_verify != by_checker else "accepted" if by_verify else "refused")
    rest = " against the rest" if problem.loss in TWO_CLASSES and len(problem.labels) > 2 else ""
    session.tried(row, f"risk {problem.loss}{rest} {problem.bias}")
    if wrong and (by_verify or by_checker):
        names = " and ".join(["verify"] * by_verify + ["check.py"] * by_checker)
        return session.found(row, "false", f"{names} accepted, but false: {', '.join(wrong)}")
    # What has no form may be called false.
    same = verified == checked or not by_verify and not by_checker
    if same and (by_verify or not honest): return None
    # A claim true by a few roundings need not be confirmed. Both exceptions are counted and printed.
    if not honest and by_checker and not by_verify and not clear: return session.tried(row, "close")
    if not honest and by_verify and not by_checker and form(session, checked, said): return session.tried(row, "form")
    return session.found(row, "disagreements", f"exit code {verified} of verify, {checked} of check.py: {said}")


def trained(session, row, **shape):
    """A problem, its options and the file of an honest training; None if it was refused."""
    problem = Problem(session.rng, **shape)
    problem.write(session.folder)
    options = problem.train_options(session.folder, session.rng)
    done = session.train(row, *options, "data.svm", "model")
    return (problem, options, (session.folder / "model").read_bytes()) if done else (problem, options, None)


def forge(session):
    problem, options, honest = trained(session, "forge")
    if honest is None: return
    for _ in range(40):
        if session.settings.late(): return
        draft = Draft(honest, problem)
        names = []
        for _ in range(session.rng.choice((1, 1, 1, 2))):
            change = session.rng.choice(FORGERIES)
            names.append(change.__name__)
            try: change(draft, session.rng)
            except truth.NO_FORM: pass  # the first change left nothing for the second
        if "data" in names or session.rng.random() < 0.5: new_fingerprint(draft)
        judge(session, "forge", draft.content(), draft.problem)


def agree(session):
    for _ in range(8):
        if session.settings.late(): return
        problem, options, honest = trained(session, "agree", rows=(3, 120), features=(1, 12))
        if honest is None: continue
        judge(session, "agree: train", honest, problem, honest=True)
        way = session.rng.randrange(3)
        if way == 0:
            place = options.index("--l2")
            words = options[:place] + options[place + 2:] + ["--l2-path", "0.01:1:3", "data.svm", "many"]
            for model in session.folder.glob("many*"): model.unlink()
            if session.train("agree: path", *words):
                for model in sorted(session.folder.glob("many.0?")):
                    judge(session, "agree: path", model.read_bytes(), problem, honest=True)
        elif way == 1 and session.train("agree: cross-validation", "--folds", "2", *options, "data.svm", "model"):
            judge(session, "agree: cross-validation", (session.folder / "model").read_bytes(), problem, honest=True)
        elif way == 2:
            binary = session.geodescent("agree: binary", "convert", "--quiet", "--features", problem.features, "--index-base",
                                        problem.base, "data.svm", "data.gdm")
            session.tried("agree: binary")
            again = binary.code == 0 and session.train("agree: binary", *options, "data.gdm", "again")
            if not again or (session.folder / "again").read_bytes() != honest:
                session.found("agree: binary", "disagreements", "the model of the binary data differs from that of the text")
