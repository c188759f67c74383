"""What a model file says, and whether it is true: judged in exact fractions, logarithms in 100 digits.

Shares no code with geodescent or scripts/check.py. A claim is false if docs/reference/certificate.md, "The check",
does not follow from the file and the data in exact arithmetic.
"""
import dataclasses, decimal, hashlib, math, struct
from decimal import Decimal
from fractions import Fraction

from problem import CLASSES, TWO_CLASSES

decimal.setcontext(decimal.Context(prec=100, Emin=-10**9, Emax=10**9))
TINY = Fraction(1, 10**50)  # relative; far above the error of our logarithms, far below that of doubles
START = b"geodescent-certificate "
CLAIM = ("value", "lower_bound", "relative_gap", "exponent", "bytes")  # the words of a line `class`
# What reading and judging raise where a file has lost its form.
NO_FORM = (ValueError, KeyError, IndexError, StopIteration, OverflowError, ZeroDivisionError, struct.error)


@dataclasses.dataclass
class Said:
    """A parsed file; head, section, certificate and its claims about classes as dictionaries of text."""
    head: dict
    weights: list      # the numbers of each line
    section: dict
    certificate: dict
    claims: list
    steps: list        # of each dual point


def pairs(lines):
    return {key: rest for key, _, rest in (line.partition(" ") for line in lines)}


def read(content):
    place = 0 if content.startswith(START) else content.index(b"\n" + START) + 1
    model, certificate = content[:place].decode().replace("\r\n", "\n").split("\n"), content[place:]
    start = next(i for i, line in enumerate(model) if line.strip() == "w")
    end = next((i for i, line in enumerate(model) if line.startswith("geodescent-model ")), len(model))
    header, _, tail = certificate.partition(b"\ndual\n")
    said = pairs(header.decode().split("\n"))
    claims = [dict(zip(CLAIM, line.split(" ")[1:], strict=True)) for line in header.decode().split("\n") if line.startswith("class ")]
    sizes = [int(claim["bytes"]) for claim in claims] or [int(said["bytes_per_value" if "classes" in said else "bytes_per_row"])]
    count, steps = int(said["rows"]) * (int(said["classes"]) if said["loss"] == "softmax" else 1), []
    for size in sizes:
        steps.append([int.from_bytes(tail[i * size:(i + 1) * size], "little", signed=True) for i in range(count)])
        tail = tail[count * size:]
    weights = [[float(x) for x in line.split()] for line in model[start + 1:end] if line.strip()]
    return Said(pairs(model[:start]), weights, pairs(model[end:]), said, claims, steps)


def fingerprint(rows, features, constant):
    """docs/reference/certificate.md, "The fingerprint of the data"; constant: that of a regularised intercept, else None."""
    parts = [struct.pack("<QQ", len(rows), features + (constant is not None))]
    for begin in range(0, len(rows), 256):
        block = b""
        for row in rows[begin:begin + 256]:
            entries = {**row.entries, **({} if constant is None else {features: constant})}
            ones = all(x == 1 for x in entries.values())
            block += struct.pack(f"<ddQ{len(entries)}I", row.target + 0.0, row.weight, len(entries) + (ones << 63), *entries)
            block += b"" if ones else struct.pack(f"<{len(entries)}d", *entries.values())
        parts.append(hashlib.sha256(block).digest())
    return "sha256:" + hashlib.sha256(b"".join(parts)).hexdigest()


def log_term(x):
    """log(1 + exp(-x)) for x >= 0"""
    power = (-min(Decimal(x.numerator) / Decimal(x.denominator), Decimal(10**6))).exp()
    return Fraction(power if power < Decimal("1e-60") else (1 + power).ln())


def phi(loss, z, y, delta):
    if loss == "logistic": return max(-z, Fraction(0)) + log_term(abs(z))
    if loss == "smoothed-hinge": return Fraction(0) if z >= 1 else Fraction(1, 2) - z if z <= 0 else (1 - z) ** 2 / 2
    if loss == "squared-hinge": return max(Fraction(0), 1 - z) ** 2 / 2
    r = abs(z - y)
    return r * r / 2 if loss == "squared" or r <= delta else delta * (r - delta / 2)


def derivative(loss, z, y, delta):
    if loss == "logistic": return Fraction(-1 / (1 + (Decimal(z.numerator) / Decimal(z.denominator)).exp()))
    if loss == "smoothed-hinge": return -min(Fraction(1), max(Fraction(0), 1 - z))
    if loss == "squared-hinge": return -max(Fraction(0), 1 - z)
    return z - y if loss == "squared" else max(-delta, min(delta, z - y))


def conjugate(loss, v, c, y, delta):
    """c phi*(v/c), or None where that is infinite"""
    low, high = {"squared": (v, v), "squared-hinge": (v, 0), "huber": (-c * delta, c * delta)}.get(loss, (-c, 0))
    if not low <= v <= high: return None
    if loss == "logistic":
        shares = [Decimal(q.numerator) / Decimal(q.denominator) for q in (-v / c, 1 + v / c) if q]
        return c * Fraction(sum(q * q.ln() for q in shares))
    return v * (1 if loss in TWO_CLASSES else y) + v * v / (2 * c)


