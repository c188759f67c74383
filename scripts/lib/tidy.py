#!/usr/bin/env python3
"""Runs clang-tidy for scripts/tidy on the files that BUILD/compile_commands.json names, with results in FOLDER.
Usage: tidy.py BUILD FOLDER

clang-tidy spends most of its time on headers of other libraries, again for every file it is given. So files with the same flags
are given to it as one, a batch, and without their precompiled header, all of which it would read. In a batch, names in the unnamed
namespaces of different folders may clash. The names are guessed from the layout of the sources, and files with a name in common
go to different batches. The files of a batch that fails are checked one by one: only what they say counts.

A batch without a finding is not checked again until one of its .cpp files, a header, the flags or the checks change.
"""
import concurrent.futures, hashlib, json, os, pathlib, re, subprocess, sys

SKIPPED = re.compile(r"/(tests|examples|micro)/|cmake_pch|_assets\.cpp$")
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"^[a-zA-Z][^(={;\n]*?(\w+)(?: final)? *(?:[(={;]|\[|$)", re.MULTILINE)
UNUSED = re.compile(r" -Winvalid-pch .*?cmake_pch\.hxx(?= )| -Xclang -fno-pch-timestamp| -f(?:no-)?sanitize\S*| -[OW]\S+| -o .*")


class Batch:
    def __init__(self, flags):
        self.flags, self.names, self.files, self.sources = flags, set(), [], []

    def add(self, file, sources, names):
        self.files.append(file)
        self.sources += sources
        self.names |= names


def make_batches(build):
    batches = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if SKIPPED.search(entry["file"]):
            continue
        # CMake writes a file of includes for what is compiled as one.
        included = re.findall(r'^#include "(.*)"$', file.read_text(), re.MULTILINE) if build in file.parents else [entry["file"]]
        sources = [pathlib.Path(source) for source in included if not SKIPPED.search(source)]
        if not sources:
            continue
        texts = [source.read_text() for source in sources]
        names = {name for text in texts for unnamed in UNNAMED.findall(text) for name in DECLARED.findall(unnamed)}
        flags = UNUSED.sub("", entry["command"]) + " -w"
        batch = next((batch for batch in batches if batch.flags == flags and not batch.names & names), None)
        if batch is None:
            batch = Batch(flags)
            batches.append(batch)
        batch.add(file, sources, names)
    return batches


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def digest_of_all(files):
    return digest(*(bytes(file) + b"\0" + file.read_bytes() for file in sorted(files))).encode()


def clang_tidy(folder, file):
    """What clang-tidy says about the file; empty if it has no finding."""
    result = subprocess.run(["clang-tidy", "-p", folder, "--quiet", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if result.returncode == 0 else result.stdout or f"{file}: clang-tidy ended with {result.returncode}\n"


def check(folder, clean, batch):
    if clean.exists():
        return "", []
    clashing = []
    if clang_tidy(folder, batch.file):
        said = [clang_tidy(folder, file) for file in batch.files]
        if any(said):
            return "".join(said), []
        clashing = batch.files
    clean.touch()
    return "", clashing


def main(build, folder):
    project = pathlib.Path(".")
    common = [path for top in ("include", "src", "tools", "bench") for path in project.glob(top + "/**/*")
              if path.suffix in (".hpp", ".def", ".in")]
    common += [project / ".clang-tidy", pathlib.Path(__file__)]
    common_digest = digest(subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True).stdout,
                           digest_of_all(common)).encode()
    (folder / "clean").mkdir(parents=True, exist_ok=True)
    batches, commands, stamps = make_batches(build), [], []
    for number, batch in enumerate(batches):
        batch.file = folder / f"batch_{number}.cpp"
        batch.file.write_text("".join(f'#include "{file}"\n' for file in batch.files))
        for file in [batch.file, *batch.files]:
            commands.append({"directory": str(build), "command": f"{batch.flags} -c {file}", "file": str(file)})
        stamps.append(folder / "clean" / digest(common_digest, batch.flags.encode(), digest_of_all(batch.sources)))
    (folder / "compile_commands.json").write_text(json.dumps(commands, indent=1))
    for stamp in set((folder / "clean").iterdir()) - set(stamps):
        stamp.unlink()

    left = sum(not stamp.exists() for stamp in stamps)
    print(f"{left} of {len(batches)} batches to check", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, [folder] * len(batches), stamps, batches))
    for _, clashing in results:
        if clashing:
            print("checked one by one, since names in them clash:", *clashing, file=sys.stderr)
    print(*(said for said, _ in results), sep="", end="")
    return int(any(said for said, _ in results))


sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
