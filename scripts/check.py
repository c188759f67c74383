#!/usr/bin/env python3
"""Checks a geodescent model without geodescent. Exit code 0: the claim holds; 1: it is false, or its
relative gap is above --tol; 2: bad usage, or a file that is not read here; 4: the claim says nothing.
Written from certificate.md (cited as "cert: section"), model-format.md and data-format.md in docs alone.
This file reads, compares and decides; check_proof.py, in the same folder, computes.
"""
import argparse, bz2, decimal, gzip, hashlib, lzma, math, pathlib, re, struct, sys, zlib
from collections import Counter, namedtuple
from decimal import Decimal
from operator import lt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
try:
    from check_proof import TWO_CLASSES, Refused, Unusable, prove, prove_softmax, require
except ImportError:
    print("check.py: check_proof.py is missing; it must be in the folder of check.py", file=sys.stderr)
    sys.exit(2)

SOLVERS = {"softmax": "L2R_LR", "logistic": "L2R_LR",
           "squared-hinge": "L2R_L2LOSS_SVC", "smoothed-hinge": "L2R_L2LOSS_SVC",
           "squared": "L2R_L2LOSS_SVR", "huber": "L2R_L2LOSS_SVR"}
HEADER = ("loss loss_parameter l2 bias constant rows total_weight features data value lower_bound "
          "relative_gap").split()
CLAIM = "value lower_bound relative_gap exponent bytes_per_value".split()       # a line 'class' of version 3
SECTION = "loss loss_parameter l2 labels bias constant index_base method status value lower_bound".split()
STATUSES = "converged precision_limit iteration_limit time_limit stopped_by_observer not_strongly_convex".split()
DOUBLES = "loss_parameter l2 constant total_weight value lower_bound relative_gap".split()
WHOLES = {"rows": (1, 2**48), "features": (0, 2**32 - 1), "nr_feature": (0, 2**32 - 1),
          "nr_class": (2, 65536), "classes": (2, 65536), "exponent": (-1074, 1023), "bytes_per_row": (1, 8),
          "bytes_per_value": (1, 8), "index_base": (0, 1)}
PACKED = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\xfd7zXZ\0": lzma, b"]\0\0": lzma}
NOT_READ = {b"\x28\xb5\x2f\xfd": "compressed by zstd; decompress it with: zstd -d",
            b"\x89GDM": "binary data of 'geodescent convert'; give the text that they were made from"}
Row = namedtuple("Row", "target weight columns values")
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
    usable(len(lines) == len(keys), f"{path}:{start + len(keys)}", f"unexpected line after '{keys[-1]}'")
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

# ---- The certificate (cert: The file) and the model (model-format.md) --------------------------
def parts(content):                       # a model, and the certificate behind it or nothing
    model, found, rest = content.partition(b"\ngeodescent-certificate ")
    return model + found[:1], found[1:] + rest

def read_claim(line, place):              # a line 'class'
    words = line.split(" ")[1:]
    usable(len(words) == len(CLAIM), place, f"{line[:40]!a} instead of a class and its {len(CLAIM)} numbers")
    return items([f"{key} {word}" for key, word in zip(CLAIM, words)], CLAIM, place, 0)

