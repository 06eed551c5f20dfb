"""No run that is refused or killed leaves the result of an earlier one: in the command, in Python, in a notebook."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from fairreport import ConfigError
from fairreport.cli import window_options
from fairreport.cli.main import main
from fairreport.errors import FairreportError
from fairreport.report.folder_lock import LOCK
from fairreport.report.manifest import MANIFEST, described, exit_code_of, read_manifest, write_manifest
from fairreport.report.packet import Report
from fairreport.report.schedule import ScheduledAudit, run_schedule
from fairreport.report.schedule_folder import folder_of
from fairreport.report.schedule_notebook import execute_notebook
from fairreport.report.schedule_parameters import ScheduleParameters, schedule_parameters

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
AUDIT = """\
audit:
  data: decisions.csv
  time: {column: day, window: 7d, delay: 1h, align: 7d%s}
tests:
  - outcome_disparity: {protected_attribute_columns: [sex], outcome_column: hired, favorable_values: ["1"]}
"""
ROWS = "day,sex,hired\n" + "2026-02-24,F,1\n2026-02-25,M,1\n" * 20


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    monkeypatch.setattr(Report, "pdf", lambda _: b"%PDF-1.7\n")


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    class Clock:
        @classmethod
        def now(cls, zone):
            return NOW.astimezone(zone)

    monkeypatch.setattr(window_options, "datetime", Clock)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "audit.yaml").write_text(AUDIT % "", encoding="utf-8")
    (tmp_path / "decisions.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("audit: [", encoding="utf-8")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "oslo.yaml").write_text(AUDIT % ", timezone: Europe/Oslo" + "unknown: 1\n", encoding="utf-8")
    (tmp_path / "closed.txt").write_text("a file", encoding="utf-8")
    for folder in ("out", "reports/2026-03-02", "reports/2026-03-01T23-00-00Z"):
        earlier(tmp_path / folder)
    return tmp_path


def earlier(folder):
    """Leave the files of an earlier run that passed."""
    folder.mkdir(parents=True)
    (folder / "summary.md").write_text("all passed\n", encoding="utf-8")
    write_manifest(
        folder, {"complete": True, "exit_code": 0, "reason": None}, {"summary.md": described("all passed\n")}
    )


def status(folder):
    return main(["schedule", "status", str(folder)])


REFUSED = {
    "no such configuration": ["audit.yml"],
    "a configuration that is no YAML": ["broken.yaml"],
    "a configuration that is no text": ["binary.yaml"],
    "no such data": ["audit.yaml", "--data", "none.csv"],
    "a folder of data without a table": ["audit.yaml", "--data", "out"],
    "a wrong end": ["audit.yaml", "--window-end", "soon"],
    "a wrong zone": ["audit.yaml", "--timezone", "Oslo/Europe"],
    "a wrong window": ["audit.yaml", "--window", "7 dayz"],
    "a wrong delay": ["audit.yaml", "--delay", "-7"],
    "a wrong column of times": ["audit.yaml", "--time-column", "dya"],
    "a history that is no place": ["audit.yaml", "--history", "nosuch+driver://x/y"],
    "a history that cannot be made": ["audit.yaml", "--history", "closed.txt/h.duckdb"],
    "an unknown option": ["audit.yaml", "--windw", "7d"],
    "an option without its value": ["audit.yaml", "--window"],
    "no configuration": [],
    "two configurations": ["audit.yaml", "broken.yaml"],
}


def typed(arguments, *more):
    """Return a command line with the end of a window, where none is stated."""
    given = [] if "--window-end" in arguments else ["--window-end", "2026-03-02"]
    return ["schedule", "run", *given, *more, *(f"--delay={it}" if it == "-7" else it for it in arguments)]


def leave(command):
    """Return the exit code of a command."""
    try:
        return main(command)
    except SystemExit as left:
        return left.code


@pytest.mark.parametrize(
    "way", [pytest.param([], id="command"), pytest.param(["--papermill"], id="papermill", marks=pytest.mark.heavy)]
)
@pytest.mark.parametrize("refused", REFUSED)
def test_a_refused_command_withdraws_what_an_earlier_run_said(place, capsys, refused, way):
    command = [it for it in typed(REFUSED[refused], "--out", "out", *way) if it != "--delay"]
    assert leave(command) == 2
    found = read_manifest(place / "out")
    assert (found.complete, found.exit_code) == (False, 2)
    assert found.reason in capsys.readouterr().err.replace("broken.yaml: broken.yaml", "broken.yaml")
    assert status("out") == 2
    assert exit_code_of(place / "reports" / "2026-03-02") == 0, "the folder of another run"


@pytest.mark.parametrize("refused", [it for it in REFUSED if it != "a wrong end"])
def test_the_same_in_a_folder_that_is_named_by_the_end(place, refused):
    assert leave([it for it in typed(REFUSED[refused]) if it != "--delay"]) == 2
    assert status("reports/2026-03-02") == 2
    assert status("out") == 0


@pytest.mark.parametrize("refused", ["no such data", "a wrong window", "a wrong delay", "an unknown option"])
def test_the_same_where_the_end_follows_from_the_clock(place, refused):
    command = [it for it in typed(REFUSED[refused]) if it not in {"--delay", "--window-end", "2026-03-02"}]
    assert leave(command) == 2
    assert status("reports/2026-03-02") == 2


def test_the_zone_of_a_configuration_that_is_refused_names_the_folder(place):
    assert leave(typed(["oslo.yaml"])) == 2
    assert status("reports/2026-03-01T23-00-00Z") == 2
    assert status("reports/2026-03-02") == 0
    assert leave(typed(["oslo.yaml", "--timezone", "UTC"])) == 2
    assert status("reports/2026-03-02") == 2


def test_without_papermill(place, monkeypatch):
    monkeypatch.setitem(sys.modules, "papermill", None)
    assert leave(typed(["audit.yaml"], "--out", "out", "--papermill")) == 2
    assert "fairreport[schedule]" in read_manifest(place / "out").reason


@pytest.mark.parametrize("option", ["--ouy", "--output", "-o", "--folder"])
def test_a_misspelled_option_of_the_folder_touches_nothing(place, option):
    assert leave(typed(["audit.yaml"], option, "out")) == 2
    assert [status(it) for it in ("out", "reports/2026-03-02")] == [0, 0]
    assert leave(typed(["audit.yaml", "--window", "7 dayz"], "--out", "oyt")) == 2
    assert not (place / "oyt").exists()
    assert status("out") == 0


def test_help_touches_nothing(place):
    assert leave(typed(["--help"], "--out", "out")) == 0
    assert status("out") == 0


@pytest.mark.parametrize("other", ['{"name": "a web application"}', "null", "[]", "{half of", '{"manifest": 3}', "\n"])
def test_the_manifest_of_another_program_is_left_alone(place, other):
    (place / "out" / MANIFEST).write_text(other, encoding="utf-8")
    for arguments in (["audit.yaml"], ["audit.yml"], ["audit.yaml", "--windw", "7d"]):
        assert leave(typed(arguments, "--out", "out")) == 2
        assert (place / "out" / MANIFEST).read_text(encoding="utf-8") == other
    assert sorted(it.name for it in (place / "out").iterdir()) == [MANIFEST, "summary.md"]


# Python


WRONG = [{"window": "7 dayz"}, {"window_end": "soon"}, {"timezone": "x"}, {"delay": -1}, {"histroy": 1}, {"data": 7}]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("out", ["out", "reports/{end}"])
def test_parameters_that_are_refused_in_python(place, wrong, out):
    folder = place / out.format(end="2026-03-02")
    stated = {"config": "audit.yaml", "out": place / out, "window_end": "2026-03-02"} | wrong
    with pytest.raises(ConfigError):
        schedule_parameters(stated)
    if out == "out" or "window_end" not in wrong:
        assert exit_code_of(folder) == 2
        assert str(next(iter(wrong))) in read_manifest(folder).reason


@pytest.mark.parametrize("start", [ScheduledAudit, run_schedule, lambda it: execute_notebook(it, now=NOW)])
@pytest.mark.parametrize("out", ["out", "reports/{end}"])
@pytest.mark.parametrize(
    "wrong", [{"config": "audit.yml"}, {"now": "soon"}, {"time_column": "x", "history": "closed.txt/h"}]
)
def test_a_run_that_is_refused_in_python(place, start, out, wrong):
    stated = {"config": place / "audit.yaml", "out": place / out, "window_end": "2026-03-02"} | wrong
    with pytest.raises(FairreportError):
        start(ScheduleParameters(**stated))
    assert exit_code_of(place / out.format(end="2026-03-02")) == 2


def test_a_table_cannot_go_through_papermill(place):
    stated = ScheduleParameters(config=place / "audit.yaml", out=place / "out", data={"day": []}, now=NOW)
    with pytest.raises(ConfigError, match="cannot take a table"):
        execute_notebook(stated, now=NOW)
    assert exit_code_of(place / "out") == 2


def test_parameters_that_are_read_touch_nothing(place):
    schedule_parameters({"config": "audit.yaml", "out": place / "out", "window_end": "2026-03-02"})
    assert exit_code_of(place / "out") == 0


@pytest.mark.parametrize("out", [None, "", 7, "absent", "closed.txt", "x" * 5000, "a\0b"])
def test_a_folder_that_cannot_be_known(place, out):
    assert folder_of({"out": out, "window_end": "2026-03-02"}, None) is None


# Kills

KILLED = """
import os, signal, sys
import fairreport.cli.run
from fairreport.cli.main import main
def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)
fairreport.cli.run.refuse_absent = kill
main(sys.argv[1:])
"""


@pytest.mark.parametrize(("more", "folder"), [(["--out", "out"], "out"), ([], "reports/2026-03-02")])
def test_a_run_that_is_killed_before_it_reads_anything(place, more, folder):
    command = typed(["audit.yaml"], *more)
    done = subprocess.run([sys.executable, "-c", KILLED, *command], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (place / folder / MANIFEST).exists()
    assert status(folder) == 70


def test_an_interrupted_start(place, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fairreport.report.schedule.load_configuration", interrupt)
    assert leave(typed(["audit.yaml"], "--out", "out")) == 130
    assert status("out") == 70


# What the earlier run left


@pytest.mark.parametrize("refusals", [0, 1, 2])
def test_files_without_a_successor_go_after_refusals_too(place, refusals):
    (place / "out" / "csv").mkdir()
    (place / "out" / "csv" / "07-old.csv").write_text("old\n", encoding="utf-8")
    (place / "out" / "trends.json").write_text("{}", encoding="utf-8")
    outputs = {"csv/07-old.csv": described("old\n"), "trends.json": described("{}")}
    write_manifest(place / "out", {"complete": True, "exit_code": 0, "reason": None}, outputs)
    for _ in range(refusals):
        assert leave(typed(["audit.yml"], "--out", "out")) == 2
    assert leave(typed(["audit.yaml"], "--out", "out")) in {0, 1, 3}
    left = {os.path.relpath(path, place / "out") for path in (place / "out").rglob("*") if path.is_file()}
    document = json.loads((place / "out" / MANIFEST).read_text(encoding="utf-8"))
    assert left == {*document["outputs"], MANIFEST, LOCK}
