"""A module is one idea, with a name that tells it."""

from __future__ import annotations

import ast
import re

LONGEST = 400
NO_NAMES = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "base",
    "core",
    "manager",
    "misc",
    "stuff",
    "tools",
}
SKIPS = {"skip", "skipif", "xfail", "importorskip", "skipTest"}


def test_no_module_is_two_ideas(tree):
    long = {path.name: n for path in tree("fairreport") if path.suffix == ".py" and (n := lines(path)) > LONGEST}
    assert long == {}


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_has_a_name_that_says_nothing(tree):
    named = {part for path in tree("fairreport") for word in path.parts for part in re.split(r"[_.]", word)}
    assert not NO_NAMES & named


def test_every_module_says_what_it_is(tree):
    for path in tree("fairreport"):
        if path.suffix == ".py":
            assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path.name


def test_every_file_of_the_suite_is_run(tree, root):
    for path in tree("tests"):
        if path.suffix == ".py":
            assert path.name == "conftest.py" or path.name.startswith("test_") or path.parent != root / "tests", (
                path.name
            )


def test_no_test_is_skipped_or_expected_to_fail(tree):
    for path in tree("tests", "fairreport"):
        text = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
        if any(word in text for word in SKIPS):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Attribute) and node.attr in SKIPS:
                    assert not re.match(r"(pytest|self|mark)\b", ast.unparse(node)), f"{path.name}:{node.lineno}"
