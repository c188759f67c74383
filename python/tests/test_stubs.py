"""The stubs name what the extension module has."""

import ast
import pathlib

import geodescent
from geodescent import _core

STUBS = pathlib.Path(geodescent.__file__).with_name("_core.pyi")


def public(thing):
    inherited = {} if not isinstance(thing, type) else dir(thing.__base__)
    return {name for name in dir(thing) if not name.startswith("_") and name not in inherited}


def test_stubs_name_what_the_module_has():
    nodes = ast.parse(STUBS.read_text(encoding="utf-8")).body
    named = {n.name: n for n in nodes if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert set(named) == public(_core)
    for name, node in named.items():
        if isinstance(node, ast.ClassDef):
            members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)} - {"__init__"}
            assert members == public(getattr(_core, name)), name
