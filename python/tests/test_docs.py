"""The Python in the documentation runs, and prints what is shown."""

import doctest
import importlib
import inspect
import pathlib
import re

import pytest
import users_program
from conftest import PROJECT

import geodescent

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES = ["README.md", *sorted(p.relative_to(PROJECT) for p in (PROJECT / "docs").rglob("*.md"))]
PACKAGE = pathlib.Path(geodescent.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if path.stem != "__init__"
)


def blocks_of(page):
    text = (PROJECT / page).read_text(encoding="utf-8")
    return re.findall(r"^```(python|pycon)\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=str)
def test_blocks_of_a_page(page):
    names: dict[str, object] = {}
    for kind, code in blocks_of(page):
        if kind == "python":
            exec(compile(code, str(page), "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(code, names, str(page), str(page), 0)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(example, out=report.append, clear_globs=False)
        assert not runner.failures, "".join(report)
        names.update(example.globs)


def test_pages_have_python():
    assert any(str(page).endswith("scikit-learn.md") and blocks_of(page) for page in PAGES)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"geodescent.{name}")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def test_a_users_program_runs():
    assert 0 < users_program.main() < 1


REFERENCE = (PROJECT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


def is_in_the_reference(name):
    return re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", REFERENCE)


@pytest.mark.parametrize("name", [n for n in geodescent.__all__ if n != "__version__"])
def test_the_reference_has_every_name(name):
    thing = getattr(geodescent, name)
    assert is_in_the_reference(name)
    if name in ("Certificate", "Model", "Path", "Progress", "Proof"):
        named = [*dir(thing), *getattr(thing, "__annotations__", ())]
        # `core` is the model as the extension module has it.
        parts = [part for part in named if not part.startswith("_") and part != "core"]
    elif name == "InputError":
        parts = []
    else:
        parts = [p for p in inspect.signature(thing).parameters if p not in ("model", "ignored")]
    assert [part for part in parts if not is_in_the_reference(part)] == []
