"""The floors hold, and nobody waits for a library that is not used."""

from __future__ import annotations

import subprocess
import sys

LATE = {
    "numpy",
    "pandas",
    "scipy",
    "matplotlib",
    "weasyprint",
    "ipywidgets",
    "duckdb",
    "narwhals",
    "pydantic",
    "jinja2",
    "polars",
}


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_fairreport_imports_nothing_heavy():
    modules = set(python("import fairreport, sys; print(*sys.modules, sep='\\n')").split())
    assert not LATE & modules


def test_a_result_that_was_imported_alone_displays():
    rows = '{"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 29 + [0] * 21 + [1] * 30 + [0] * 10}'
    code = f"""
from fairreport.audit.audit import Audit
run = Audit({rows}).outcome_disparity("sex", "hired", 1).run()
bundle = run._repr_mimebundle_()
assert "<table" in bundle["text/html"], bundle
assert "no display" not in repr(run) + repr(run.results[0]), repr(run)
print(repr(run))
"""
    assert "0.77" in python(code)


def test_the_import_contracts_hold(root):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))",
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
