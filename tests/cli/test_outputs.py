"""What ``fairreport run`` writes, and where."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import fairreport as fr
from fairreport.cli import progress as progress_module
from fairreport.errors import PdfUnavailableError
from fairreport.report.packet import Report
from fairreport.tables import progress_bar
from fairreport.tables.progress import reported


def test_a_summary_in_plain_text_where_nothing_is_asked_for(command, folder):
    done = command("run", folder.audit())
    lines = done.out.splitlines()
    assert lines[0].startswith("Resume screen")
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 100
    assert done.err == ""


def test_the_data_of_a_tests_json_comes_from_the_command_line(command, tests_json):
    done = command("run", tests_json, "--data", "rows.csv", "--json", "-")
    document = json.loads(done.out)
    assert done.code == 1
    assert document["results"][0]["measurements"]["minImpactRatio"] == pytest.approx(0.64)
    assert document["results"][0]["ignored"] == ["syncId"]


def test_data_on_the_command_line_goes_before_that_of_the_configuration(command, folder):
    folder.write("other.csv", "gender,hired\n" + "F,1\nM,1\n" * 40)
    done = command("run", folder.audit(), "--data", "other.csv", "--json", "-")
    assert json.loads(done.out)["results"][0]["rows_total"] == 80
    assert done.code == 0


def test_json_on_standard_output_is_nothing_but_json(command, folder):
    done = command("run", folder.audit(), "--json", "-")
    assert json.loads(done.out)["status"] == "failing"
    assert done.out == fr.Audit.from_config("audit.yaml").run().to_json()
    assert done.faults == ["status failing (tests: 1 failing)"]


def test_every_output_at_once(command, folder):
    done = command("run", folder.audit(), "--json", "r.json", "--html", "p.html", "--pdf", "p.pdf", "--csv", "tables")
    assert done.code == 1
    assert done.out == ""
    assert done.faults[:-1] == ["wrote r.json", "wrote tables", "wrote p.html", "wrote p.pdf"]
    assert json.loads((folder.path / "r.json").read_text())["title"] == "Resume screen"
    assert (folder.path / "p.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert (folder.path / "p.pdf").read_bytes().startswith(b"%PDF-")
    assert sorted(path.name for path in (folder.path / "tables").iterdir()) == [
        "01-by-gender.csv",
        "measurements.csv",
    ]
    header, first, *_ = (folder.path / "tables" / "01-by-gender.csv").read_text().splitlines()
    assert header.startswith("gender,n,share,favorable,rate,")
    assert first.startswith("F,50,0.5")


def test_the_others_are_written_where_no_pdf_can_be(command, folder, monkeypatch):
    def unavailable(*_, **__):
        raise PdfUnavailableError("PDF needs Pango. Type: apt-get install libpango-1.0-0")

    monkeypatch.setattr(Report, "save", unavailable)
    done = command("run", folder.audit(threshold=0.5), "--pdf", "p.pdf", "--html", "p.html", "--json", "r.json")
    assert done.code == 2
    assert "no PDF was written: PDF needs Pango. Type: apt-get install libpango-1.0-0" in done.faults
    assert {path.name for path in folder.path.iterdir()} >= {"p.html", "r.json"}
    assert not (folder.path / "p.pdf").exists()


def test_counts_in_give_what_rows_in_give(command, folder):
    rows = json.loads(command("run", folder.audit(), "--json", "-").out)
    text = folder.audit().read_text().replace("data: rows.csv", "data: counted.csv\n  counts: n")
    counted = json.loads(command("run", folder.write("audit.yaml", text), "--json", "-").out)
    assert counted["results"] == rows["results"]
    assert counted["data"]["fingerprint"] == rows["data"]["fingerprint"]


def test_the_same_bytes_in_another_process(folder):
    folder.audit()
    texts = [
        subprocess.run(
            [sys.executable, "-m", "fairreport", "run", "audit.yaml", "--json", "-"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        ).stdout
        for seed in ("1", "27")
    ]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["exit_code"] == 1


def test_data_is_written_as_utf_8_whatever_the_locale(folder):
    folder.write("rows.csv", "gender,hired\n" + "Frau Müller – ♀,1\nHerr,0\n" * 40)
    folder.audit()
    done = subprocess.run(
        [sys.executable, "-m", "fairreport", "run", "audit.yaml", "--json", "-"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert "Frau Müller – ♀" in done.stdout.decode("utf-8")
    plain = subprocess.run(
        [sys.executable, "-m", "fairreport", "run", "audit.yaml"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (plain.returncode, plain.stderr) == (1, b"")


class Terminal:
    """Standard error as a person has it."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...


def slow_read() -> None:
    with reported(lambda: 40.0):
        pass


def test_progress_goes_to_a_terminal_only(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_bar, "SECONDS_BEFORE_BAR", 0)
    monkeypatch.setenv("CI", "true")
    with progress_module.progress():
        slow_read()
    assert terminal.text == ""
    monkeypatch.delenv("CI")
    with progress_module.progress():
        slow_read()
    assert "reading" in terminal.text
    assert "100%" in terminal.text
