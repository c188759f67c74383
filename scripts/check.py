#!/usr/bin/env python3
"""Checks a geodescent model without geodescent. Exit code 0: the claim holds; 1: it is false, or its gap
is above --tol; 2: bad usage, or a file that is not read here; 4: the claim says nothing. Written from
certificate.md (cited as "cert: section"), model-format.md and data-format.md in docs alone.

A double is a whole number times a power of two, so nearly everything is computed exactly, as Python
integers and a common "shift" (number = integer / 2^shift). Rounded are only logarithms (1e-46) and
divisions by the weight of a row (2^-2200), always in the direction that proves less.
"""
import argparse, bz2, decimal, gzip, hashlib, lzma, math, pathlib, re, struct, sys, zlib
from collections import Counter, namedtuple
from decimal import Decimal
from fractions import Fraction
from operator import lt, mul

FINE = 2200                               # 2^-2200 is below the square of every double that is not 0
LOG_ERROR = Decimal("1e-46")              # bound on the error of what has a logarithm, see twice_loss, entropy
decimal.setcontext(decimal.Context(prec=50, Emin=-999999, Emax=999999))
TWO_CLASSES = ("logistic", "smoothed-hinge", "squared-hinge")
SOLVERS = {"logistic": "L2R_LR", "squared-hinge": "L2R_L2LOSS_SVC", "smoothed-hinge": "L2R_L2LOSS_SVC",
           "squared": "L2R_L2LOSS_SVR", "huber": "L2R_L2LOSS_SVR"}
HEADER = ("loss loss_parameter l2 bias constant rows total_weight features data value lower_bound "
          "relative_gap exponent bytes_per_row").split()
SECTION = "loss loss_parameter l2 labels bias constant index_base method status value lower_bound".split()
STATUSES = "converged precision_limit iteration_limit time_limit stopped_by_observer not_strongly_convex".split()
DOUBLES = "loss_parameter l2 constant total_weight value lower_bound relative_gap".split()
WHOLES = {"rows": (1, 2**48), "features": (0, 2**32 - 1), "nr_feature": (0, 2**32 - 1),
          "nr_class": (2, 2), "exponent": (-1074, 1023), "bytes_per_row": (1, 8), "index_base": (0, 1)}
PACKED = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\xfd7zXZ\0": lzma, b"]\0\0": lzma}
NOT_READ = {b"\x28\xb5\x2f\xfd": "compressed by zstd; decompress it with: zstd -d",
            b"\x89GDM": "binary data of 'geodescent convert'; give the text that they were made from"}
Row = namedtuple("Row", "target weight columns values")
class Refused(Exception): """The claim is false: exit code 1."""
class Unusable(Exception): """A file cannot be read, or has a form that is not read here: exit code 2."""

def require(condition, reason, kind=Refused):
    if not condition: raise kind(reason)
def usable(condition, place, reason): require(condition, f"{place}: {reason}", Unusable)

# ---- Numbers and files -------------------------------------------------------------------------
def double(text, name, place):
    nothing = (name, text) in (("lower_bound", "-inf"), ("relative_gap", "inf"))      # nothing is claimed
    plain = re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII) and math.isfinite(float(text))
    usable(nothing or plain, place, f"{name} is {text[:40]!a}, not a finite number")
    return float(text)
def whole(text, name, place):
    low, high = WHOLES[name]
    plain = re.fullmatch(r"-?\d{1,19}" if low < 0 else r"\d{1,19}", text, re.ASCII) and low <= int(text) <= high
    usable(plain, place, f"{name} is {text[:40]!a}, not a whole number from {low} to {high}")
    return int(text)

def items(lines, keys, path, start):      # lines 'key text' with these keys in this order, from line 'start' on
    said = {}
    for number, (line, key) in enumerate(zip(lines + [""] * len(keys), keys), start):
        usable(line.startswith(key + " "), f"{path}:{number}", f"{line[:40]!a} instead of '{key}' and its value")
        convert = double if key in DOUBLES else whole if key in WHOLES else lambda text, name, place: text
        said[key] = convert(line[len(key) + 1:], key, f"{path}:{number}")
    usable(len(lines) == len(keys), f"{path}:{start + len(keys)}", f"a line too much after '{keys[-1]}'")
    return said

