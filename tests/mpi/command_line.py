"""The command line on ranks of MPI: the bytes of one process, its errors once, and the end of a job that loses a rank.
Usage: command_line.py PROGRAM MPIEXEC [MPIEXEC-OPTION...]"""
import gzip, json, os, shutil, signal, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "lib" / "attack"))
from ranks import Jobs, kill

FAULTS = []


def expect(holds, what, more=""):
    if holds: return
    FAULTS.append(what)
    print(f"{what}\n{more}", file=sys.stderr)


def make_data(jobs):
    """data.svm (sparse, wider than a block), as parts, converted and compressed; targets.svm for regressions."""
    jobs.run(0, "generate", "--rows", "3000", "--features", "30", "--density", "0.3", "--noise", "0.2", "--seed", "5", "data.svm")
    jobs.run(0, "convert", "data.svm", "data.bin")
    lines = jobs.read("data.svm").splitlines(keepends=True)
    jobs.write("part-1.svm", b"".join(lines[:700]))
    jobs.write("part-2.svm.gz", gzip.compress(b"".join(lines[700:1500])))
    jobs.write("part-3.svm", b"".join(lines[1500:]).rstrip(b"\n"))  # without its last end of line
    jobs.write("targets.svm", b"".join(b"%d.5 %s" % (k % 7, line.split(b" ", 1)[1]) for k, line in enumerate(lines)))
    jobs.run(0, "generate", "--rows", "400", "--features", "8", "--classes", "3", "--seed", "2", "classes.svm")
    jobs.run(0, "generate", "--rows", "60", "--features", "200", "--seed", "2", "wide.svm")
    jobs.write("few.svm", b"1 1:1 2:3\n-1 2:1\n")  # fewer rows than ranks
    jobs.write("weights", b"".join(b"%g\n" % (k % 4) for k in range(len(lines))))
    return lines


PARTS = ["part-1.svm", "part-2.svm.gz", "part-3.svm"]
BY_GRADIENTS = ["--directions", "gradients", "--max-iterations", "60"]


def same_models(jobs):
    """Trainings on ranks write the model, with its certificate, that one process writes."""
    cases = [  # ranks, data, the problem, weights
        (2, ["data.svm"], [], []),
        (3, ["data.bin"], ["--bias", "regularized", "--loss", "squared-hinge"], []),
        (4, PARTS, ["--bias", "none", "--loss", "smoothed-hinge"], ["-w", "balanced"]),
        (2, ["targets.svm"], ["--loss", "huber"], ["--row-weights", "weights"]),
        (3, ["targets.svm"], ["--loss", "squared", "--bias", "regularized"], ["--weight-feature", "3"]),
        (2, ["classes.svm"], ["--loss", "logistic"], []),  # one class against the rest
        (3, ["classes.svm"], ["--bias", "regularized"], []),  # softmax
        (2, ["wide.svm"], [], []),  # fewer rows than columns
    ]
    for ranks, data, problem, weights in cases:
        what = f"train {' '.join(problem + weights)} on {ranks} ranks, {data}: "
        words = ["train", "--json", *BY_GRADIENTS, *problem, *weights, "--model"]
        code, alone, _ = jobs.run(0, *words, "alone", *data)
        code_together, together, err = jobs.run(ranks, *words, "together", *data)
        expect(code == code_together, what + f"exit code {code_together}, alone {code}", err)
        expect(jobs.read("alone") and jobs.read("alone") == jobs.read("together"), what + "another model", err)
        if code_together > 1: continue
        alone, together = json.loads(alone), json.loads(together)
        traffic = together["ranks"]
        expect(traffic["count"] == ranks and traffic["rounds"] > 0 and traffic["bytes"] > 0, what + f"traffic {traffic}")
        for name in ("rows", "features", "nonzeros", "total_weight", "index_base", "labels", "value", "lower_bound", "relative_gap",
                     "iterations", "intercept", "reference_value", "distance_bound", "cost", "status"):
            expect(alone[name] == together[name], what + f"{name} is {together[name]}, alone {alone[name]}")
        code, out, _ = jobs.run(0, "verify", "--json", "--quiet", *weights, "--model", "together", *data)
        code_together, out_together, err = jobs.run(ranks, "verify", "--json", "--quiet", *weights, "--model", "together", *data)
        expect(code == code_together == 0 and out == out_together, what + "verify", out + out_together + err)


def same_checkpoints(jobs):
    """A training that is continued on another number of ranks has the bits of one that was not interrupted."""
    words = ["train", "--quiet", "--directions", "gradients", "--tol", "0", "--checkpoint-every", "5", "--checkpoint"]
    jobs.run(0, *words, "alone.checkpoint", "--max-iterations", "15", "data.svm", "whole")
    for ranks, iterations, more in ((3, "10", []), (2, "15", ["--resume"])):
        code, _, err = jobs.run(ranks, *words, "checkpoint", "--max-iterations", iterations, *more, "data.svm", "continued")
        expect(code < 2, f"checkpoints on {ranks} ranks: exit code {code}", err)
    expect(jobs.read("whole") and jobs.read("whole") == jobs.read("continued"), "a training that was continued has another model")
    expect(jobs.read("checkpoint") and jobs.read("checkpoint") == jobs.read("alone.checkpoint"), "another checkpoint")


