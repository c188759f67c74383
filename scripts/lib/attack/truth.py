"""What a model file says, and whether it is true: judged in exact fractions, logarithms in 100 digits.

Shares no code with geodescent or scripts/check.py. A claim is false if docs/reference/certificate.md, "The check",
does not follow from the file and the data in exact arithmetic.
"""
import dataclasses, decimal, hashlib, math, struct
from decimal import Decimal
from fractions import Fraction

from problem import TWO_CLASSES

decimal.setcontext(decimal.Context(prec=100, Emin=-10**9, Emax=10**9))
TINY = Fraction(1, 10**50)  # relative; far above the error of our logarithms, far below that of doubles
START = b"geodescent-certificate "
# What reading and judging raise where a file has lost its form.
NO_FORM = (ValueError, KeyError, IndexError, StopIteration, OverflowError, ZeroDivisionError, struct.error)


@dataclasses.dataclass
class Said:
    """A parsed file; head, section and certificate as dictionaries of text."""
    head: dict
    weights: list
    section: dict
    certificate: dict
    steps: list


def pairs(lines):
    return {key: rest for key, _, rest in (line.partition(" ") for line in lines)}


def read(content):
    place = 0 if content.startswith(START) else content.index(b"\n" + START) + 1
    model, certificate = content[:place].decode().replace("\r\n", "\n").split("\n"), content[place:]
    start = next(i for i, line in enumerate(model) if line.strip() == "w")
    end = next((i for i, line in enumerate(model) if line.startswith("geodescent-model ")), len(model))
    header, _, tail = certificate.partition(b"\ndual\n")
    said = pairs(header.decode().split("\n"))
    size, count = int(said["bytes_per_row"]), int(said["rows"])
    steps = [int.from_bytes(tail[i * size:(i + 1) * size], "little", signed=True) for i in range(count)]
    return Said(pairs(model[:start]), [float(x) for x in model[start + 1:end] if x.strip()], pairs(model[end:]), said, steps)


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


class Exact:
    """value, bound and reference of what is said; bound is None where the dual point proves nothing."""

    def __init__(self, said, rows):
        c, loss = said.certificate, said.certificate["loss"]
        free, delta, l2, constant = c["bias"] == "free", *(Fraction(float(c[key])) for key in ("loss_parameter", "l2", "constant"))
        labels = sorted({row.target for row in rows})
        flip = -1 if "label" in said.head and float(said.head["label"].split()[0]) != labels[-1] else 1
        w = [flip * Fraction(x) for x in said.weights]
        b = w.pop() * constant if free else 0
        extra = {} if c["bias"] != "regularized" else {int(c["features"]): float(c["constant"])}
        rows = [(Fraction(row.target), Fraction(row.weight), {**row.entries, **extra}) for row in rows]
        signs = [-1 if loss in TWO_CLASSES and y != labels[-1] else 1 for y, _, _ in rows]
        total, v = sum(weight for _, weight, _ in rows), [k * Fraction(2) ** int(c["exponent"]) for k in said.steps]
        self.value = l2 / 2 * sum(x * x for x in w)
        self.bound, gradient = Fraction(0), [Fraction(0)] * len(w)
        for (y, weight, entries), sign, dual in zip(rows, signs, v):
            z = Fraction(sign * (sum(Fraction(x) * w[j] for j, x in entries.items()) + b))
            self.value += weight * phi(loss, z, y, delta) / total
            term = conjugate(loss, dual, weight, y, delta)
            self.bound = None if term is None or self.bound is None else self.bound - term / total
            for j, x in entries.items():
                gradient[j] += dual * sign * Fraction(x) / total
        if self.bound is not None: self.bound = max(Fraction(0), self.bound - sum(g * g for g in gradient) / (2 * l2))
        if free and sum(sign * k for sign, k in zip(signs, said.steps)): self.bound = None
        # The best intercept by bisection of the derivative.
        low, high = (Fraction(-800), Fraction(800)) if loss in TWO_CLASSES else (min(y for y, *_ in rows), max(y for y, *_ in rows))
        groups = {}
        for (y, weight, _), sign in zip(rows, signs):
            key = (sign, y if loss not in TWO_CLASSES else 0)
            groups[key] = groups.get(key, 0) + weight
        for _ in range(200 if free else 0):
            middle = (low + high) / 2
            slope = sum(weight * sign * derivative(loss, sign * middle, y, delta) for (sign, y), weight in groups.items())
            low, high = (middle, high) if slope < 0 else (low, middle)
        best = low if free else Fraction(0)
        self.reference = sum(weight * phi(loss, sign * best, y, delta) for (sign, y), weight in groups.items()) / total

    def gap(self, slack=0):
        value, bound, reference = self.value * (1 + slack), self.bound * (1 - slack), self.reference * (1 - slack)
        return Fraction(0) if value == bound else (value - bound) / (reference - bound) if max(value, bound) < reference else None


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
    if c["loss"] in TWO_CLASSES:
        targets = [row.target for row in rows]
        labels = sorted(set(targets))
        if len(labels) != 2 or sorted(float(x) for x in said.head["label"].split()) != labels: return wrong + ["label"]
        counted = [str(targets.count(label)) for label in labels]
        words = s["labels"].split() if s else []
        if s and ([float(x) for x in words[:2]] != labels or words[2:] != counted): wrong.append("labels")
    elif "label" in said.head or s and s["labels"] != "regression": wrong.append("label")
    if wrong: return wrong
    exact = Exact(said, rows)
    for part in (c, s) if s else (c,):
        value, bound = float(part["value"]), float(part["lower_bound"])
        if value < math.inf and Fraction(value) < exact.value * (1 + slack): wrong.append("value")
        if bound > -math.inf and (exact.bound is None or Fraction(bound) > exact.bound * (1 - slack)): wrong.append("lower_bound")
    if exact.bound is None: return wrong + ["dual"]
    gap, claimed = exact.gap(max(slack, 0)), float(c["relative_gap"])
    if claimed < math.inf and (gap is None or Fraction(claimed) < gap * (1 + slack)): wrong.append("relative_gap")
    return wrong