def read(path):
    """A file, decompressed if its first bytes say so, whatever its name is."""
    try:
        content = pathlib.Path(path).read_bytes()
        for magic, remedy in NOT_READ.items(): usable(not content.startswith(magic), path, remedy)
        module = next((module for magic, module in PACKED.items() if content.startswith(magic)), None)
        return module.decompress(content) if module else content
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise Unusable(f"{path}: {getattr(error, 'strerror', None) or 'compressed data that are cut off or damaged'}")

def shift_of(numbers):                    # the smallest shift with which all these doubles are whole
    return max((x.as_integer_ratio()[1].bit_length() - 1 for x in numbers), default=0)
def scaled(x, shift):                     # exact where shift comes from shift_of
    numerator, denominator = x.as_integer_ratio()
    return (numerator << shift) // denominator

# ---- The certificate (cert: The file) and the model (model-format.md) --------------------------
def parts(content):                       # a model, and the certificate behind it or nothing
    model, found, rest = content.partition(b"\ngeodescent-certificate ")
    return model + found[:1], found[1:] + rest

def read_certificate(content, path):
    header, found, tail = content.partition(b"\ndual\n")
    first, *lines = header.decode("ascii", "replace").split("\n")
    usable(first == "geodescent-certificate 2" and found and len(header) <= 4090, path, "no whole header of version 2")
    stated = any(line.startswith("class_weights ") for line in lines)
    said = items(lines, HEADER[:5] + ["class_weights"] * stated + HEADER[5:], path, 2)
    numbers = [double(x, "class_weights", path) for x in said["class_weights"].split(" ")] if stated else []
    of = said["class_weights"] = dict(zip(numbers[::2], numbers[1::2]))
    paired = len(numbers) == 2 * len(of) <= 128 and list(of) == sorted(of) and min(of.values(), default=0) >= 0
    known = said["loss"] in SOLVERS and said["bias"] in ("none", "free", "regularized")
    suited = (said["loss_parameter"] > 0) == (said["loss"] == "huber") and min(said[key] for key in DOUBLES) >= 0
    usable(known and suited and paired and said["l2"] > 0 and said["constant"] > 0, path, "a value is not documented")
    size, length = said["bytes_per_row"], said["rows"] * said["bytes_per_row"]
    checksum = hashlib.sha256(content[:len(header) + len(found) + length + 1]).hexdigest()
    usable(tail[length:] == f"\nend sha256:{checksum}\n".encode(), path, "cut off or changed: wrong length or checksum")
    said["dual"] = [int.from_bytes(tail[i:i + size], "little", signed=True) for i in range(0, length, size)]
    require(all(abs(k) <= 2**53 for k in said["dual"]), "a number of the dual point is over 2^53 steps")
    return said

def read_model(content, path):
    lines = re.split("\r?\n", content.decode("ascii", "replace"))
    usable("w " in lines, path, "not a model of geodescent; only geodescent verify judges models of LIBLINEAR")
    usable(lines[-2:] == ["end", ""], path, "cut off: no 'end' before the certificate or at the end of the model")
    begin = lines.index("w ") + 1
    label = ["label"] if begin == 6 else []       # absent for a regression
    top = items(lines[:begin - 1], ["solver_type", "nr_class"] + label + ["nr_feature", "bias"], path, 1)
    end = begin + top["nr_feature"] + (top["bias"] != "-1")
    usable(lines[end:end + 1] == ["geodescent-model 2"], f"{path}:{end + 1}", "no 'geodescent-model 2'")
    said = items(lines[end + 1:-2], SECTION, path, end + 2)
    weights = [double(x.removesuffix(" "), "weight", f"{path}:{n}") for n, x in enumerate(lines[begin:end], begin + 1)]
    usable(double(top["bias"], "bias", path) == (-1 if said["bias"] == "none" else said["constant"]), path,
           "bias and constant contradict each other")
    usable(top["solver_type"] == SOLVERS.get(said["loss"]), f"{path}:1", "solver_type is not that of the loss")
    usable(said["status"] in STATUSES and re.fullmatch("[a-z-]+", said["method"]), path, "unknown status or method")
    words = said["labels"].split(" ")     # negative label, positive label, rows of each
    suited = len(words) == 4 and words[1::-1] == top["label"].split(" ") if label else words == ["regression"]
    usable(suited and bool(label) == (said["loss"] in TWO_CLASSES), path, "label, labels and loss do not agree")
    if label:
        said["labels"] = [double(x, "label", path) for x in words[:2]] + [whole(x, "rows", path) for x in words[2:]]
        usable(said["labels"][0] < said["labels"][1], path, "the smaller label is not the first of labels")
    said.update(features=top["nr_feature"], weights=weights)
    return said

