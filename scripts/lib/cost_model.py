"""The default beside each of its searches and L-BFGS, on many shapes of data. Started by scripts/cost-model."""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

SINGLE = ["gradients", "quasi-newton", "newton", "dual"]
LOSSES = ["logistic", "smoothed-hinge", "squared-hinge"]
COSTS = [0.01, 1, 100, 10000]

# Name: rows, features, density and further options of `geodescent generate`. A tenth of the labels is flipped.
QUICK = {
    "dense-1000x10": "1000 10 1",
    "dense-1000x300": "1000 300 1",
    "dense-5000x100-bad": "5000 100 1 --conditioning 1000",
    "dense-20000x50": "20000 50 1",
    "dense-5000x500": "5000 500 1",
    "dense-2000x800-bad": "2000 800 1 --conditioning 100",
    "fifth-10000x400": "10000 400 0.2",
    "sparse-1000x1000": "1000 1000 0.01",
    "sparse-5000x800-bad": "5000 800 0.05 --conditioning 100",
    "sparse-20000x10000": "20000 10000 0.003 --unit-rows",
    "sparse-50000x500": "50000 500 0.02 --power-law 1",
    "text-2000x20000": "2000 20000 0.002 --power-law 1 --unit-rows",
}
FULL = QUICK | {
    "dense-1000x2000": "1000 2000 1",
    "half-3000x2000": "3000 2000 0.5",
    "dense-20000x500": "20000 500 1",
    "dense-20000x500-bad": "20000 500 1 --conditioning 100",
    "dense-20000x1000": "20000 1000 1",
    "dense-100000x30": "100000 30 1",
    "dense-200000x100": "200000 100 1",
    "dense-200000x20-bad": "200000 20 1 --conditioning 1000",
    "dense-1000000x10": "1000000 10 1",
    "fifth-60000x800": "60000 800 0.2",
    "tenth-10000x3000": "10000 3000 0.1",
    "sparse-50000x3000": "50000 3000 0.01 --power-law 1 --binary-values",
    "sparse-200000x1000": "200000 1000 0.005 --power-law 1",
    "sparse-300000x100": "300000 100 0.1 --binary-values",
    "sparse-1000000x1000": "1000000 1000 0.005 --power-law 1",
    "sparse-1000000x100000": "1000000 100000 0.0001 --power-law 1",
    "sparse-200000x50000": "200000 50000 0.0002 --power-law 1 --unit-rows",
    "text-100000x100000": "100000 100000 0.0005 --power-law 1 --unit-rows",
}


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/cost-model", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="data of your own, beside the generated")
    parser.add_argument("--quick", action="store_true", help="the twelve small shapes only")
    parser.add_argument("--shape", action="append", metavar="NAME", help="only this shape; may be repeated; 'none': files only")
    parser.add_argument("--loss", action="append", metavar="LOSS", help=f"default: {', '.join(LOSSES)}")
    parser.add_argument("--cost", action="append", type=float, metavar="C", help=f"default: {COSTS}")
    parser.add_argument("--tol", default="1e-6", help="proven relative gap (default 1e-6)")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3, help="the least seconds of so many runs count (default 3)")
    parser.add_argument("--default", default="", metavar="SETTINGS", help="options of train for the default, such as '--directions newton'")
    parser.add_argument("--program", help="a geodescent program (default: this project's, built before)")
    parser.add_argument("--beside", action="append", default=[], metavar="PROGRAM", help="also the default of another program")
    parser.add_argument("--data", metavar="DIR", help="keeps the generated data there for the next time")
    parser.add_argument("--out", metavar="FILE.csv", help="writes the table there, too")
    parser.add_argument("--worst", type=float, default=2, help="fails where a ratio is above (default 2)")
    parser.add_argument("--percentile", type=float, default=1.3, help="fails where the 90th percentile is above (default 1.3)")
    parser.add_argument("--built", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.program = given.program or given.built
    return given


def make(program, folder, name, options):
    """The file of a generated shape, in binary form, so that loading takes no time."""
    path = folder / f"{name}.geod"
    if not path.exists():
        rows, features, density, *others = options.split()
        text = folder / f"{name}.svm"
        subprocess.run([program, "generate", "--quiet", "--rows", rows, "--features", features, "--density", density,
                        "--noise", "0.1", *others, text], check=True)
        subprocess.run([program, "convert", "--quiet", text, path], check=True, stdout=subprocess.DEVNULL)
        text.unlink()
    return path


class Contender:
    def __init__(self, name, program, options):
        self.name, self.command = name, [program, "train", *options]
        self.seconds, self.along, self.iterations, self.given_up = math.inf, "", 0, False

    def run(self, data, model, common, limit):
        if self.given_up:
            return
        most = [] if math.isinf(limit) else ["--max-seconds", f"{limit:.6f}"]
        done = subprocess.run([*self.command, data, model, "--json", "--quiet", *common, *most],
                              capture_output=True, text=True)
        if done.returncode > 1:
            self.given_up = True  # such as a search that does not apply
            return
        report = json.loads(done.stdout)
        self.given_up = report["status"] in ("time_limit", "iteration_limit")
        if report["status"] != "converged":
            self.along = report["status"]
            return
        self.seconds = min(self.seconds, report["seconds"]["train"])
        self.along = (report["memory"] or {}).get("along", "")
        self.iterations = report["iterations"]
        self.shape = report["rows"], report["features"], report["nonzeros"]


def compare(given, data, loss, cost, model):
    """All contenders in turns. Who takes longer than the default needs no measurement."""
    common = ["--loss", loss, "-c", repr(cost), "--tol", given.tol, "--threads", given.threads]
    default = Contender("default", given.program, given.default.split())
    others = [Contender(f"beside{k or ''}", program, []) for k, program in enumerate(given.beside)]
    singles = [Contender(name, given.program, ["--directions", name]) for name in SINGLE]
    singles.append(Contender("lbfgs", given.program, ["--method", "lbfgs"]))
    for _ in range(given.rounds):
        default.run(data, model, common, math.inf)
        for other in others:
            other.run(data, model, common, math.inf)
        for single in singles:
            single.run(data, model, common, 1.3 * default.seconds + 0.002)
    return default, others, singles


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(part * len(values)) - 1)] if values else math.nan


