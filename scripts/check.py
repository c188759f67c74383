#!/usr/bin/env python3
"""Checks a geodescent model, independently of geodescent: check.py DATA MODEL [CERTIFICATE]

With --row-weights FILE before DATA: one number for each row. Exit code 0: the claim holds; 1: it does
not; 2: bad usage, or a file cannot be read; 4: it says nothing. Written from docs/certificate.md (cited as "cert: section")
and docs/model-format.md alone.

A double is a whole number times a power of two, so nearly everything is computed exactly, as Python
integers and a common "shift" (number = integer / 2^shift). Rounded are only logarithms (1e-46) and
divisions by the weight of a row (2^-2200), always in the direction that proves less.
"""
import bz2, decimal, gzip, hashlib, lzma, math, pathlib, re, struct, sys, zlib
from collections import Counter, namedtuple
from decimal import Decimal
from fractions import Fraction
from operator import mul

FINE = 2200                               # 2^-2200 is below the square of every double that is not 0
LOG_ERROR = Decimal("1e-46")              # bound on the error of what has a logarithm, see twice_loss, entropy
decimal.setcontext(decimal.Context(prec=50, Emin=-999999, Emax=999999))
TWO_CLASSES = ("logistic", "smoothed-hinge", "squared-hinge")
SOLVERS = {"logistic": "L2R_LR", "squared-hinge": "L2R_L2LOSS_SVC", "smoothed-hinge": "L2R_L2LOSS_SVC",
           "squared": "L2R_L2LOSS_SVR", "huber": "L2R_L2LOSS_SVR"}
HEADER = ("loss loss_parameter l2 bias constant rows total_weight features data value lower_bound "
          "relative_gap exponent bytes_per_row")
SECTION = "loss loss_parameter l2 labels bias constant index_base method status value lower_bound"
STATUSES = "converged precision_limit iteration_limit time_limit stopped_by_observer not_strongly_convex".split()
DOUBLES = "loss_parameter l2 constant total_weight value lower_bound relative_gap".split()
WHOLES = {"rows": (1, 2**62), "features": (0, 2**32 - 1), "nr_feature": (0, 2**32 - 1),
          "nr_class": (2, 2), "exponent": (-1074, 1023), "bytes_per_row": (1, 8), "index_base": (0, 1)}
Row = namedtuple("Row", "target weight columns values")
class Refused(Exception): """The claim does not hold, or a file does not say what it must."""

def require(condition, reason):
    if not condition: raise Refused(reason)

# ---- Numbers and files -------------------------------------------------------------------------
def double(text, name):
    nothing = (name, text) in (("lower_bound", "-inf"), ("relative_gap", "inf"))      # nothing is claimed
    plain = re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text, re.ASCII) and math.isfinite(float(text))
    require(nothing or plain, f"{name} is {text!r}, no finite number")
    return float(text)

def whole(text, name):
    low, high = WHOLES[name]
    plain = re.fullmatch(r"0|-?[1-9]\d{0,18}", text, re.ASCII) and low <= int(text) <= high
    require(plain, f"{name} is {text!r}, no whole number from {low} to {high}")
    return int(text)

def items(lines, keys, where):
    """Lines 'key text' with exactly these keys in this order, as a dictionary."""
    require(len(lines) == len(keys), f"{where}: {len(lines)} lines where {len(keys)} must stand")
    said = {}
    for line, key in zip(lines, keys):
        require(line.startswith(key + " "), f"{where}: {line!r} where '{key}' must stand")
        convert = double if key in DOUBLES else whole if key in WHOLES else lambda text, name: text
        said[key] = convert(line[len(key) + 1:], key)
    return said