# ---- The data (data-format.md) -----------------------------------------------------------------
def lines_of(path):                       # place and words of the lines that are not blank, without comments
    lines = enumerate(read(path).removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n"), 1)
    return [(f"{path}:{n}", words) for n, line in lines if (words := line.partition("#")[0].split())]

def read_rows(path, weight_file, class_weights, base, features):
    """LIBSVM text. To read leniently is harmless: the fingerprint fixes what has been read."""
    def number(text, name, place): return double(text.removeprefix("+"), name, place) + 0.0     # -0 counts as 0
    rows, lines = [], lines_of(path)
    weights = [number(" ".join(x), "weight", n) for n, x in lines_of(weight_file)] if weight_file else [1] * len(lines)
    usable(min(weights, default=0) >= 0, weight_file, "a weight is below 0")
    usable(0 < len(lines) == len(weights), path, f"{len(lines)} rows, with {len(weights)} row weights")
    for (place, (label, *words)), weight in zip(lines, weights):
        pairs = [word.partition(":") for word in words if not word.startswith("qid:")]          # qid has no effect
        for j, _, x in pairs: usable(j.isdecimal() and len(j) < 20, place, f"{j[:40]!a} is not an index before a value")
        pairs = [(int(j) - base, number(x, "value", place)) for j, _, x in pairs]
        columns = [-1] + [j for j, _ in pairs] + [features]
        usable(all(map(lt, columns, columns[1:])), place, f"indices must increase from {base}, in {features} features")
        pairs, target = [pair for pair in pairs if pair[1] != 0], number(label, "label", place)
        rows.append(Row(target, weight * class_weights.get(target, 1), *map(tuple, zip(*pairs)) if pairs else ((), ())))
    usable(class_weights.keys() <= {row.target for row in rows}, path, "a label of class_weights is not in the data")
    return [row for row in rows if row.weight]          # rows of weight 0 do not exist

def fingerprint(rows, columns):           # cert: The fingerprint of the data
    parts = [struct.pack("<QQ", len(rows), columns)]
    for begin in range(0, len(rows), 256):
        block = hashlib.sha256()
        for row in rows[begin:begin + 256]:
            n, ones = len(row.columns), all(value == 1 for value in row.values)
            block.update(struct.pack(f"<ddQ{n}I", row.target, row.weight, n + (ones << 63), *row.columns))
            block.update(b"" if ones else struct.pack(f"<{n}d", *row.values))
        parts.append(block.digest())
    return "sha256:" + hashlib.sha256(b"".join(parts)).hexdigest()

# ---- Losses (cert: Why the lower bound is one, the table) --------------------------------------
def entropy(part, total):
    """At most -x log x - (1-x) log (1-x) for x = part/total from 0 to 1, in units of 2^-FINE.
    With a relative error d < 1e-49 of x and of each operation, log x is wrong by 2 d + d |log x|,
    x log x by 2 d x + 3 d |x log x| < 4 d, and the sum of both by less than LOG_ERROR. 0 log 0 = 0."""
    x = [Decimal(p) / Decimal(total) for p in (part, total - part) if p]
    return max(0, math.floor(Fraction(sum(-p * p.ln() for p in x) - LOG_ERROR) * 2**FINE))

def twice_loss(loss, m, one, delta):
    """At least 2 phi in units of one^-2. m: margin, or z - y for a regression, in units of 1/one."""
    if loss == "logistic":                # log(1 + exp(-m)) = max(0, -m) + log(1 + exp(-|m|))
        # 50 digits, exp and ln correctly rounded: |m| <= 200 is wrong by 1e-47, and slopes are at most 1.
        tail = (1 + (-min(Decimal(abs(m)) / Decimal(one), Decimal(200))).exp()).ln() + LOG_ERROR
        return 2 * (max(0, -m) * one + math.ceil(Fraction(tail) * one * one))
    if loss == "smoothed-hinge" and m <= 0: return one * (one - 2 * m)
    if loss in TWO_CLASSES: return max(0, one - m) ** 2
    if loss == "huber" and abs(m) > delta: return delta * (2 * abs(m) - delta)
    return m * m                          # squared, and huber near its target

def dual_term(loss, v, c, target, parameter):
    """At most -phi*(v/c), in units of 2^-FINE; v and c are in the same unit."""
    low, high = {"squared": (-math.inf, math.inf), "squared-hinge": (-math.inf, 0),
                 "huber": (-c * parameter, c * parameter)}.get(loss, (-c, 0))
    require(low <= v <= high, "a number of the dual point is out of the range of the loss")
    if loss == "logistic": return entropy(-v, c)
    y, unit = (1, 1) if loss in TWO_CLASSES else target.as_integer_ratio()
    return (-(2 * v * y * c + v * v * unit) << FINE) // (2 * c * c * unit)       # // rounds down

def best_constant(loss, targets, weights, delta):
    """The b that minimises the sum of c phi(b - y), exactly, as numerator and denominator."""
    if loss == "squared": return sum(map(mul, weights, targets)), sum(weights)
    # Huber: the derivative rises with slope c for each target that is closer to b than delta.
    steps = sorted((y + side * delta, -side * c) for y, c in zip(targets, weights) for side in (-1, 1))
    derivative, slope, place = -delta * sum(weights), 0, steps[0][0]
    for step, change in steps:
        derivative += slope * (step - place)
        if derivative >= 0: return step * slope - derivative, slope      # its zero is between place and step
        slope, place = slope + change, step

def reference(loss, rows, positive, weights, free, parameter):
    """At most the smallest f without features (cert: What is proven)."""
    if loss in TWO_CLASSES:               # b = 0 is the best intercept for classes of the same size
        p, both = sum(c for c, row in zip(weights, rows) if row.target == positive), sum(weights)
        p, both = (p, both) if free else (1, 2)
        if loss == "logistic": return Fraction(entropy(p, both), 1 << FINE)
        q, p = sorted((Fraction(p, both), 1 - Fraction(p, both)))
        # Minimum of p phi(b) + q phi(-b), p >= q: at b = p - q for squared-hinge, else at b = 1 - q/p.
        return 2 * p * q if loss == "squared-hinge" else 3 * q / 2 - q * q / (2 * p)
    shift = shift_of([row.target for row in rows] + [parameter])
    targets, delta = [scaled(row.target, shift) for row in rows], scaled(parameter, shift)
    b, unit = best_constant(loss, targets, weights, delta) if free else (0, 1)
    losses = [twice_loss(loss, b - y * unit, unit << shift, delta * unit) for y in targets]
    return Fraction(sum(map(mul, weights, losses)), 2 * sum(weights) * (unit << shift) ** 2)

# ---- The proof (cert: What is proven, Why the lower bound is one) ------------------------------
def prove(model, certificate, rows):
    """An upper bound on f at the model, and lower bounds on every f and on the reference."""
    loss, parameter, l2 = model["loss"], model["loss_parameter"], Fraction(model["l2"])
    free, positive = model["bias"] == "free", model["labels"][1]       # no label for a regression
    signs = [-1 if loss in TWO_CLASSES and row.target != positive else 1 for row in rows]
    step = certificate["exponent"]        # v = k 2^step gets the same shift as the weights of rows
    row_shift = max(shift_of({row.weight for row in rows}), -step)
    row_weights = [scaled(row.weight, row_shift) for row in rows]
    duals = [k << (step + row_shift) for k in certificate["dual"]]
    require(not free or sum(map(mul, duals, signs)) == 0, "the dual point does not sum to 0")
    distinct = {value for row in rows for value in row.values} | {model["constant"]}
    data_shift, weight_shift = shift_of(distinct), shift_of(model["weights"])
    integer = {value: scaled(value, data_shift) for value in distinct}
    w = [scaled(x, weight_shift) for x in model["weights"]]
    intercept = w.pop() * integer[model["constant"]] if free else 0    # it is not regularised
    # The unit of margins is that of all their parts, and fine enough for logarithms.
    shift = max(data_shift + weight_shift, shift_of([parameter] + [row.target for row in rows]), 128)
    up, delta = shift - data_shift - weight_shift, scaled(parameter, shift)
    loss_sum, dual_sum, gradient = 0, 0, [0] * len(w)    # gradient: the sum of v s a
    for row, sign, c, v in zip(rows, signs, row_weights, duals):
        values = [integer[value] for value in row.values]
        z = sum(map(mul, values, [w[j] for j in row.columns])) + intercept << up
        m = sign * z if loss in TWO_CLASSES else z - scaled(row.target, shift)
        loss_sum += c * twice_loss(loss, m, 1 << shift, delta)
        dual_sum += c * dual_term(loss, v, c, row.target, Fraction(parameter))
        for j, value in zip(row.columns, values): gradient[j] += sign * v * value
    total = sum(row_weights)
    value = Fraction(loss_sum, total << 2 * shift + 1) + l2 / 2 * Fraction(sum(x * x for x in w), 4**weight_shift)
    square = Fraction(sum(x * x for x in gradient), (total << data_shift) ** 2)
    bound = max(Fraction(dual_sum, total << FINE) - square / (2 * l2), Fraction(0))
    return value, bound, reference(loss, rows, positive, row_weights, free, parameter)

def check_data(model, certificate, rows): # returns the rows, with the constant feature if there is one
    require(len(rows) == certificate["rows"], "the number of rows differs")
    labels, found = model["labels"], Counter(row.target for row in rows)
    require(labels in ("regression", [*sorted(found), *(found[x] for x in sorted(found))]), "labels or counts differ")
    require(math.fsum(row.weight for row in rows) == certificate["total_weight"], "other --row-weights in the training")
    extra = model["bias"] == "regularized"                       # cert: it is the last column
    last, constant = (model["features"],) * extra, (model["constant"],) * extra
    rows = [Row(row.target, row.weight, row.columns + last, row.values + constant) for row in rows]
    require(fingerprint(rows, model["features"] + extra) == certificate["data"], "the data are others")
    return rows

def outward(x, rounding):
    context = decimal.Context(prec=17, rounding=rounding)
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator))) if x < math.inf else "inf"

