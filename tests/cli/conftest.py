"""A folder with data and a configuration, and a way to run the command in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from fairreport.cli.main import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def faults(self) -> list[str]:
        return [line.removeprefix("fairreport: ") for line in self.err.splitlines()]


Command = Callable[..., Outcome]


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes]) -> Command:
    """Run ``fairreport`` in this process; what it writes is read as UTF-8."""

    def run(*arguments: object) -> Outcome:
        capfdbinary.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode("utf-8"), err.decode("utf-8"))

    return run


ROWS = [("F", "1", 24), ("F", "0", 26), ("M", "1", 30), ("M", "0", 10), ("", "1", 3)]
"""Selection rates 24/50 = 0.48 and 30/40 = 0.75: ratio 0.64. Three rows without a gender."""

CONFIG = """\
audit:
  title: Resume screen
  data: rows.csv
tests:
  - outcome_disparity:
      name: by gender
      protected_attribute_columns: [gender]
      outcome_column: hired
      favorable_values: ["1"]
      impact_ratio_threshold: {threshold}
"""


class Folder:
    """A folder of a user."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def audit(self, threshold: float = 0.8, name: str = "audit.yaml") -> Path:
        return self.write(name, CONFIG.format(threshold=threshold))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The working folder, with ``rows.csv`` in it."""
    monkeypatch.chdir(tmp_path)
    made = Folder(tmp_path)
    lines = [f"{gender},{hired}" for gender, hired, n in ROWS for _ in range(n)]
    made.write("rows.csv", "gender,hired\n" + "\n".join(lines) + "\n")
    made.write("counted.csv", "gender,hired,n\n" + "\n".join(f"{g},{h},{n}" for g, h, n in ROWS) + "\n")
    return made


@pytest.fixture
def tests_json(folder: Folder) -> Path:
    """The same audit as a tests.json."""
    parameters = {
        "protected_attribute_columns": ["gender"],
        "outcome_column": "hired",
        "favorable_values": ["1"],
    }
    threshold = {
        "insightName": "groupOutcomeDisparity",
        "insightParameters": [{"name": name, "value": value} for name, value in parameters.items()],
        "measurement": "minImpactRatio",
        "operator": ">=",
        "value": 0.8,
    }
    entry = {"name": "by gender", "type": "fairness", "subtype": "groupOutcomeDisparity", "syncId": "7"}
    return folder.write("tests.json", json.dumps([entry | {"thresholds": [threshold]}]))
