"""The documentation is true: its C++ is that of the examples, its commands print what is shown.

code ROOT                        each C++ or CMake block of a page is found word for word in examples/ or tests/install/
console ROOT PROGRAM EXAMPLES    runs the console blocks of all pages, those of a page in one new folder

In a console block a line `$ command` is run by bash, with lines `> more` below it. The other lines are what it prints; a
line `...` stands for any lines. Seconds and the number of threads are not compared. If a command fails, the next one has
to be `echo $?`.
EXAMPLES is the folder of the examples; a program example_NAME is run as build/NAME. GEODESCENT_BINARY=FILE runs this program
instead of PROGRAM.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def pages_of(root):
    return [root / "README.md", *sorted(root.glob("docs/**/*.md"))]


def blocks_of(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


def code(root):
    programs = [path.read_text() for path in [*root.glob("examples/*.cpp"), *root.glob("tests/install/*/CMakeLists.txt")]]
    for page in pages_of(root):
        for block in blocks_of(page, "cpp") + blocks_of(page, "cmake"):
            if not any(block in program for program in programs):
                yield f"{page}: this block is in no example:\n{block}"


def comparable(line):
    """The line without what differs from run to run."""
    if line.startswith("seconds "):
        return re.sub(r"[\d.]+", "N", line)
    return re.sub(r"[\d.]+ s$", "N s", re.sub(r"\d+ threads?", "N threads", line.rstrip()))


def as_shown(shown, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(comparable(line)) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(comparable(line) + "\n" for line in printed))


def run_page(page, environment, folder):
    status = 0
    for block in blocks_of(page, "console"):
        for command, more, shown in re.findall(r"^\$ (.*)\n((?:> .*\n)*)((?:(?!\$ ).*\n)*)", block, re.M):
            if status and command != "echo $?":
                yield f"{page}: exit code {status} before: {command}"
            script = f"(exit {status}); {command}\n" + re.sub("^> ", "", more, flags=re.M)
            run = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                                 capture_output=True, check=False, timeout=300)
            status = run.returncode
            printed = (run.stdout + (run.stderr if status > 1 else "")).splitlines()
            if not as_shown(shown.splitlines(), printed):
                yield f"{page}: $ {command}\nexit code {status}, printed:\n" + "\n".join(printed)
    if status:
        yield f"{page}: ends with exit code {status}"


def console(root, program, examples):
    for page in pages_of(root):
        if not blocks_of(page, "console"):
            continue
        with tempfile.TemporaryDirectory() as work:
            folder, programs = Path(work, "folder"), Path(work, "programs")
            programs.mkdir()
            (folder / "build").mkdir(parents=True)
            (programs / "geodescent").symlink_to(program)
            for example in examples.glob("example_*"):
                (folder / "build" / example.name[len("example_"):]).symlink_to(example)
            (folder / "scripts").symlink_to(root / "scripts")
            environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
            yield from run_page(page, environment, folder)


def main():
    check, root, *rest = sys.argv[1:]
    paths = [Path(root).resolve(), *(Path(name).resolve() for name in rest)]
    if check == "console" and "GEODESCENT_BINARY" in os.environ:
        paths[1] = Path(os.environ["GEODESCENT_BINARY"]).resolve()
    wrong = list({"code": code, "console": console}[check](*paths))
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


main()