def quotient(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def entropy(parts):
    """The sum of -p log p."""
    return Fraction(-sum(quotient(p) * quotient(p).ln() for p in parts if p))


def softmax_loss(z, y):
    top = max(z)
    total = sum(max(quotient(k - top), Decimal(-10**6)).exp() for k in z)
    return top - z[y] + Fraction(total.ln())


def gap(value, bound, reference, slack):
    value, bound, reference = value * (1 + slack), bound * (1 - slack), reference * (1 - slack)
    return Fraction(0) if value == bound else (value - bound) / (reference - bound) if max(value, bound) < reference else None


class Facts:
    """value, bound and reference of one problem; bound is None where the dual point proves nothing."""

    def __init__(self, certificate, exponent, steps, rows):
        c = certificate
        self.loss, self.free, self.rows = c["loss"], c["bias"] == "free", rows
        self.delta, self.l2, self.constant = (Fraction(float(c[key])) for key in ("loss_parameter", "l2", "constant"))
        self.total, self.step = sum(weight for _, weight, _ in rows), Fraction(2) ** int(exponent)
        self.steps = steps

    def gap(self, slack=0):
        return gap(self.value, self.bound, self.reference, slack)

    def settle(self, columns, losses, conjugates, gradients, adds_up):
        """Value and bound from sums over the rows, which are not divided by the total weight; conjugates: None where infinite."""
        self.value = losses / self.total + self.l2 / 2 * sum(x * x for w in columns for x in w)
        squares = sum(g * g for w in gradients for g in w) / self.total**2
        self.bound = None if conjugates is None else max(Fraction(0), -conjugates / self.total - squares / (2 * self.l2))
        if self.free and not adds_up: self.bound = None


class OfSigns(Facts):
    """A loss of one prediction; rows of the label `positive` have the sign 1."""

    def __init__(self, certificate, exponent, steps, rows, w, positive):
        super().__init__(certificate, exponent, steps, rows)
        loss, delta, classes, w = self.loss, self.delta, self.loss in TWO_CLASSES, list(w)
        b = w.pop() * self.constant if self.free else 0
        signs = [-1 if classes and y != positive else 1 for y, _, _ in rows]
        losses, conjugates, gradient = Fraction(0), Fraction(0), [Fraction(0)] * len(w)
        for (y, weight, entries), sign, k in zip(rows, signs, steps, strict=True):
            z, dual = Fraction(sign * (sum(Fraction(x) * w[j] for j, x in entries.items()) + b)), k * self.step
            losses += weight * phi(loss, z, y, delta)
            term = conjugate(loss, dual, weight, y, delta)
            conjugates = None if term is None or conjugates is None else conjugates + term
            for j, x in entries.items(): gradient[j] += dual * sign * Fraction(x)
        self.settle([w], losses, conjugates, [gradient], not sum(sign * k for sign, k in zip(signs, steps)))
        # The best intercept by bisection of the derivative.
        low, high = (Fraction(-800), Fraction(800)) if classes else (min(y for y, *_ in rows), max(y for y, *_ in rows))
        groups = {}
        for (y, weight, _), sign in zip(rows, signs):
            key = (sign, 0 if classes else y)
            groups[key] = groups.get(key, 0) + weight
        for _ in range(200 if self.free else 0):
            middle = (low + high) / 2
            slope = sum(weight * sign * derivative(loss, sign * middle, y, delta) for (sign, y), weight in groups.items())
            low, high = (middle, high) if slope < 0 else (low, middle)
        best = low if self.free else Fraction(0)
        self.reference = sum(weight * phi(loss, sign * best, y, delta) for (sign, y), weight in groups.items()) / self.total


class OfSoftmax(Facts):
    def __init__(self, certificate, exponent, steps, rows, columns, labels):
        super().__init__(certificate, exponent, steps, rows)
        count, columns = len(labels), [list(w) for w in columns]
        intercepts = [w.pop() * self.constant if self.free else 0 for w in columns]
        losses, conjugates, gradients = Fraction(0), Fraction(0), [[Fraction(0)] * len(w) for w in columns]
        sums, of_labels = [0] * count, [Fraction(0)] * count
        if len(steps) != count * len(rows): raise ValueError("number of dual values")
        for i, (y, weight, entries) in enumerate(rows):
            k, y = steps[i * count:(i + 1) * count], labels.index(y)
            z = [Fraction(sum(Fraction(x) * w[j] for j, x in entries.items()) + b) for w, b in zip(columns, intercepts)]
            losses += weight * softmax_loss(z, y)
            parts = [x * self.step / weight + (l == y) for l, x in enumerate(k)]
            if sum(k) or min(parts) < 0: conjugates = None
            if conjugates is not None: conjugates -= weight * entropy(parts)
            sums, of_labels[y] = [a + b for a, b in zip(sums, k)], of_labels[y] + weight
            for gradient, x in zip(gradients, k):
                for j, entry in entries.items(): gradient[j] += x * self.step * Fraction(entry)
        self.settle(columns, losses, conjugates, gradients, not any(sums))
        self.reference = entropy([w / self.total for w in of_labels] if self.free else [Fraction(1, count)] * count)


class Exact:
    """What is true of a file: of each problem, and of all together."""

    def __init__(self, said, rows):
        c = said.certificate
        labels = sorted({row.target for row in rows})
        extra = {} if c["bias"] != "regularized" else {int(c["features"]): float(c["constant"])}
        rows = [(Fraction(row.target), Fraction(row.weight), {**row.entries, **extra}) for row in rows]
        order = [float(x) for x in said.head["label"].split()] if "label" in said.head else []
        columns = [[Fraction(x) for x in column] for column in zip(*said.weights, strict=True)]
        if len(order) > 2:
            columns = [columns[order.index(label)] for label in labels]
        elif order and order[0] != labels[-1]:
            columns = [[-x for x in columns[0]]]
        if c["loss"] == "softmax":
            if len(columns) == 1: columns = [[-x / 2 for x in columns[0]], [x / 2 for x in columns[0]]]
            self.problems = [OfSoftmax(c, c["exponent"], said.steps[0], rows, columns, labels)]
        elif said.claims:
            self.problems = [OfSigns(c, claim["exponent"], steps, rows, w, label)
                             for claim, steps, w, label in zip(said.claims, said.steps, columns, labels, strict=True)]
        else:
            self.problems = [OfSigns(c, c["exponent"], said.steps[0], rows, columns[0] if columns else [], labels[-1])]
        bounds = [problem.bound for problem in self.problems]
        self.value, self.bound = sum(p.value for p in self.problems), None if None in bounds else sum(bounds)

    def gap(self, slack=0):
        gaps = [problem.gap(slack) for problem in self.problems]
        return None if None in gaps else max(gaps)


def stated_weights(certificate, rows):
    words = [float(word) for word in certificate.get("class_weights", "").split()]
    factors = dict(zip(words[::2], words[1::2]))
    return [row.own * factors.get(row.target, 1.0) for row in rows]


def falsehoods(said, rows, features, slack=-TINY):
    """What is false in the file, as a list of words. With slack > 0: what is not true by so much."""
    c, s, wrong = said.certificate, said.section, []
    if s:
        wrong += [key for key in ("loss", "bias") if s[key] != c[key]]
        wrong += [key for key in ("loss_parameter", "l2", "constant") if float(s[key]) != float(c[key])]
    constant = float(c["constant"]) if c["bias"] == "regularized" else None
    wrong += [] if stated_weights(c, rows) == [row.weight for row in rows] else ["class_weights"]
    facts = {"rows": len(rows), "features": features, "total_weight": math.fsum(row.weight for row in rows),
             "data": fingerprint(rows, features, constant)}
    wrong += [key for key, fact in facts.items() if type(fact)(c[key]) != fact]
    if int(said.head["nr_feature"]) != features: wrong.append("nr_feature")
    if len(said.weights) != features + (c["bias"] != "none"): wrong.append("number of weights")
    count = 1
    if c["loss"] in CLASSES:
        targets = [row.target for row in rows]
        labels = sorted(set(targets))
        count = len(labels) if len(labels) > 2 or c["loss"] == "softmax" else 1
        if len(labels) < 2 or sorted(float(x) for x in said.head["label"].split()) != labels: return wrong + ["label"]
        if int(said.head["nr_class"]) != len(labels): wrong.append("nr_class")
        counted = [str(targets.count(label)) for label in labels]
        words = s["labels"].split() if s else []
        if s and ([float(x) for x in words[:len(labels)]] != labels or words[len(labels):] != counted): wrong.append("labels")
    elif "label" in said.head or s and s["labels"] != "regression": wrong.append("label")
    if int(c.get("classes", 1)) != count or len(said.claims) != (count if count > 1 and c["loss"] != "softmax" else 0): wrong.append("classes")
    if any(len(line) != (count if count > 2 else 1) for line in said.weights): wrong.append("columns")
    if wrong: return wrong
    exact = Exact(said, rows)

    def judge(part, facts, gap_too=True):
        value, bound = float(part["value"]), float(part["lower_bound"])
        if value < math.inf and Fraction(value) < facts.value * (1 + slack): wrong.append("value")
        if bound > -math.inf and (facts.bound is None or Fraction(bound) > facts.bound * (1 - slack)): wrong.append("lower_bound")
        if facts.bound is None: return wrong.append("dual")
        if not gap_too: return None
        gap, claimed = facts.gap(max(slack, 0)), float(part["relative_gap"])
        if claimed < math.inf and (gap is None or Fraction(claimed) < gap * (1 + slack)): wrong.append("relative_gap")
    judge(c, exact)
    for claim, facts in zip(said.claims, exact.problems): judge(claim, facts)
    if s: judge(s, exact, gap_too=False)
    return wrong
