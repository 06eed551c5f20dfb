"""Words that the documents must not say, and places that no file may name."""

from __future__ import annotations

import ast
import re

import pytest

VERDICTS = re.compile(
    r"\b(fair|unfair|unbiased|certified|certify|compliant|proves?|proof)\b|\bbias[- ]free\b|\bviolat",
    re.IGNORECASE,
)
MEASUREMENT = re.compile(r"fourFifthsViolationCount")
MACHINES = re.compile(r"(?<![\w.])/(?:root|home|opt|work|Users)/\w|\b[A-Z]:\\Users")
REGISTRIES = re.compile(
    r"https?://[^\s\"'<>)]*(?:py[p]i|python[h]osted|npm[j]s|/simple\b)|-(?<!emit-)(?:extra-index-url|index-url|find-links|trusted-host)[ =]"
)
TEXT = {
    ".py",
    ".md",
    ".txt",
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".jinja",
    ".html",
    ".css",
    ".ipynb",
    ".sh",
    ".csv",
    ".svg",
    "",
}


def verdicts(text: str) -> list[str]:
    return [match.group() for match in VERDICTS.finditer(MEASUREMENT.sub("", text))]


def test_no_template_passes_judgement(tree):
    for path in tree("templates", "assets/css"):
        text = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert verdicts(text) == [], path.name


@pytest.mark.parametrize("floor", ["render", "report", "analyses", "audit", "cli", "widgets"])
def test_no_text_of_the_program_passes_judgement(tree, floor):
    for path in tree(f"fairreport/{floor}"):
        if path.suffix == ".py":
            for node in texts_of(ast.parse(path.read_text(encoding="utf-8"))):
                assert verdicts(node.value) == [], f"{path.name}:{node.lineno}"


def texts_of(module: ast.Module) -> list[ast.Constant]:
    """Return the text constants of a module, its docstrings left out."""
    docstrings = {
        id(body[0].value)
        for node in ast.walk(module)
        if isinstance(body := getattr(node, "body", None), list) and body and isinstance(body[0], ast.Expr)
    }
    found = [node for node in ast.walk(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in found if id(node) not in docstrings]


def test_the_readme_passes_none_either(root):
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        assert verdicts((root / name).read_text(encoding="utf-8")) == [], name


def test_no_file_names_a_machine_or_a_registry(tree):
    for path in tree():
        if path.suffix in TEXT:
            text = path.read_text(encoding="utf-8")
            for pattern in (MACHINES, REGISTRIES):
                assert pattern.findall(text) == [], f"{path.name}: {pattern.pattern}"