def check(model, certificate, rows, tolerance):
    for key in ("loss", "loss_parameter", "l2", "bias", "constant", "features"):     # cert: The check, 2
        require(model[key] == certificate[key], f"{key} differs between model and certificate")
    value, bound, best = prove(model, certificate, check_data(model, certificate, rows))
    # cert, last paragraph: infinite for a model that is not shown to be better than one without features
    gap = 0 if value == bound else (value - bound) / (best - bound) if max(value, bound) < best else math.inf
    texts = outward(value, "ROUND_CEILING"), outward(bound, "ROUND_FLOOR"), outward(gap, "ROUND_CEILING")
    for name, said in (("model", model), ("certificate", certificate)):
        require(value <= said["value"], f"the value is {texts[0]}, more than the {name} claims")
        require(bound >= said["lower_bound"], f"the lower bound is {texts[1]}, less than the {name} claims")
    require(gap <= certificate["relative_gap"], f"the gap is {texts[2]}, more than the certificate claims")
    require(tolerance is None or gap <= tolerance, f"the gap is {texts[2]}, more than --tol {tolerance}")
    verdict = "says nothing" if tolerance is None and certificate["relative_gap"] == math.inf else "holds"
    return verdict + ": value at most {}, minimum at least {}, gap at most {}".format(*texts)

