"""What is imported is what is waited for."""

from __future__ import annotations

import subprocess
import sys

import duckdb
import pytest

HEAVY = {
    "numpy",
    "duckdb",
    "pandas",
    "pydantic",
    "jinja2",
    "matplotlib",
    "weasyprint",
    "scipy",
    "narwhals",
    "yaml",
}
NOT_FOR_JSON = {
    "pandas",
    "pyarrow",
    "polars",
    "scipy.stats",
    "matplotlib",
    "jinja2",
    "weasyprint",
    "tqdm",
    "ipywidgets",
}


def imported(code: str, *arguments: str) -> set[str]:
    """Return the modules that a process has imported when the code is through."""
    ending = "\nimport sys; sys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + ending, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines())


def program(arguments: list[str]) -> str:
    return f"""
from fairreport.cli.main import main
try:
    main({arguments!r})
except SystemExit:
    pass
"""


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"], ["demo", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    assert not HEAVY & imported(program(arguments))


def test_json_from_parquet_imports_only_what_counts(folder):
    duckdb.read_csv("rows.csv", all_varchar=True).write_parquet("rows.parquet")
    folder.audit()
    modules = imported(program(["run", "audit.yaml", "--data", "rows.parquet", "--json", "out.json"]))
    assert (folder.path / "out.json").exists()
    assert not NOT_FOR_JSON & modules


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "fairreport", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fairreport 0.")


def test_help_names_every_command(command, folder):
    text = command("--help").out
    for name in ("run", "demo", "init", "schema"):
        assert f"\n    {name} " in text


def test_the_exit_codes_are_in_the_help(command, folder):
    text = command("run", "--help").out
    for line in ("0   every test passes", "1   a test fails", "3   no test fails, but one was skipped"):
        assert line in text
