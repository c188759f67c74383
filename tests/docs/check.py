"""The documentation is true: its C++ is that of the examples, its commands print what is shown, what it names exists.

code ROOT                        each C++ or CMake block of a page is found word for word in examples/ or tests/install/
console ROOT PROGRAM EXAMPLES    runs the console blocks of all pages, those of a page in one new folder
options ROOT PROGRAM             each option in the help of a command is on the reference page of the command
form ROOT                        prose and C++ comments wrap at 100 columns, the README has under 130 lines; files, folders and
                                 tests that pages name in backticks exist, and so do those that comments name

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


REFERENCE = {"train": ("train", "train-several"), "info": ("data",), "convert": ("data",), "generate": ("data",),
             "bench peers": ("bench-peers",)}


def commands_of(program, words=()):
    """The words of each command that has options of its own."""
    help_text = subprocess.run([program, *words, "--help"], text=True, capture_output=True, check=True).stdout
    below = re.search(r"^Commands:\n((?:  .*\n)+)", help_text, re.M)
    if not below:
        return [(words, help_text)]
    return [found for name in re.findall(r"^  (\S+)", below[1], re.M) if name not in ("completion", "man")
            for found in commands_of(program, (*words, name))]


def options(root, program):
    common = (root / "docs/reference/cli.md").read_text()
    for words, help_text in commands_of(program):
        names = REFERENCE.get(" ".join(words), words[:1])
        pages = [root / f"docs/reference/commands/{name}.md" for name in names]
        text = common + "".join(page.read_text() for page in pages)
        for short, long in re.findall(r"^  (?:(-\w)(?:, )?)?(--[\w-]+)?", help_text, re.M):
            for option in (short, long):
                if option and option not in ("-h", "--help") and not re.search(rf"(?<![\w-]){option}(?![\w-])", text):
                    yield f"{pages[0]}: no word about {option} of {' '.join(words)}"


PLACEHOLDERS = re.compile(r"NAME|\*|\.\.\.")
FOLDERS = ("bench", "cmake", "docs", "examples", "include", "python", "scripts", "src", "tests", "tools")
SUITE = re.compile(r"\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\)")


COMMENT = re.compile(r"^\s*(?://|#)")
COMMENTED_PATH = re.compile(rf"(?<![\w/.\"$}}{{<-])((?:{'|'.join(FOLDERS)})/[\w./-]*\w)")


def commented_paths(root):
    """Files and folders that comments name, with the source and its line."""
    for folder in FOLDERS:
        for source in (root / folder).rglob("*"):
            if source.suffix in (".cpp", ".hpp", ".def", ".py", ".sh", ".cmake") or source.name == "CMakeLists.txt":
                for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
                    if COMMENT.match(line):
                        yield from ((f"{source}:{number}", name) for name in COMMENTED_PATH.findall(line))


def prose_of(page):
    """Its lines with their numbers, without blocks of code and tables."""
    in_block = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        in_block ^= line.startswith("```")
        if not in_block and not line.startswith(("```", "|", "    ")):
            yield number, line


def form(root):
    tests = {f"{suite}.{case}" for path in [*root.glob("tests/**/*.cpp"), *root.glob("bench/**/*.cpp")]
             for suite, case in SUITE.findall(path.read_text())}
    suites = {name.partition(".")[0] for name in tests}
    for page in [*pages_of(root), *(root / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "SECURITY"))]:
        for number, line in prose_of(page):
            if len(line) > 100 and " " in line.strip():
                yield f"{page}:{number}: {len(line)} columns; wrap the paragraph at 100"
        for name in re.findall(r"`([^`\n]+)`", page.read_text()):
            suite, _, case = name.partition(".")
            if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not re.search(r"[ <{]", name):
                known = any(root.glob(name)) if "*" in name else (root / name).exists()
                if not known and not PLACEHOLDERS.search(name.replace("*", "")):
                    yield f"{page}: there is no {name}"
            elif suite in suites and re.fullmatch(r"\w+(\*|\.\.\.)?|\*", case):
                start = name.rstrip("*.")
                if not any(test == name or (test.startswith(start) and name != start) for test in tests):
                    yield f"{page}: there is no test {name}"
    for folder in FOLDERS:
        for path in [*root.glob(f"{folder}/**/*.cpp"), *root.glob(f"{folder}/**/*.hpp")]:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                # Formulas, tables and code are indented.
                if len(line) > 100 and re.match(r" *(?://|///)(?!/) ?\S", line):
                    yield f"{path}:{number}: {len(line)} columns; wrap the comment at 100"
    if len((root / "README.md").read_text().splitlines()) >= 130:
        yield f"{root}/README.md: 130 lines or more; it has to stay short"
    for place, name in commented_paths(root):
        if not (root / name).exists() and not PLACEHOLDERS.search(name):
            yield f"{place}: there is no {name}"


def main():
    check, root, *rest = sys.argv[1:]
    paths = [Path(root).resolve(), *(Path(name).resolve() for name in rest)]
    if check not in ("code", "form") and "GEODESCENT_BINARY" in os.environ:
        paths[1] = Path(os.environ["GEODESCENT_BINARY"]).resolve()
    wrong = list({"code": code, "console": console, "form": form, "options": options}[check](*paths))
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


main()