def main():
    given = arguments()
    shapes = QUICK if given.quick else FULL
    if given.shape:
        shapes = {name: FULL[name] for name in given.shape if name != "none"}
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(given.data or scratch)
        model = str(pathlib.Path(scratch) / "model")
        sources = [(name, None) for name in shapes] + [(pathlib.Path(path).name, path) for path in given.files]
        for name, path in sources:
            data = path or make(given.program, folder, name, shapes[name])
            for loss in given.loss or LOSSES:
                for cost in given.cost or COSTS:
                    default, others, singles = compare(given, data, loss, cost, model)
                    best = min(singles, key=lambda c: c.seconds)
                    least = min(default.seconds, best.seconds)
                    row = {"data": name, "loss": loss, "C": cost, "search": default.along,
                           "iterations": default.iterations, "seconds": default.seconds,
                           "best": best.name if best.seconds < default.seconds else "default", "best_seconds": least,
                           "ratio": default.seconds / least if least < math.inf else 1.0}
                    row |= {c.name: c.seconds for c in others + singles}
                    row |= {f"{c.name}_ratio": c.seconds / least for c in others}
                    rows.append(row)
                    print("{data:22} {loss:14} C={C:<7g} {search:13}{iterations:5d} {seconds:9.4f} s   best {best:13}"
                          "{best_seconds:9.4f} s  {ratio:6.2f}".format(**row),
                          *(f"{row[c.name + '_ratio']:6.2f}" for c in others), flush=True)
            if not path and not given.data:
                pathlib.Path(data).unlink()
    if given.out:
        with open(given.out, "w", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys())
            writer.writeheader()
            for row in rows:
                writer.writerow({k: f"{v:.4g}" if isinstance(v, float) else v for k, v in row.items()})
    names = ["ratio"] + [key for key in rows[0] if key.endswith("_ratio")]
    for name in names:
        ratios = [row[name] for row in rows]
        print(f"{name}: {len(ratios)} cases, median {percentile(ratios, 0.5):.2f}, "
              f"90th percentile {percentile(ratios, 0.9):.2f}, worst {max(ratios):.2f}")
    ratios = [row["ratio"] for row in rows]
    if max(ratios) > given.worst or percentile(ratios, 0.9) > given.percentile:
        sys.exit(f"the default must be within {given.worst:g} times the fastest everywhere and {given.percentile:g} in the "
                 "90th percentile")


main()
