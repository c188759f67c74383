"""The documentation is true: links lead somewhere, C++ is that of the examples, commands print what is shown.

links ROOT                       links, anchors and pictures of all pages; paths of pages that other files mention
code ROOT                        each C++ or CMake block of a page is found word for word in examples/ or tests/install/
console ROOT PROGRAM EXAMPLES    runs the console blocks of all pages, those of a page in one new folder

In a console block a line `$ command` is run by bash, with lines `> more` below it; the other lines are what it prints. `...` alone in a line stands for
any lines. Seconds and the number of threads are not compared. Where a command fails, the next one has to be `echo $?`.
EXAMPLES is the folder of the examples; a program example_NAME is run as build/NAME. GEODESCENT_BINARY=FILE runs this program
instead of PROGRAM.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TEXT = {".md", ".cpp", ".hpp", ".in", ".py", ".txt", ".cmake", ".def", ".sh", ".js", ""}


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - {".git", "build"})
        for name in sorted(names):
            if Path(name).suffix in TEXT:
                yield Path(folder, name)


def pages_of(root):
    return [path for path in files_of(root) if path.suffix == ".md"]


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda m: re.sub(r"[\[\]()]", "", m[0]), text)


def anchors_of(page):
    """The anchors of the headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S), re.M):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower()).replace(" ", "-")
        count = 0
        while slug + (f"-{count}" if count else "") in found:
            count += 1
        found.add(slug + (f"-{count}" if count else ""))
    return found


def links(root):
    for page in pages_of(root):
        text = without_code(page.read_text())
        for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            there = page.parent / path if path else page
            if not there.exists():
                yield f"{page}: no such file: {target}"
            elif anchor and anchor not in anchors_of(there):
                yield f"{page}: no such heading: {target}"
    for path in files_of(root):
        for mention in re.findall(r"(?<![\w/.-])docs/[\w/.-]*\.md", path.read_text(errors="replace")):
            if not (root / mention).exists():
                yield f"{path}: no such page: {mention}"


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
    wrong = list({"links": links, "code": code, "console": console}[check](*paths))
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


main()
