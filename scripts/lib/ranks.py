"""Rounds and seconds of trainings on ranks. Started by scripts/ranks."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
SEARCH = ["--directions", "gradients"]  # a search that one process and ranks both have


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/ranks", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="data for the table of rounds, plain text; default: generated")
    parser.add_argument("--cost", action="append", type=float, metavar="C", help="for the table of rounds (default 1 and 100)")
    parser.add_argument("--tol", type=float, default=1e-6, help="proven relative gap (default 1e-6)")
    parser.add_argument("--nonzeros", type=float, default=1e7, help="of the generated data for seconds (default 1e7)")
    parser.add_argument("--repeats", type=int, default=3, help="the least seconds of so many interleaved runs count (default 3)")
    parser.add_argument("--only", choices=["rounds", "seconds", "prediction"], action="append", help="only this part; may be repeated")
    parser.add_argument("--latency", type=float, default=20e-6, help="of the predicted network, seconds (default 2e-5)")
    parser.add_argument("--bandwidth", type=float, default=1.25e9, help="of the predicted network, bytes/s (default 1.25e9)")
    parser.add_argument("--cores", type=int, default=32, help="of a predicted machine (default 32)")
    parser.add_argument("--program", help="a geodescent program (default: this project's, built before)")
    parser.add_argument("--built", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.program = given.program or given.built
    given.cost = given.cost or [1, 100]
    given.only = given.only or ["rounds", "seconds", "prediction"]
    return given


def train(given, data, options, ranks=1, threads=1):
    """The report of a training without an intercept. Exit code 1 is a training that did not reach its tolerance."""
    command = [given.program, "train", "--json", "--quiet", "--bias", "none", "--loss", "logistic", "--threads", str(threads),
               "--tol", repr(given.tol), *options, str(data), str(data) + ".model"]
    done = subprocess.run((MPIRUN + ["-n", str(ranks)] if ranks > 1 else []) + command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def generate(given, folder, name, rows, features, density):
    path = folder / f"{name}.svm"
    subprocess.run([given.program, "generate", "--quiet", "--rows", str(rows), "--features", str(features), "--density",
                    repr(density), "--noise", "0.1", "--power-law", "1", str(path)], check=True)
    return path


# Rounds --------------------------------------------------------------------------------------------------------------


def newton_cg_rounds(given, data, cost):
    """Of LIBLINEAR's trust-region Newton method over ranks: the value, the gradient and each step of conjugate gradients are a
    round (Zhuang, Chin, Juan, Lin, 2015). The loosest tolerance with which the true gap is small enough counts."""
    model = str(data) + ".liblinear"
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        said = subprocess.run(["liblinear-train", "-s", "0", "-c", repr(cost), "-e", repr(tolerance), "-B", "-1", str(data), model],
                              capture_output=True, text=True, check=True).stdout
        judged = json.loads(subprocess.run([given.program, "verify", "--json", "-s", "0", "-c", repr(cost), "-B", "-1", "--tight",
                                            str(data), model], capture_output=True, text=True, check=False).stdout)
        if judged["relative_gap"] <= given.tol:
            steps = [int(count) for count in re.findall(r"CG +(\d+)", said)]
            return 2 + sum(2 + count for count in steps)
    return None


def vector_free_rounds(report):
    """Of L-BFGS with as many iterations and trial steps, as VL-BFGS counts (Chen, Wang, Zhou, 2014): the gradient and the inner
    products of an iteration are a round each, and so is each trial step."""
    return 2 * report["iterations"] + report["line_evaluations"]


def rounds(given, folder):
    files = given.files or [generate(given, folder, "text", 20000, 20000, 0.002), generate(given, folder, "narrow", 50000, 300, 0.05)]
    rows = []
    for data in files:
        for cost in given.cost:
            common = ["-c", repr(cost)]
            default, gradients = (train(given, data, common + more, ranks=4) for more in ([], SEARCH))
            lbfgs = train(given, data, [*common, "--method", "lbfgs", "--memory", "10"], ranks=4)
            newton = newton_cg_rounds(given, data, cost)
            said = [f"{run['ranks']['rounds']}" if run["status"] == "converged" else "-" for run in (default, gradients, lbfgs)]
            vectors = vector_free_rounds(lbfgs) if lbfgs["status"] == "converged" else None
            rows.append([pathlib.Path(data).stem, f"{cost:g}", f"{said[0]} ({default['memory']['along']})", said[1], said[2],
                         str(vectors or "-"), str(newton or "-")])
    print(f"\nRounds to a relative gap of {given.tol:g} on 4 ranks, logistic, no intercept; ours include the proof of the run:")
    table(["data", "C", "default (its search)", "gradients", "our L-BFGS (10)", "VL-BFGS (10)", "Newton-CG of MPI-LIBLINEAR"], rows)


# Seconds -------------------------------------------------------------------------------------------------------------


def least(given, runs):
    """The reports with the least seconds of training, of interleaved runs."""
    best = {}
    for _ in range(given.repeats):
        for name, run in runs.items():
            report = run()
            if name not in best or report["seconds"]["train"] < best[name]["seconds"]["train"]:
                best[name] = report
    return best


def seconds(given, folder):
    rows, features, length = int(given.nonzeros / 50), 20000, 50
    iterations = [*SEARCH, "-c", "1", "--max-iterations", "30"]
    strong = generate(given, folder, "strong", rows, features, length / features)
    shapes = [(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (4, 1)]
    found = least(given, {shape: lambda shape=shape: train(given, strong, iterations, *shape) for shape in shapes})
    base = found[1, 2]["seconds"]["train"]
    print(f"\nStrong scaling: {rows} rows, {features} columns, {found[1, 1]['nonzeros']} nonzeros, at most 30 iterations, "
          f"on {os.cpu_count()} processors:")
    table(["ranks x threads", "load, s", "train, s", "over 1 x 2", "rounds", "MB exchanged"],
          [[f"{r} x {t}", f"{one['seconds']['load']:.2f}", f"{one['seconds']['train']:.2f}", f"{one['seconds']['train'] / base:.2f}",
            str((one["ranks"] or {}).get("rounds", 0)), f"{(one['ranks'] or {}).get('bytes', 0) / 1e6:.1f}"]
           for (r, t), one in found.items()])
    weak = {r: generate(given, folder, f"weak{r}", rows * r // 4, features, length / features) for r in (1, 2, 4)}
    grown = least(given, {r: lambda r=r: train(given, weak[r], iterations, r, 1) for r in weak})
    print("\nWeak scaling: a quarter of these rows for each rank, one thread each:")
    table(["ranks", "iterations", "train, s", "ms an iteration"],
          [[str(r), str(one["iterations"]), f"{one['seconds']['train']:.2f}", f"{1e3 * one['seconds']['train'] / one['iterations']:.1f}"]
           for r, one in grown.items()])
    return found


# Prediction ----------------------------------------------------------------------------------------------------------


def prediction(given, found, folder):
    """T = nonzeros c / (ranks cores) + directions d v / cores + rounds ranks latency + 2 (8 d + 131072 ranks) / bandwidth.
    c includes the vectors of the rows. Sums pass from rank to rank in pieces of 131072 bytes, and are then broadcast."""
    one, two = found[1, 1], found[2, 1]
    rows, features = one["rows"], one["features"]
    wider = generate(given, folder, "wider", rows, 20 * features, one["nonzeros"] / rows / (20 * features))
    wide = least(given, {1: lambda: train(given, wider, [*SEARCH, "-c", "1", "--max-iterations", "30"], 1, 1)})[1]
    each = {name: run["seconds"]["train"] / run["iterations"] for name, run in {"one": one, "wide": wide, "two": two}.items()}
    kept = {name: run["memory"]["directions"] * run["features"] for name, run in {"one": one, "wide": wide}.items()}
    per_number = max(0.0, (each["wide"] - each["one"]) / (kept["wide"] - kept["one"]))
    per_nonzero = (each["one"] - kept["one"] * per_number) / one["nonzeros"]
    rounds_each = two["ranks"]["rounds"] / two["iterations"]
    # What one process keeps: of the matrix for each nonzero, of the vectors for each direction and row or column.
    matrix_bytes = one["memory"]["matrix_bytes"] / one["nonzeros"]
    vector_bytes = one["memory"]["method_bytes"] / one["memory"]["directions"] / (rows + features)

    def time(columns, nonzeros, directions, ranks, cores, latency, bandwidth):
        work = nonzeros * per_nonzero / (ranks * cores) + directions * columns * per_number / cores
        return work, rounds_each * ranks * latency + 2 * (8 * columns + 131072 * ranks) / bandwidth

    work, talk = time(features, two["nonzeros"], two["memory"]["directions"], 2, 1, 2e-6, 5e9)
    print(f"\nA model of an iteration: {1e9 * per_nonzero:.2f} ns a nonzero and {1e9 * per_number:.2f} ns a column and direction, one "
          f"thread; {rounds_each:.1f} rounds; {matrix_bytes:.1f} bytes a nonzero, "
          f"{vector_bytes:.1f} bytes a direction and row or column. For 2 x 1 it says {1e3 * (work + talk):.1f} ms, measured {1e3 * each['two']:.1f} ms.")
    print(f"Predicted for 1e9 rows of 50 nonzeros, 100 directions, {given.cores} cores a machine, latency {1e6 * given.latency:g} us, "
          f"{given.bandwidth / 1e9:g} GB/s:")
    lines = []
    for columns in (1e5, 1e7):
        for machines in (16, 64, 256):
            work, talk = time(columns, 5e10, 100, machines, given.cores, given.latency, given.bandwidth)
            memory = matrix_bytes * 5e10 / machines + 100 * vector_bytes * (columns + 1e9 / machines)
            lines.append([f"{columns:.0e}", str(machines), f"{work:.3f}", f"{talk:.3f}", f"{memory / 1e9:.0f}"])
    table(["columns", "machines", "work, s an iteration", "messages, s", "GB a machine"], lines)


def main():
    given = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if "rounds" in given.only:
            rounds(given, folder)
        if "seconds" in given.only or "prediction" in given.only:
            found = seconds(given, folder)
            if "prediction" in given.only:
                prediction(given, found, folder)


main()
