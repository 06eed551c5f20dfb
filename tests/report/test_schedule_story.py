"""Twelve weeks of a scheduled audit: a disparity that begins, a week without rows, a late week, runs that are killed."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import signal
import subprocess
import sys
from datetime import date, timedelta

import pytest
import yaml

from fairreport import verify
from fairreport.report.history import History
from fairreport.report.manifest import MANIFEST, differing_outputs, exit_code_of, read_manifest
from fairreport.report.packet import Report
from fairreport.report.schedule import run_schedule
from fairreport.report.schedule_parameters import schedule_parameters
from fairreport.resources import resource_dir

ENDS = [date(2026, 1, 12) + timedelta(weeks=week) for week in range(12)]
EXIT_CODES = [0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 1, 1]
"""The disparity begins in the seventh week; the tenth has no row."""

WORDS = {0: "passing", 1: "failing", 3: "skipped"}
AUDIT_ID = "loan-decisions-week-by-week"
LATE_WEEK, LATE_ROWS = 4, 40
"""Forty rows of the fifth week arrive while the sixth is judged."""


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    monkeypatch.setattr(Report, "pdf", lambda _: b"%PDF-1.7\n")


@pytest.fixture(scope="module")
def rows():
    place = resource_dir("assets") / "data" / "weekly_decisions.csv.gz"
    with gzip.open(str(place), "rt", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def place(tmp_path):
    config = yaml.safe_load((resource_dir("assets") / "schedule" / "audit.yaml").read_text(encoding="utf-8"))
    config["audit"]["data"] = "decisions.csv"
    (tmp_path / "audit.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return tmp_path


def arrive(place, rows):
    with (place / "decisions.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["decided_at", "gender", "age", "approved"])
        writer.writeheader()
        writer.writerows(rows)


def until(rows, week, late=()):
    """Return the rows that have arrived when a week is over."""
    return [row for row in rows if row["decided_at"] < ENDS[week].isoformat() and row not in late]


def judge(place, end):
    parameters = {"config": place / "audit.yaml", "out": place / "reports" / "{end}", "history": place / "h.duckdb"}
    return run_schedule(schedule_parameters(parameters | {"window_end": end}))


def kept(place, test="Approval by gender"):
    with History.open(str(place / "h.duckdb")) as history:
        return history.entries(AUDIT_ID, test=test), history.entries(AUDIT_ID, test=test, superseded=True)


def test_twelve_weeks(place, rows):
    late = [row for row in rows if row["decided_at"] >= ENDS[LATE_WEEK - 1].isoformat()][:LATE_ROWS]
    assert late[-1]["decided_at"] < ENDS[LATE_WEEK].isoformat()
    for week, (end, code) in enumerate(zip(ENDS, EXIT_CODES, strict=True)):
        arrive(place, until(rows, week, late if week <= LATE_WEEK else ()))
        outcome = judge(place, end)
        assert outcome.exit_code == code, end
        document = outcome.manifest.document
        assert document["tests"]["Approval by gender"] == WORDS[code]
        assert document["history"] == "2 records added"
        # Week 5 was judged without its late rows: every run says so until it is judged again.
        expected = [(f"{ENDS[LATE_WEEK]}T00:00:00Z", LATE_ROWS)] if week == LATE_WEEK + 1 else []
        assert [(item["window"]["end"], item["more"]) for item in document["late"]] == expected
        if expected:
            again = judge(place, ENDS[LATE_WEEK]).manifest.document
            assert again["history"].startswith("2 replaced")
        trends = json.loads((outcome.folder / "trends.json").read_text(encoding="utf-8"))["trends"]
        (test,) = [it for it in trends["tests"] if it["name"] == "Approval by gender"]
        assert test["statuses"] == [WORDS[it] for it in EXIT_CODES[: week + 1]]
        assert [it["rows"] for it in trends["windows"]][week] == document["window"]["rows_within"]
        if week in {0, LATE_WEEK + 1, len(ENDS) - 1}:
            assert verify(outcome.folder / "packet.html", data=place / "decisions.csv").agrees
    entries, with_superseded = kept(place)
    assert [entry.window_end for entry in entries] == [f"{end}T00:00:00Z" for end in ENDS]
    assert [entry.window.rows_within for entry in entries][9] == 0
    assert len(with_superseded) == len(ENDS) + 1
    folders = sorted(it for it in (place / "reports").iterdir() if it.is_dir())
    assert [folder.name for folder in folders] == [str(end) for end in ENDS]
    assert [exit_code_of(folder) for folder in folders] == EXIT_CODES
    assert [differing_outputs(folder) for folder in folders] == [()] * len(ENDS)
    # The trend finds the week in which it began.
    text = (outcome.folder / "summary.md").read_text(encoding="utf-8")
    assert "12 windows of 1 week" in text
    assert "it first changed with 2026-02-16 to 2026-02-23, from passing to failing" in text
    page = (outcome.folder / "packet.html").read_text(encoding="utf-8")
    assert "Over time" in page


# Runs that are killed

KILLS = {
    "after the history was written": ("fairreport.report.schedule", "windows_of", 2),
    "before the rows are read": ("fairreport.audit.audit", "open_table", 1),
    "in the transaction of the history": ("fairreport.report.history", "_put", 2),
    "while the tables are written": ("fairreport.report.schedule_files", "summary_markdown", 1),
    "while the page is written": ("fairreport.report.checksum", "write_whole", 1),
    "after the page": ("fairreport.report.checksum", "write_whole", 3),
    "before the manifest": ("fairreport.report.schedule", "write_manifest", 1),
    "in the middle of the manifest": ("fairreport.report.manifest", "write_whole", 1),
}

KILLED = """
import importlib, json, os, signal, sys
module, name, calls, stated = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
from fairreport.report import schedule, packet
from fairreport.report.schedule_parameters import schedule_parameters
packet.Report.pdf = lambda self: b"%PDF-1.7\\n"
place = importlib.import_module(module)
real = getattr(place, name)
seen = []
def kill(*arguments, **named):
    seen.append(1)
    if len(seen) == calls:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **named)