def several_files_are_one(jobs):
    """Also in one process."""
    for data, name in ((["data.svm"], "one"), (PARTS, "several"), (["data.bin"], "converted")):
        jobs.run(0, "train", "--quiet", "--model", name, *data)
    expect(jobs.read("one") == jobs.read("several") == jobs.read("converted"), "several files have another model than one")
    code, _, err = jobs.run(0, "train", *PARTS)
    expect(code == 2 and "--model" in err, "several files without --model", err)
    code, _, err = jobs.run(0, "train", "part-1.svm", "part-3.svm")
    expect(code == 2 and "has data" in err and jobs.read("part-3.svm"), "the last file of data is taken for MODEL", err)


def same_predictions(jobs):
    jobs.run(0, "train", "--quiet", "data.svm", "model")
    for ranks, data, options in ((2, "data.svm", ["-b", "1"]), (3, "data.bin", []), (4, "part-2.svm.gz", ["--output-kind", "decisions"]),
                                 (3, "few.svm", [])):
        what = f"predict {data} on {ranks} ranks"
        code, alone, _ = jobs.run(0, "predict", *options, data, "model", "alone")
        code_together, together, err = jobs.run(ranks, "predict", *options, data, "model", "together")
        expect(code == code_together == 0 and alone == together, f"{what}: another score", together + err)
        expect(jobs.read("alone") == jobs.read("together"), f"{what}: other predictions")


def lines_of_errors(err):
    return [line for line in err.splitlines() if line.startswith("geodescent")]


def errors(jobs, lines):
    jobs.write("bad.svm", b"".join(lines[:2500]) + b"1 7:1 3:1\n" + b"".join(lines[2500:]))
    cases = [  # words, exit code, words of the message
        (["train", "bad.svm", "new"], 3, "bad.svm:2501:7: index 3 after 7"),
        (["train", "nothing.svm", "new"], 3, "nothing.svm: no such file"),
        (["train", "--loss", "none", "data.svm", "new"], 2, "--loss"),
        (["train", "data.svm", "nowhere/new"], 3, "nowhere/new: cannot write"),
        (["train", "--folds", "3", "data.svm", "new"], 2, "works in one process"),
        (["train", "--directions", "dual", "data.svm", "new"], 2, "works in one process"),
        (["convert", "data.svm", "new"], 2, "works in one process"),
        (["predict", "bad.svm", "model", "new"], 3, "bad.svm:2501:7: index 3 after 7"),
    ]
    for words, code, text in cases:
        what = f"mpirun geodescent {' '.join(words)}"
        found, out, err = jobs.run(3, *words)
        said = lines_of_errors(err)
        expect(found == code, f"{what}: exit code {found}", err)
        expect(len(said) == 1 and text in said[0], f"{what}: the message", err)
        expect(jobs.read("new") is None and not out, f"{what}: output", out)


def on_rank_1(jobs, folder):
    """A program whose rank 1 works in this folder."""
    script = jobs.folder / "rank-1-elsewhere"
    script.write_text(f'#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" != 1 ] || cd {folder}\nexec {jobs.program} "$@"\n')
    script.chmod(0o755)
    return str(script)


def models_that_differ(jobs):
    """Ranks that see different files at the path of a model say so. They would wait for each other, or mix two models."""
    (jobs.folder / "elsewhere").mkdir()
    iterations = ["--directions", "gradients", "--checkpoint-every", "5", "--max-iterations", "7", "--checkpoint"]
    for folder, l2 in (("", "1"), ("elsewhere/", "1e-3")):
        jobs.run(0, "train", "--quiet", "--l2", l2, "data.svm", folder + "start")
        jobs.run(0, "train", "--quiet", "--tol", "0", *iterations, folder + "checkpoint.of", "--initial", folder + "start",
                 "data.svm", "new")
    (jobs.folder / "new").unlink()
    data = str(jobs.folder / "data.svm")
    program, jobs.program = jobs.program, on_rank_1(jobs, "elsewhere")
    for words in (["train", "--directions", "gradients", "--initial", "start", data, "new"],
                  ["train", "--tol", "0", *iterations, "checkpoint.of", "--resume", data, "new"],
                  ["verify", data, "start"], ["predict", data, "start"]):
        code, out, err = jobs.run(3, *words)
        said = lines_of_errors(err)
        expect(code == 3 and len(said) == 1 and "not the same" in said[0], f"{words}: other files", err)
        expect(jobs.read("new") is None and not out, f"{words}: output", out)
    jobs.program = program


