"""run.py, .ci/run, the constraints and the README say the same."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

import fairreport
from fairreport.audit.audit import Audit
from fairreport.cli.main import COMMANDS

PINNED = re.compile(r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[0-9][0-9a-z.+!]*)(?: ; .+)?")


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def pins(root):
    found: dict[str, list[str]] = {}
    for line in (root / "constraints.txt").read_text(encoding="utf-8").splitlines():
        match = PINNED.fullmatch(line)
        assert match, line
        found.setdefault(match["name"], []).append(match["version"])
    return found


def test_every_requirement_is_pinned_within_its_bounds(project, pins):
    listed = [
        *project["dependencies"],
        *(line for extra in ("pdf", "notebook", "engines", "dev") for line in project["optional-dependencies"][extra]),
    ]
    for requirement in map(Requirement, listed):
        if requirement.name != "fairreport":
            versions = pins[requirement.name.lower()]
            assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_run_py_needs_nothing_but_python(root, project):
    module = ast.parse((root / "run.py").read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(module)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= set(sys.stdlib_module_names)
    extras = next(
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "EXTRAS"
    )
    assert {"demo", "test", "notebooks"} <= set(extras)
    assert set(extras.values()) <= set(project["optional-dependencies"])


def test_run_py_says_how_it_is_used(root):
    done = subprocess.run([sys.executable, str(root / "run.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "python3 run.py demo" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_py_leaves_an_environment_that_is_not_its_own_alone(root, tmp_path):
    for name in ("run.py", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "mine").write_text("mine")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "run.py"), "demo"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "was not made by run.py" in done.stderr
    assert (tmp_path / ".venv" / "mine").exists()


def test_the_ci_runs_what_the_readme_says(root):
    script = root / ".ci" / "run"
    text = script.read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)
    command = "python3 run.py test"
    assert f"\n{command} 2>&1 | tee" in text
    assert command in (root / "README.md").read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


def test_what_the_test_command_leaves_out_is_run_by_a_gate_and_said(root):
    for name in ("run.py", "README.md", "CONTRIBUTING.md", "tests/gates/heavy.sh"):
        assert "python3 run.py test -m heavy" in (root / name).read_text(encoding="utf-8"), name


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.heavy
def test_the_python_of_the_readme_runs(root, tmp_path, monkeypatch):
    (tmp_path / "assets").symlink_to(root / "assets")
    monkeypatch.chdir(tmp_path)
    for code in blocks((root / "README.md").read_text(encoding="utf-8"), "python"):
        exec(compile(code, "README.md", "exec"), {})


def test_the_yaml_of_the_readme_is_an_audit(root):
    text, fairness, windows = blocks((root / "README.md").read_text(encoding="utf-8"), "yaml")
    audit = Audit.from_config(yaml.safe_load(text), data=root / "assets" / "data" / "gpt_resume_ranking.csv.gz")
    assert [result.to_dict()["status"] for result in audit.run()] == ["ok"] * 3
    assert Audit.from_config(yaml.safe_load(fairness)).tests[0].analysis == "rate_gaps"
    tests = yaml.safe_load(text)["tests"]
    assert Audit.from_config(yaml.safe_load(windows) | {"tests": tests}, data={}).time.name == "decided_at"


def test_the_readme_names_every_command_and_links_to_what_is_there(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"fairreport {name}" in text
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert link.startswith(("http", "assets/images/")) or (root / link).exists(), link


def test_version_and_changelog_agree(root, project):
    assert project["version"] == fairreport.__version__
    assert f"## [{project['version']}]" in (root / "CHANGELOG.md").read_text(encoding="utf-8")
