#!/usr/bin/env python3
"""Runs clang-tidy for scripts/tidy on the files that BUILD/compile_commands.json names, with results in FOLDER.
Usage: tidy.py BUILD FOLDER

clang-tidy spends most of its time on headers of other libraries, again for every file it is given. So files with the same flags
are given to it as one, a batch, and without their precompiled header, all of which it would read. In a batch, names in the unnamed
namespaces of different folders may clash. The names are guessed from the layout of the sources, and files with a name in common
go to different batches. A batch that fails is halved until a file is alone: only what is said about a single file counts.

A batch without a finding is not checked again until one of its .cpp files, a header, the flags or the checks change.
"""
import concurrent.futures, hashlib, json, os, pathlib, re, shlex, subprocess, sys

# The kernels of all instruction sets are one source, which portable.cpp has.
SKIPPED = re.compile(r"/(tests|examples|micro)/|cmake_pch|_assets\.cpp$|/kernels/avx\w+\.cpp$")
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

    def findings(self, build, folder, files=None):
        """What clang-tidy says about the files, given to it as one; empty if it has no finding."""
        files = files or self.files
        one = files[0]
        if len(files) > 1:
            text = "".join(f'#include "{file}"\n' for file in files)
            one = folder / f"batch_{digest(text.encode())[:16]}.cpp"
            one.write_text(text)
        result = subprocess.run(["clang-tidy", "--quiet", one, "--", *self.flags], cwd=build, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        if len(files) > 1: one.unlink()
        if result.returncode == 0: return ""
        if len(files) == 1: return result.stdout or f"{one}: clang-tidy ended with {result.returncode}\n"
        # Two of the files may clash. Only what halves say counts.
        middle = len(files) // 2
        said = self.findings(build, folder, files[:middle]) + self.findings(build, folder, files[middle:])
        if not said: print("checked in two parts, since names clash:", re.search(".* error: .*|$", result.stdout)[0], file=sys.stderr)
        return said


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
        flags = shlex.split(UNUSED.sub("", entry["command"]))[1:] + ["-w"]
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


def check(build, folder, clean, batch):
    if clean.exists(): return ""
    said = batch.findings(build, folder)
    if not said: clean.touch()
    return said


def main(build, folder):
    project = pathlib.Path(".")
    common = [path for top in ("include", "src", "tools", "bench") for path in project.glob(top + "/**/*")
              if path.suffix in (".hpp", ".def", ".in")]
    common += [project / ".clang-tidy", pathlib.Path(__file__)]
    common_digest = digest(subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True).stdout,
                           digest_of_all(common)).encode()
    (folder / "clean").mkdir(parents=True, exist_ok=True)
    batches = make_batches(build)
    stamps = [folder / "clean" / digest(common_digest, " ".join(batch.flags).encode(), digest_of_all(batch.sources))
              for batch in batches]
    for stamp in set((folder / "clean").iterdir()) - set(stamps):
        stamp.unlink()

    left = sum(not stamp.exists() for stamp in stamps)
    print(f"{left} of {len(batches)} batches to check", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = "".join(pool.map(check, [build] * len(batches), [folder] * len(batches), stamps, batches))
    print(said, end="")
    return int(bool(said))


sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
