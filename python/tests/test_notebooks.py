"""The notebooks run, and print the words that are stored in them."""

import json
import re

import pytest
from conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "docs" / "notebooks").glob("*.ipynb"))


def words(text):
    """All but numbers, whose last digits depend on the versions of numpy and scikit-learn."""
    return re.sub(r"-?\d[\d.]*(e[-+]?\d+)?", "#", text).split()


def stored(cell):
    printed = (output for output in cell["outputs"] if output.get("name") == "stdout")
    return "".join("".join(output["text"]) for output in printed)


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), names)
            assert words(capsys.readouterr().out) == words(stored(cell))
    matplotlib.pyplot.close("all")