def searches_left_out(jobs):
    """The report names the search that ranks do not have."""
    for data, search, left_out in (("wide.svm", "newton", ["newton"]), ("data.svm", "newton", []), ("wide.svm", "gradients", []),
                                   ("wide.svm", "automatic", ["dual"])):
        code, out, err = jobs.run(2, "train", "--json", "--quiet", "--directions", search, data, "left-out")
        expect(code == 0 and json.loads(out)["ranks"]["left_out"] == left_out, f"--directions {search} {data}: left out", out + err)


def one_rank_fails(jobs):
    """A rank that has no file ends all, and says which it is."""
    script = jobs.folder / "rank-2-elsewhere"
    script.write_text('#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" != 2 ] || cd /\nexec "$@"\n')
    script.chmod(0o755)
    program, jobs.program = jobs.program, str(script)
    code, _, err = jobs.run(3, program, "train", "data.svm", "new")
    jobs.program = program
    said = lines_of_errors(err)
    expect(code == 3 and len(said) == 1 and "rank 2: data.svm: no such file" in said[0], "a rank without the file", err)


def without_component(jobs):
    """A program without the module beside it works alone and on one rank, and says what it lacks on several."""
    (jobs.folder / "bin").mkdir()
    copy = jobs.folder / "bin" / "geodescent"
    shutil.copy(jobs.program, copy)
    program, jobs.program = jobs.program, str(copy)
    code, out, _ = jobs.run(1, "--version")
    expect(code == 0 and out.startswith("geodescent "), "one rank needs MPI")
    code, out, err = jobs.run(2, "--version")
    expect(code == 3 and len(lines_of_errors(err)) == 1 and "built without MPI" in err, "without the component", err)
    jobs.program = program


def environments(jobs):
    """Processes of another MPI, and processes that are to work alone."""
    for variables, code, text in (({"PMI_RANK": "0", "PMI_SIZE": "2", "OMPI_COMM_WORLD_SIZE": ""}, 3, "2 processes started"),
                                  ({"PMI_RANK": "0", "PMI_SIZE": "2", "GEODESCENT_MPI": "off"}, 0, "geodescent "),
                                  ({"GEODESCENT_MPI": "on"}, 2, "it can be off"),
                                  ({"SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, 0, "geodescent ")):
        found, out, err = jobs.run(0, "--version", variables=variables)
        expect(found == code and text in out + err, f"with {variables}: exit code {found}", out + err)


def a_rank_fails_alone(jobs):
    """The first one cannot write its trace while the others go on."""
    code, _, err = jobs.run(3, "train", "--trace", "/dev/full", "data.svm", "new")
    said = lines_of_errors(err)
    expect(code == 3 and len(said) == 1 and "rank 0: /dev/full: cannot write" in said[0], "a rank that fails alone", err)
    expect(jobs.read("new") is None, "a rank that fails alone: a model")


def a_signal_stops_all(jobs):
    """The model so far is written, by one rank."""
    jobs.run(0, "generate", "--rows", "3000", "--features", "60", "--conditioning", "1e9", "--density", "0.5", "hard.svm")
    process = jobs.start(2, "train", "--method", "sd", "--tol", "0", "--l2", "1e-9", "--max-iterations", "100000000", "--trace",
                         "trace.csv", "hard.svm", "model")
    began = time.monotonic()  # the trace appears when the training begins
    while not list(jobs.folder.glob(".geodescent-*")) and process.poll() is None and time.monotonic() - began < 30: time.sleep(0.01)
    time.sleep(0.5)
    for rank in jobs.ranks_of(process)[1:]: os.kill(rank, signal.SIGUSR1)  # one is enough
    ended = jobs.end_of(process)
    expect(ended is not None, "a signal hangs")
    if ended is None: return
    code, out, err = ended
    verified = jobs.run(0, "verify", "--quiet", "hard.svm", "model")[0]
    expect(code == 1 and verified in (0, 4), f"a signal: exit code {code}, verify {verified}", out + err)
    expect("interrupted by" in out, "a signal: the report", out)
    expect(jobs.read("trace.csv") is not None, "a signal: no trace")


def main():
    program, mpiexec, *options = sys.argv[1:]
    with Jobs(program, mpiexec, options) as jobs:
        lines = make_data(jobs)
        several_files_are_one(jobs)
        same_predictions(jobs)
        same_models(jobs)
        same_checkpoints(jobs)
        errors(jobs, lines)
        models_that_differ(jobs)
        searches_left_out(jobs)
        one_rank_fails(jobs)
        a_rank_fails_alone(jobs)
        without_component(jobs)
        environments(jobs)
        a_signal_stops_all(jobs)
    with Jobs(program, mpiexec, options) as jobs:
        for fault in kill(jobs, kills=4, seed=1): expect(False, fault)
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