def read_certificate(content, path):
    header, found, tail = content.partition(b"\ndual\n")
    first, *lines = header.decode("ascii", "replace").split("\n")
    several = first == "geodescent-certificate 3"         # columns in the model, with K claims or a joint loss
    claims = [read_claim(line, path) for line in lines if several and line.startswith("class ")]
    count = next((int(line[8:]) for line in lines if several and re.fullmatch(r"classes \d{1,5}", line)), 0)
    known = several or first == "geodescent-certificate 2"
    usable(not first.endswith("\r"), path, "lines end with CRLF: a transfer as text changed the file; copy it as binary")
    usable(known and found and len(header) <= 4090 + 128 * count, path, "not a certificate of version 2 or 3, or cut off")
    stated = any(line.startswith("class_weights ") for line in lines)
    keys = HEADER[:5] + ["class_weights"] * stated + ["classes"] * several + HEADER[5:]
    keys += ["class"] * len(claims) or ["exponent", "bytes_per_value" if several else "bytes_per_row"]
    said = items(lines, keys, path, 2)
    numbers = [double(x, "class_weights", path) for x in said["class_weights"].split(" ")] if stated else []
    of = said["class_weights"] = dict(zip(numbers[::2], numbers[1::2]))
    paired = len(numbers) == 2 * len(of) <= 128 and list(of) == sorted(of) and min(of.values(), default=0) >= 0
    known = said["loss"] in SOLVERS and said["bias"] in ("none", "free", "regularized")
    suited = (said["loss_parameter"] > 0) == (said["loss"] == "huber") and min(said[key] for key in DOUBLES) >= 0
    joint, count = said["loss"] == "softmax", said.get("classes", 1)
    one_against_rest = len(claims) == count > 2 and said["loss"] in TWO_CLASSES
    formed = several and not claims if joint else one_against_rest or not several
    usable(known and suited and formed and paired and said["l2"] > 0 and said["constant"] > 0
           and said["rows"] * count <= 2**48, path, "a value is not documented")
    said["claims"] = claims or [{**said, "bytes_per_value": said[keys[-1]]}]
    values = said["rows"] * (count if joint else 1)       # of a dual point
    length = values * sum(claim["bytes_per_value"] for claim in said["claims"])
    checksum = hashlib.sha256(content[:len(header) + len(found) + length + 1]).hexdigest()
    usable(tail[length:] == f"\nend sha256:{checksum}\n".encode(), path, "cut off or changed: wrong length or checksum")
    for claim in said["claims"]:
        usable(min(claim[key] for key in CLAIM[:3]) >= 0, path, "a value is not documented")
        size = claim["bytes_per_value"]
        mine, tail = tail[:values * size], tail[values * size:]
        claim["dual"] = [int.from_bytes(mine[i:i + size], "little", signed=True) for i in range(0, len(mine), size)]
        require(all(abs(k) <= 2**53 for k in claim["dual"]), "a number of the dual point is over 2^53 steps")
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
    columns = top["nr_class"] if top["nr_class"] > 2 else 1
    rows = [(n, line.removesuffix(" ").split(" ")) for n, line in enumerate(lines[begin:end], begin + 1)]
    for n, words in rows: usable(len(words) == columns, f"{path}:{n}", f"{len(words)} numbers instead of {columns}")
    rows = [[double(x, "weight", f"{path}:{n}") for x in words] for n, words in rows]
    usable(double(top["bias"], "bias", path) == (-1 if said["bias"] == "none" else said["constant"]), path,
           "bias and constant contradict each other")
    usable(said["loss"] in SOLVERS, f"{path}:{end + 2}", f"the loss {said['loss']} is not known here")
    usable(top["solver_type"] == SOLVERS[said["loss"]], f"{path}:1", "solver_type is not that of the loss")
    usable(said["status"] in STATUSES and re.fullmatch("[a-z-]+", said["method"]), path, "unknown status or method")
    words = said["labels"].split(" ")     # labels in increasing order, rows of each
    names = words[:len(words) // 2]       # two labels have the larger one first in the line 'label'
    suited = len(names) == top["nr_class"] == len(words) / 2 and (names if columns > 1 else names[::-1]) == \
        top["label"].split(" ") if label else words == ["regression"] and columns == 1
    usable(suited and bool(label) == (said["loss"] in TWO_CLASSES + ("softmax",)), path,
           "label, labels and loss do not agree")
    if label:
        values = [double(x, "label", path) for x in names]
        said["labels"] = values + [whole(x, "rows", path) for x in words[len(names):]]
        usable(all(map(lt, values, values[1:])), path, "labels do not increase")
    weights = [list(column) for column in zip(*rows)] or [[] for _ in range(columns)]
    if said["loss"] == "softmax" and columns == 1:
        usable(all(2 * (x / 2) == x for x in weights[0]), path, "half of a weight is not a double")
        weights = [[-x / 2 for x in weights[0]], [x / 2 for x in weights[0]]]
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

def check_data(model, certificate, rows): # returns the rows, with the constant feature if there is one
    require(len(rows) == certificate["rows"], f"the data have {len(rows)} rows, the certificate {certificate['rows']}")
    labels, found = model["labels"], Counter(row.target for row in rows)
    require(labels in ("regression", [*sorted(found), *(found[x] for x in sorted(found))]), "the labels of the data, or their counts, are not the model's")
    require(math.fsum(row.weight for row in rows) == certificate["total_weight"], "the row weights are not those of the training (--row-weights)")
    extra = model["bias"] == "regularized"                       # cert: it is the last column
    last, constant = (model["features"],) * extra, (model["constant"],) * extra
    rows = [Row(row.target, row.weight, row.columns + last, row.values + constant) for row in rows]
    require(fingerprint(rows, model["features"] + extra) == certificate["data"], "the data have another fingerprint")
    return rows

def outward(x, rounding):
    context = decimal.Context(prec=17, rounding=rounding)
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator))) if x < math.inf else "inf"

