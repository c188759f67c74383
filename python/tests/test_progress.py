"""What verbose=1 shows in a terminal, in a log, and in a notebook."""

import sys
import types

import pytest

import geodescent


def test_a_log_has_lines(problem, capsys):
    geodescent.train(*problem, verbose=1)
    shown = capsys.readouterr().err
    assert "relative gap" in shown and "proven gap" in shown and "\r" not in shown
    geodescent.train(*problem)
    assert capsys.readouterr().err == ""


def test_a_terminal_has_one_line(problem, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    geodescent.train(*problem, verbose=1)
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and shown.count("\r") == 2


class Widget:
    """A bar or a label of ipywidgets."""

    shown: list["Widget"] = []  # noqa: RUF012

    def __init__(self, **settings: object) -> None:
        self.value: object = None
        self.shown.append(self)


@pytest.fixture
def notebook(monkeypatch):
    """A process that looks like that of a notebook, without ipywidgets."""
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    return monkeypatch


def test_a_notebook_with_ipywidgets_has_a_bar(problem, notebook, capsys):
    widgets = types.SimpleNamespace(
        FloatProgress=Widget, Label=Widget, HBox=lambda parts: tuple(parts)
    )
    displayed: list[object] = []
    screen = types.SimpleNamespace(display=displayed.append)
    Widget.shown.clear()
    notebook.setitem(sys.modules, "ipywidgets", widgets)
    notebook.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    notebook.setitem(sys.modules, "IPython.display", screen)
    geodescent.train(*problem, verbose=1)
    bar, label = Widget.shown
    assert displayed == [(bar, label)]
    assert 0 <= bar.value <= 1 and "proven gap" in label.value
    assert capsys.readouterr().err == ""


def test_a_notebook_with_tqdm_has_a_bar(problem, notebook, capsys):
    pytest.importorskip("tqdm")
    geodescent.train(*problem, verbose=1)
    shown = capsys.readouterr().err
    assert "%|" in shown and "proven gap" in shown


def test_a_notebook_without_both_has_lines(problem, notebook, capsys):
    notebook.setitem(sys.modules, "tqdm", None)
    geodescent.train(*problem, verbose=1)
    assert "proven gap" in capsys.readouterr().err
