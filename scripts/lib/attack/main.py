"""Attacks geodescent for a given time and prints what was tried. Started by scripts/attack."""
import argparse, collections, multiprocessing, queue, os, pathlib, random, resource, signal, subprocess, sys, time, traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from crash import full, kill, writers
from forge import agree, forge
from mutate import mutate
from session import COLUMNS, MEMORY_LIMIT, Session

ORDER = (forge, mutate, kill, agree, forge, writers, full)
KINDS = {kind.__name__: kind for kind in ORDER}
TITLES = {"tries": "tries", "false": "false claims accepted", "lost": "files lost", "crashes": "crashes", "disagreements": "disagreements"}
PROJECT = pathlib.Path(__file__).resolve().parents[3]


def works_with_limit(program):
    """The limit on memory, which a program with sanitizers exceeds from the start; None then."""
    def limit(): resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
    return MEMORY_LIMIT if subprocess.run([program, "--version"], capture_output=True, preexec_fn=limit).returncode == 0 else None


def kinds(text):
    chosen = text.split(",")
    unknown = set(chosen) - set(KINDS)
    if unknown: raise argparse.ArgumentTypeError(f"unknown kind '{min(unknown)}'; known are {', '.join(KINDS)}")
    return chosen


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/attack", description="Attacks the program by forged claims, broken files, kills and "
                                     "full disks, and prints what was tried. Exit code 1 if something got through.")
    parser.add_argument("minutes", metavar="MINUTES", nargs="?", type=float, default=60, help="default 60; may be a fraction")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other attacks (default 1)")
    parser.add_argument("--only", type=kinds, metavar="KIND,...", help="these kinds of attack: " + ", ".join(KINDS))
    parser.add_argument("--rounds", type=int, help="ends after this number of rounds")
    parser.add_argument("--round", type=int, help="repeats this one round")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one for each processor)")
    parser.add_argument("--keep", type=pathlib.Path, default=PROJECT / "build/attack", help="where failing inputs go (build/attack)")
    parser.add_argument("--markdown", action="store_true", help="prints the table as Markdown")
    settings = parser.parse_args()
    settings.program, settings.crash = (pathlib.Path(os.environ[name]).resolve() for name in ("GEODESCENT_BINARY", "GEODESCENT_CRASH"))
    settings.checker = PROJECT / "scripts/check.py"
    settings.memory_limit = works_with_limit(settings.program)
    settings.keep = settings.keep.resolve()
    settings.deadline = time.monotonic() + 60 * settings.minutes
    return settings


def one_round(settings, number):
    """Each round depends on seed and number alone."""
    rng = random.Random(f"{settings.seed}:{number}")
    order = settings.only or [kind.__name__ for kind in ORDER]
    kind = order[number % len(order)]
    session = Session(settings, number, kind, rng)
    try:
        KINDS[kind](session)
    except Exception:
        session.found(kind, "crashes", f"of the attack itself\n{traceback.format_exc()}")
    finally:
        session.close()
    return session.counts, session.findings


def work(settings, job, stop, results):
    for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)  # the parent tells when to stop
    settings.late = lambda: stop.is_set() or time.monotonic() > settings.deadline
    rounds = [settings.round] if settings.round is not None else range(job, settings.rounds or sys.maxsize, settings.jobs)
    for number in rounds:
        if settings.late(): break
        results.put(one_round(settings, number))
    results.put(None)


def table(counts, markdown):
    rows = [["attack"] + [TITLES[column] for column in COLUMNS]]
    for row in sorted({row for row, _ in counts}):
        rows.append([row] + [f"{counts[row, column]:,}" for column in COLUMNS])
    rows.append(["all"] + [f"{sum(n for (_, c), n in counts.items() if c == column):,}" for column in COLUMNS])
    if markdown:
        return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0])] + rows[1:])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) if i == 0 else word.rjust(width) for i, (word, width) in enumerate(zip(row, widths)))
                     for row in rows)


def verdicts(counts):
    """What both checkers said about honest certificates and about forgeries, and of how many kinds these were."""
    lines = []
    for kind, title in (("agree", "honest certificates"), ("forge", "forgeries")):
        found = collections.Counter()
        for (row, column), n in counts.items():
            if row.partition(":")[0] == kind: found[column] += n
        risks = sum(column.startswith("risk ") for column in found)
        if risks: lines.append(f"{title}: {found['accepted']} accepted and {found['refused']} refused by both verify and check.py, "
                               f"{found['split']} by one of them; {risks} of 27 pairs of loss and intercept")
    return lines


def kills(counts):
    """How many of the trainings to be killed did not end before."""
    found = [f"{row.partition(': ')[2]} {counts[row, 'killed']} of {n}" for (row, column), n in sorted(counts.items())
             if column == "tries" and row.startswith("kill: ")]
    return ["killed before their end: " + ", ".join(found)] if found else []


def commit():
    """Of the scripts, and of the program unless GEODESCENT_BINARY names another one."""
    try:
        said = subprocess.run(["git", "-C", str(PROJECT), "describe", "--always", "--dirty"], capture_output=True, text=True)
    except OSError:
        return "unknown"
    return said.stdout.strip() or "unknown"


def main():
    settings, started = arguments(), time.monotonic()
    if settings.round is not None: settings.jobs = 1
    stop, results, counts, findings, rounds = multiprocessing.Event(), multiprocessing.Queue(), collections.Counter(), [], 0
    workers = [multiprocessing.Process(target=work, args=(settings, job, stop, results)) for job in range(settings.jobs)]
    for worker in workers: worker.start()
    for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.default_int_handler)
    running = len(workers)
    while running:
        try:
            try:
                result = results.get(timeout=60)
            except queue.Empty:
                if all(worker.is_alive() for worker in workers): continue
                print("a worker has ended without a word", file=sys.stderr)
                findings.append("a lost worker")
                counts["workers", "crashes"] += 1
                break
            if result is None:
                running -= 1
                continue
            rounds += 1
            counts.update(result[0])
            findings += result[1]
            for finding in result[1]: print(finding, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            stop.set()
    for worker in workers: worker.join()
    total = collections.Counter()
    for (_, column), n in counts.items(): total[column] += n
    failures = sum(total[column] for column in COLUMNS[1:])
    print(table(counts, settings.markdown) + "\n")
    for line in verdicts(counts) + kills(counts): print(line)
    print(f"not counted as disagreements: {total['close']} claims true by less than 1e-9 that verify did not confirm, "
          f"{total['form']} forms that check.py does not read")
    print(f"commit {commit()}, seed {settings.seed}, {rounds} rounds, {(time.monotonic() - started) / 60:.1f} minutes, {failures} failures")
    if failures: print(f"the inputs are in {settings.keep}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