def proofs(model, certificate, rows):     # of each problem (cert: Several classes)
    columns, claims = model["weights"], certificate["claims"]
    if model["loss"] == "softmax": return [prove_softmax(model, claims[0], rows)]
    if len(columns) == 1: return [prove({**model, "weights": columns[0]}, claims[0], rows)]
    return [prove({**model, "labels": (None, label), "weights": weights}, claim, rows)
            for label, weights, claim in zip(model["labels"], columns, claims)]

def compare(proven, claimed, name, who): # proven: value, lower bound and, where that is claimed, relative gap
    for x, key, rounding in zip(proven, CLAIM, ("ROUND_CEILING", "ROUND_FLOOR", "ROUND_CEILING")):
        less = key == "lower_bound"
        require(x >= claimed[key] if less else x <= claimed[key],
                f"{name}the {key.replace('_', ' ')} is {outward(x, rounding)}, "
                f"{'less' if less else 'more'} than {who}")

def check(model, certificate, rows, tolerance):
    for key in ("loss", "loss_parameter", "l2", "bias", "constant", "features"):     # cert: The check, 2
        require(model[key] == certificate[key], f"{key} differs between model and certificate")
    require(certificate.get("classes", 1) == len(model["weights"]), "the number of classes differs")
    found = []
    for value, bound, best in proofs(model, certificate, check_data(model, certificate, rows)):
        # cert, last paragraph: infinite for a model that is not shown to be better than one without features
        gap = 0 if value == bound else (value - bound) / (best - bound) if max(value, bound) < best else math.inf
        found.append((value, bound, gap))
    for label, proven, claim in zip(model["labels"], found, certificate["claims"] * (len(found) > 1)):
        compare(proven, claim, f"class {label:.17g}: ", "claimed")
    whole = sum(x[0] for x in found), sum(x[1] for x in found), max(x[2] for x in found)
    compare(whole[:2], model, "", "the model claims")
    compare(whole, certificate, "", "the certificate claims")
    texts = [outward(x, rounding) for x, rounding in zip(whole, ("ROUND_CEILING", "ROUND_FLOOR", "ROUND_CEILING"))]
    require(tolerance is None or whole[2] <= tolerance, f"the relative gap is {texts[2]}, more than --tol {tolerance}")
    verdict = "says nothing" if tolerance is None and certificate["relative_gap"] == math.inf else "holds"
    return verdict + ": value at most {}, minimum at least {}, relative gap at most {}".format(*texts)

def objective(said):                      # the problem of the certificate, in words
    parameter = f" (delta {said['loss_parameter']!r})" if said["loss"] == "huber" else ""
    bias = {"none": "no", "free": "free", "regularized": "regularised"}[said["bias"]]
    weights = "".join(f", class weight {w!r} for label {label!r}" for label, w in said["class_weights"].items())
    return f"objective: mean {said['loss']} loss{parameter} + l2/2 |w|^2, l2 = {said['l2']!r}, {bias} intercept{weights}"

def main(arguments):
    parser = argparse.ArgumentParser("check.py", None, __doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tol", metavar="T", type=float, help="also requires that the relative gap is at most T")
    parser.add_argument("--row-weights", metavar="FILE", help="weights of rows, one a line, without those of classes")
    parser.add_argument("DATA", help="LIBSVM text, plain or compressed by gzip, bzip2, xz or lzma")
    parser.add_argument("MODEL", help="a model of geodescent train")
    parser.add_argument("CERTIFICATE", nargs="?", help="its certificate, if it is not in MODEL (default: MODEL.cert)")
    given = parser.parse_intermixed_args(arguments)
    if not 0 <= (given.tol or 0) < math.inf: parser.error("--tol takes a number of at least 0")
    try:
        (content, certificate), place = parts(read(given.MODEL)), given.MODEL + " (certificate)"
        model = read_model(content, given.MODEL)
        if given.CERTIFICATE or not certificate:
            place = given.CERTIFICATE or given.MODEL + ".cert"
            usable(given.CERTIFICATE or pathlib.Path(place).exists(), given.MODEL, f"no certificate in it, and no {place}")
            certificate = parts(b"\n" + read(place))[1]
        said = read_certificate(certificate, place)
        rows = read_rows(given.DATA, given.row_weights, said["class_weights"], model["index_base"], model["features"])
        print(verdict := check(model, said, rows, given.tol), objective(said), sep="\n")
        return 0 if verdict.startswith("holds") else 4
    except Refused as refusal:
        print(f"does not hold: {refusal}")
        return 1
    except (Unusable, MemoryError, OverflowError) as error:
        print("check.py:", error if type(error) is Unusable else "too large for memory or a double", file=sys.stderr)
        return 2

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