def read(path):
    """A file, decompressed if its first bytes say so, whatever its name is."""
    content = pathlib.Path(path).read_bytes()
    for magic, module in ((b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ\0", lzma)):
        if content.startswith(magic): return module.decompress(content)
    return content

def shift_of(numbers):
    """The smallest shift with which all these doubles are whole."""
    return max((x.as_integer_ratio()[1].bit_length() - 1 for x in numbers), default=0)

def scaled(x, shift):
    numerator, denominator = x.as_integer_ratio()
    return (numerator << shift) // denominator    # exact where shift comes from shift_of

# ---- The certificate (cert: The file) and the model (model-format.md) --------------------------
def parts(content):                       # a model, and the certificate behind it or nothing
    model, found, rest = content.partition(b"\ngeodescent-certificate ")
    return model + found[:1], found[1:] + rest

def read_certificate(content):
    header, found, tail = content.partition(b"\ndual\n")
    first, *lines = header.decode("ascii", "replace").split("\n")
    require(found and first == "geodescent-certificate 2", "certificate: not of version 2, or cut off")
    said = items(lines, HEADER.split(), "certificate")
    require(said["lower_bound"] >= 0, "certificate: lower_bound is negative")
    size, length = said["bytes_per_row"], said["rows"] * said["bytes_per_row"]
    checksum = hashlib.sha256(content[:len(header) + len(found) + length + 1]).hexdigest()
    require(tail[length:] == f"\nend sha256:{checksum}\n".encode(), "certificate: wrong length or checksum")
    said["dual"] = [int.from_bytes(tail[i:i + size], "little", signed=True) for i in range(0, length, size)]
    require(all(abs(k) <= 2**53 for k in said["dual"]), "certificate: a dual step is over 2^53")
    return said

def read_model(content):
    lines = content.decode("ascii", "replace").split("\n")
    require(lines[-2:] == ["end", ""] and "w " in lines, "model: no 'w ' announces our section, or no end")
    begin = lines.index("w ") + 1
    label = ["label"] if begin == 6 else []       # absent for a regression
    top = items(lines[:begin - 1], ["solver_type", "nr_class"] + label + ["nr_feature", "bias"], "model")
    end = begin + top["nr_feature"] + (top["bias"] != "-1")
    require(lines[end:end + 1] == ["geodescent-model 2"], "model: nr_feature or version is wrong")
    require(all(line.endswith(" ") for line in lines[begin:end]), "model: a weight without its blank")
    said = items(lines[end + 1:-2], SECTION.split(), "model")
    said.update(weights=[double(line[:-1], "weight") for line in lines[begin:end]],
                features=top["nr_feature"], solver_type=top["solver_type"])
    require(double(top["bias"], "bias") == (-1 if said["bias"] == "none" else said["constant"]),
            "model: bias and constant contradict each other")
    parts = said["labels"].split(" ")     # negative label, positive label, rows of each
    require(parts[1::-1] == top["label"].split(" ") if label else parts == ["regression"], "model: wrong labels")
    if label:
        said["labels"] = [double(x, "label") for x in parts[:2]] + [whole(x, "rows") for x in parts[2:]]
        require(len(parts) == 4 and said["labels"][0] < said["labels"][1], "model: wrong labels")
    return said

# ---- The data ----------------------------------------------------------------------------------
def read_rows(content, base, features, row_weights):
    """LIBSVM text. To read leniently is harmless: the fingerprint fixes what has been read."""
    rows, lines = [], [line.partition(b"#")[0].split() for line in content.split(b"\n")]
    lines = [fields for fields in lines if fields]
    require(row_weights is None or len(row_weights) == len(lines), "there are not as many row weights as rows")
    for fields, weight in zip(lines, row_weights or [1.0] * len(lines)):
        pairs = [field.split(b":") for field in fields[1:]]
        pairs = [(int(column) - base, float(value)) for column, value in pairs if float(value) != 0]
        columns, values = tuple([pair[0] for pair in pairs]), tuple([pair[1] for pair in pairs])
        target = float(fields[0]) + 0.0   # + 0.0: -0 counts as 0
        require(all(map(math.isfinite, values + (target, weight))) and weight >= 0, "data: nan or inf")
        require(all(a < b for a, b in zip((-1,) + columns, columns + (features,))), "data: wrong column")
        rows += [Row(target, weight, columns, values)] if weight else []     # rows of weight 0 do not exist
    return rows

def fingerprint(rows, columns):
    """cert: The fingerprint of the data."""
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
    if loss == "logistic":
        return entropy(-v, c)
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
        if derivative >= 0:               # its zero is between place and step
            return step * slope - derivative, slope
        slope, place = slope + change, step

def reference(loss, rows, positive, weights, free, parameter):
    """At most the smallest f without features (cert: What is proven)."""
    if loss in TWO_CLASSES:               # b = 0 is the best intercept for classes of the same size
        p, both = sum(c for c, row in zip(weights, rows) if row.target == positive), sum(weights)
        p, both = (p, both) if free else (1, 2)
        if loss == "logistic":
            return Fraction(entropy(p, both), 1 << FINE)
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
        for j, value in zip(row.columns, values):
            gradient[j] += sign * v * value
    total = sum(row_weights)
    value = Fraction(loss_sum, total << 2 * shift + 1) + l2 / 2 * Fraction(sum(x * x for x in w), 4**weight_shift)
    square = Fraction(sum(x * x for x in gradient), (total << data_shift) ** 2)
    bound = max(Fraction(dual_sum, total << FINE) - square / (2 * l2), Fraction(0))
    return value, bound, reference(loss, rows, positive, row_weights, free, parameter)

def check_agreement(model, certificate):
    """cert: What each check catches. What is not proven below must be the same in both files."""
    for key in ("loss", "loss_parameter", "l2", "bias", "constant", "features"):
        require(model[key] == certificate[key], f"{key} differs between model and certificate")
    loss, parameter = model["loss"], model["loss_parameter"]
    require(SOLVERS.get(loss) == model["solver_type"], "the loss is unknown, or solver_type is not its own")
    require((loss in TWO_CLASSES) == (model["labels"] != "regression"), "the labels do not suit the loss")
    require(parameter > 0 if loss == "huber" else parameter == 0, "loss_parameter does not suit the loss")
    require(model["bias"] in ("none", "free", "regularized"), "unknown kind of bias")
    require(model["l2"] > 0 and model["constant"] > 0, "l2 or constant is not over 0")
    # Nothing more can be proven about how and why the method stopped: the tolerance is not in the files.
    require(model["status"] in STATUSES and re.fullmatch("[a-z-]+", model["method"]), "status or method is wrong")

def check_data(model, certificate, rows):
    """Returns the rows, with the constant feature if there is one."""
    require(len(rows) == certificate["rows"], "the number of rows differs")
    if model["labels"] != "regression":
        counts = dict(zip(model["labels"][:2], model["labels"][2:]))
        require(Counter(row.target for row in rows) == counts, "the labels of the data or their counts differ")
    require(math.fsum(row.weight for row in rows) == certificate["total_weight"], "total_weight differs")
    extra = 1 if model["bias"] == "regularized" else 0           # cert: it is the last column
    last, constant = (model["features"],) * extra, (model["constant"],) * extra
    rows = [Row(row.target, row.weight, row.columns + last, row.values + constant) for row in rows]
    require(fingerprint(rows, model["features"] + extra) == certificate["data"], "the data are others")
    return rows

def outward(x, rounding):
    context = decimal.Context(prec=17, rounding=rounding)
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator))) if x < math.inf else "inf"

