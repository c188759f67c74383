"""A random training problem: its rows, sample weights and options, and the files of it."""
import dataclasses

TWO_CLASSES = ("logistic", "smoothed-hinge", "squared-hinge")
CLASSES = TWO_CLASSES + ("softmax",)
LOSSES = CLASSES + ("squared", "huber")
METHODS = ("geod", "geod-memory", "lbfgs", "afg", "auto")


@dataclasses.dataclass
class Row:
    """A row as the proof sees it: its sample weight is a product, and a weight feature is no entry."""
    target: float
    own: float     # without the weight of its class
    weight: float
    entries: dict  # value of each column, from 0


def number(rng, style):
    value = {"ones": lambda: 1.0, "whole": lambda: float(rng.randint(-3, 3)), "normal": lambda: rng.gauss(0, 1),
             "scales": lambda: rng.gauss(0, 1) * 10.0 ** rng.randint(-6, 6),
             "far": lambda: rng.gauss(0, 1) * 10.0 ** rng.randint(-150, 150)}[style]()
    return value if value else 1.0


class Problem:
    def __init__(self, rng, rows=(3, 30), features=(1, 6), far=True):
        self.loss, self.bias = rng.choice(LOSSES), rng.choice(("free", "none", "regularized"))
        self.l2, self.delta = 10.0 ** rng.uniform(-5, 1), 10.0 ** rng.uniform(-2, 1)
        self.features, self.base = rng.randint(*features), rng.randint(0, 1)
        self.labels = rng.choice(((-1.0, 1.0), (0.0, 1.0), (1.0, 2.0), (-2.5, 7.0)))
        if self.loss == "softmax" or self.loss in TWO_CLASSES and rng.random() < 0.3:
            self.labels = rng.choice((self.labels,) * (self.loss == "softmax") + ((1.0, 2.0, 3.0), (-1.5, 0.0, 4.0, 1e9), tuple(map(float, range(6)))))
        style = rng.choice(("ones", "whole", "normal", "normal", "scales") + (("far",) if far and rng.random() < 0.2 else ()))
        density = rng.uniform(0.2, 1)
        self.raw = []  # target, factor of --row-weights, entries with the weight feature
        least = len(self.labels)
        for i in range(max(least, rng.randint(*rows))):
            target = self.labels[i] if i < least else rng.choice(self.labels)
            entries = {j: number(rng, style) for j in range(self.features) if rng.random() < density}
            self.raw.append([target if self.loss in CLASSES else rng.gauss(1, 3), 1.0, entries])
        self.row_weights = rng.random() < 0.3
        factors = (0.5, 3.0, rng.uniform(0.1, 9)) + (0.0,) * (len(self.labels) > 2)   # 0: a class less
        self.class_weights = [(label, rng.choice(factors)) for label in self.labels
                              if self.loss in CLASSES and rng.random() < 0.25]
        self.weight_feature = rng.randrange(self.features) if self.features > 1 and rng.random() < 0.15 else None
        for i, row in enumerate(self.raw):
            if self.row_weights:
                row[1] = 0.0 if i > least and rng.random() < 0.1 else rng.uniform(0.1, 4)
            if self.weight_feature is not None and (i <= least or rng.random() < 0.8):
                row[2][self.weight_feature] = rng.uniform(0.1, 4)
            elif self.weight_feature is not None:
                row[2].pop(self.weight_feature, None)

    def rows(self):
        """Rows of weight over 0, as docs/reference/data-format.md says."""
        return [row for row in self.stated_rows() if row.weight > 0]

    def stated_rows(self):
        """The same, and the rows of classes of weight 0."""
        result = []
        for target, weight, entries in self.raw:
            entries = dict(entries)
            if self.weight_feature is not None:
                weight *= entries.pop(self.weight_feature, 0.0)
            own = weight
            for label, factor in self.class_weights:
                weight *= factor if label == target else 1.0
            if own > 0:
                result.append(Row(target, own, weight, {j: x for j, x in sorted(entries.items()) if x != 0}))
        return result

    def write(self, folder):
        """data.svm and weights.txt for geodescent; plain.svm and plain.txt, without a weight feature, for check.py."""
        def text(rows):
            return "".join(" ".join([repr(target)] + [f"{j + self.base}:{x!r}" for j, x in sorted(entries.items())]) + "\n"
                           for target, entries in rows)
        rows = self.stated_rows()
        (folder / "data.svm").write_text(text((target, entries) for target, _, entries in self.raw))
        (folder / "weights.txt").write_text("".join(f"{weight!r}\n" for _, weight, _ in self.raw))
        (folder / "plain.svm").write_text(text((row.target, row.entries) for row in rows))
        (folder / "plain.txt").write_text("".join(f"{row.own!r}\n" for row in rows))

    def row_weight_options(self, folder):
        """What `verify` needs: the certificate states class weights."""
        options = ["--row-weights", str(folder / "weights.txt")] if self.row_weights else []
        return options + (["--weight-feature", str(self.weight_feature + self.base)] if self.weight_feature is not None else [])

    def weight_options(self, folder):
        options = self.row_weight_options(folder)
        for label, factor in self.class_weights:
            options += ["-w", repr(label), repr(factor)]
        return options

    def train_options(self, folder, rng):
        options = ["--quiet", "--threads", "1", "--loss", self.loss, "--bias", self.bias, "--l2", repr(self.l2), "--tol",
                   rng.choice(("1e-2", "1e-6", "1e-9", "1e-13")), "--features", str(self.features), "--index-base", str(self.base),
                   "--method", rng.choice(METHODS), "--max-seconds", "60", "--max-iterations", rng.choice(("1", "20", "3000"))]
        return options + (["--huber-delta", repr(self.delta)] if self.loss == "huber" else []) + self.weight_options(folder)