def main(arguments):
    parser = argparse.ArgumentParser("check.py", None, __doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tol", metavar="T", type=float, help="also requires that the relative gap is at most T")
    parser.add_argument("--row-weights", metavar="FILE", help="weights of rows, one a line, without those of classes")
    for name, count in ("DATA", None), ("MODEL", None), ("CERTIFICATE", "?"): parser.add_argument(name, nargs=count)
    given = parser.parse_intermixed_args(arguments)
    if not 0 <= (given.tol or 0) < math.inf: parser.error("--tol takes a number of at least 0")
    try:
        (content, certificate), place = parts(read(given.MODEL)), given.MODEL + " (certificate)"
        model = read_model(content, given.MODEL)
        if given.CERTIFICATE or not certificate:
            place = given.CERTIFICATE or given.MODEL + ".cert"
            certificate = parts(b"\n" + read(place))[1]
        said = read_certificate(certificate, place)
        rows = read_rows(given.DATA, given.row_weights, said["class_weights"], model["index_base"], model["features"])
        print(verdict := check(model, said, rows, given.tol))
        return 0 if verdict.startswith("holds") else 4
    except Refused as refusal:
        print(f"does not hold: {refusal}")
        return 1
    except (Unusable, MemoryError, OverflowError) as error:
        print("check.py:", error if type(error) is Unusable else "too large for memory or a double", file=sys.stderr)
        return 2

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
