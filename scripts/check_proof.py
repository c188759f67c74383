"""The proofs of check.py: an upper bound on f at a model, lower bounds on every f and on the reference.
Written from certificate.md in docs alone (cited as "cert: section").

A double is a whole number times a power of two, so nearly everything is computed exactly, as Python
integers and a common "shift" (number = integer / 2^shift). Rounded are only logarithms (1e-46) and
divisions by the weight of a row (2^-2200), always in the direction that proves less.
"""
import decimal, math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from operator import mul

FINE = 2200                               # 2^-2200 is below the square of every double that is not 0
LOG_ERROR = Decimal("1e-46")              # bound on the error of what has a logarithm, see entropy and what follows
decimal.setcontext(decimal.Context(prec=50, Emin=-999999, Emax=999999))
TWO_CLASSES = ("logistic", "smoothed-hinge", "squared-hinge")
class Refused(Exception): """The claim is false: exit code 1."""
class Unusable(Exception): """A file cannot be read, or has a form that is not read here: exit code 2."""

def require(condition, reason, kind=Refused):
    if not condition: raise kind(reason)

# ---- Numbers -----------------------------------------------------------------------------------
def shift_of(numbers):                    # the smallest shift with which all these doubles are whole
    return max((x.as_integer_ratio()[1].bit_length() - 1 for x in numbers), default=0)
def scaled(x, shift):                     # exact where shift comes from shift_of
    numerator, denominator = x.as_integer_ratio()
    return (numerator << shift) // denominator

# ---- Losses (cert: Why the lower bound is one, the table) --------------------------------------
def entropy(parts, total):
    """At most the sum of -x log x for x = part/total from 0 to 1, which add up to 1, in units of 2^-FINE.
    With a relative error d < 1e-49 of x and of each operation, log x is wrong by 2 d + d |log x| and
    x log x by 2 d x + 3 d |x log x| < 4 d. An addition loses less than 12 d, for a sum is less than 12. All
    that is less than LOG_ERROR for each part. 0 log 0 = 0."""
    x = [Decimal(p) / Decimal(total) for p in parts if p]
    return max(0, math.floor(Fraction(sum(-p * p.ln() for p in x) - LOG_ERROR * len(x)) * 2**FINE))

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
    if loss == "logistic": return entropy((-v, c + v), c)
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
        if loss == "logistic": return Fraction(entropy((p, both - p), both), 1 << FINE)
        q, p = sorted((Fraction(p, both), 1 - Fraction(p, both)))
        # Minimum of p phi(b) + q phi(-b), p >= q: at b = p - q for squared-hinge, else at b = 1 - q/p.
        return 2 * p * q if loss == "squared-hinge" else 3 * q / 2 - q * q / (2 * p)
    shift = shift_of([row.target for row in rows] + [parameter])
    targets, delta = [scaled(row.target, shift) for row in rows], scaled(parameter, shift)
    b, unit = best_constant(loss, targets, weights, delta) if free else (0, 1)
    losses = [twice_loss(loss, b - y * unit, unit << shift, delta * unit) for y in targets]
    return Fraction(sum(map(mul, weights, losses)), 2 * sum(weights) * (unit << shift) ** 2)

# ---- The proof (cert: What is proven, The lower bound) ------------------------------
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

# ---- softmax (cert: Several classes) -----------------------------------------------------------
def softmax_loss(z, y, one):
    """At least log sum_k exp(z_k) - z_y, in units of 1/one, as z is.
    With t the largest z it is t - z_y + log T, T the sum of exp(z_k - t). 50 digits: a difference from -200
    to 0 makes exp wrong by 1e-47 of the result, a sum of K loses K times 1e-49 more, and T is at least 1: all
    is less than LOG_ERROR for each k. Differences below -200 count as -200, which makes T larger."""
    top = max(z)
    total = sum(max(Decimal(k - top) / Decimal(one), Decimal(-200)).exp() for k in z)
    return top - z[y] + math.ceil(Fraction(total.ln() + LOG_ERROR * len(z)) * one)

def prove_softmax(model, certificate, rows):
    """As prove. A row has a dual value for each class."""
    l2, free, classes = Fraction(model["l2"]), model["bias"] == "free", model["labels"][:len(model["weights"])]
    count, step, columns = len(classes), certificate["exponent"], model["weights"]
    row_shift = max(shift_of({row.weight for row in rows}), -step)
    duals = [k << (step + row_shift) for k in certificate["dual"]]
    duals = [duals[i:i + count] for i in range(0, len(duals), count)]
    require(all(sum(v) == 0 for v in duals), "the dual values of a row do not sum to 0")
    require(not free or not any(map(sum, zip(*duals))), "the dual values of a class do not sum to 0")
    distinct = {value for row in rows for value in row.values} | {model["constant"]}
    data_shift, weight_shift = shift_of(distinct), shift_of([x for column in columns for x in column])
    integer = {value: scaled(value, data_shift) for value in distinct}
    w = [[scaled(x, weight_shift) for x in column] for column in columns]
    intercepts = [column.pop() * integer[model["constant"]] if free else 0 for column in w]
    shift = max(data_shift + weight_shift, 128)
    up, total, of_classes = shift - data_shift - weight_shift, 0, Counter()
    loss_sum, entropy_sum, gradients = 0, 0, [[0] * len(column) for column in w]
    for row, v in zip(rows, duals):
        c, y, values = scaled(row.weight, row_shift), classes.index(row.target), [integer[x] for x in row.values]
        z = [sum(map(mul, values, [column[j] for j in row.columns])) + b << up for column, b in zip(w, intercepts)]
        loss_sum += c * softmax_loss(z, y, 1 << shift)
        parts = [x + c * (k == y) for k, x in enumerate(v)]
        require(min(parts) >= 0, "a number of the dual point is out of the range of the loss")
        entropy_sum += c * entropy(parts, c)
        for gradient, x in zip(gradients, v):
            for j, value in zip(row.columns, values): gradient[j] += x * value
        total, of_classes[y] = total + c, of_classes[y] + c
    squares = sum(x * x for column in w for x in column)
    value = Fraction(loss_sum, total << shift) + l2 / 2 * Fraction(squares, 4**weight_shift)
    square = Fraction(sum(x * x for gradient in gradients for x in gradient), (total << data_shift) ** 2)
    bound = max(Fraction(entropy_sum, total << FINE) - square / (2 * l2), Fraction(0))
    alike = entropy(of_classes.values(), total) if free else entropy([1] * count, count)
    return value, bound, Fraction(alike, 1 << FINE)