setattr(place, name, kill)
schedule.run_schedule(schedule_parameters(stated))
"""


@pytest.mark.parametrize(
    "moment", [next(iter(KILLS)), *(pytest.param(it, marks=pytest.mark.heavy) for it in list(KILLS)[1:])]
)
def test_a_killed_run_is_a_failed_run_and_the_next_one_is_whole(place, rows, moment):
    module, name, calls = KILLS[moment]
    arrive(place, rows)
    judge(place, ENDS[5])
    folder = place / "reports" / str(ENDS[6])
    judge(place, ENDS[6])  # an earlier run of the same window, whose manifest must not be taken for the next one's
    whole = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["outputs"]
    (place / "h.duckdb").unlink()
    judge(place, ENDS[5])
    stated = {
        "config": str(place / "audit.yaml"),
        "out": str(place / "reports" / "{end}"),
        "history": str(place / "h.duckdb"),
        "window_end": str(ENDS[6]),
    }
    done = subprocess.run(
        [sys.executable, "-c", KILLED, module, name, str(calls), json.dumps(stated)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert read_manifest(folder) is None
    assert exit_code_of(folder) == 70

    before = {entry.window_end: entry for entry in kept(place)[0]}
    assert f"{ENDS[5]}T00:00:00Z" in before
    both = [f"{ENDS[6]}T00:00:00Z" in {entry.window_end for entry in kept(place, test)[0]} for test in TESTS]
    assert len(set(both)) == 1, "a transaction keeps all tests of a run or none"

    outcome = judge(place, ENDS[6])
    assert (outcome.exit_code, outcome.manifest.complete) == (1, True)
    for test in TESTS:
        entries, with_superseded = kept(place, test)
        assert [entry.window_end for entry in entries] == [f"{ENDS[5]}T00:00:00Z", f"{ENDS[6]}T00:00:00Z"]
        assert len(with_superseded) == 2
    assert outcome.manifest.document["outputs"] == whole
    left = [path.name for path in folder.rglob("*.part")]
    assert differing_outputs(folder) == ()
    assert len(left) <= 1
    assert hashlib.sha256((folder / "results.json").read_bytes()).hexdigest() == whole["results.json"]["sha256"]


TESTS = ("Approval by gender", "Approval by age")