def check(data, model, certificate, row_weights):
    model, certificate = read_model(model), read_certificate(certificate)
    check_agreement(model, certificate)
    rows = read_rows(data, model["index_base"], model["features"], row_weights)
    value, bound, best = prove(model, certificate, check_data(model, certificate, rows))
    # cert, last paragraph: infinite for a model that is not shown to be better than one without features
    gap = 0 if value == bound else (value - bound) / (best - bound) if max(value, bound) < best else math.inf
    texts = outward(value, "ROUND_CEILING"), outward(bound, "ROUND_FLOOR"), outward(gap, "ROUND_CEILING")
    for name, said in (("model", model), ("certificate", certificate)):
        require(value <= said["value"], f"the value is {texts[0]}, more than the {name} claims")
        require(bound >= said["lower_bound"], f"the lower bound is {texts[1]}, less than the {name} claims")
    require(gap <= certificate["relative_gap"], f"the gap is {texts[2]}, more than the certificate claims")
    verdict = "holds" if certificate["relative_gap"] < math.inf else "says nothing"
    return verdict + ": value at most {}, minimum at least {}, gap at most {}".format(*texts)

def main(arguments):
    row_weights = None
    try:
        if arguments[:1] == ["--row-weights"]:
            row_weights, arguments = [float(text) for text in read(arguments[1]).split()], arguments[2:]
        if not 2 <= len(arguments) <= 3:
            raise ValueError("usage: check.py [--row-weights FILE] DATA MODEL [CERTIFICATE]")
        model, certificate = parts(read(arguments[1]))
        if len(arguments) == 3 or not certificate:
            content = read((arguments + [arguments[1] + ".cert"])[2])
            certificate = parts(content)[1] or content
        print(verdict := check(read(arguments[0]), model, certificate, row_weights))
        return 0 if verdict.startswith("holds") else 4
    except Refused as refusal:
        print(f"does not hold: {refusal}")
        return 1
    except (OSError, EOFError, ValueError, IndexError, OverflowError, MemoryError, lzma.LZMAError, zlib.error) as error:
        print(f"check.py: {error}", file=sys.stderr)
        return 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
