"""A scheduled run: the same files whoever starts it, and a manifest that says how it ended."""

from __future__ import annotations

import csv
import gzip
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from fairreport import ConfigError, DataError, PdfUnavailableError, verify
from fairreport.report.folder_lock import LOCK
from fairreport.report.history import History
from fairreport.report.manifest import MANIFEST, differing_outputs, read_manifest
from fairreport.report.packet import Report
from fairreport.report.schedule import ScheduledAudit, run_schedule
from fairreport.report.schedule_parameters import ScheduleParameters, schedule_parameters
from fairreport.resources import resource_dir

FILES = {
    "csv/01-approval-by-gender.csv",
    "csv/02-approval-by-age.csv",
    "csv/measurements.csv",
    "junit.xml",
    "log.jsonl",
    "packet.html",
    "packet.html.sha256",
    "packet.pdf",
    "packet.pdf.sha256",
    "results.json",
    "summary.md",
}


@pytest.fixture(scope="module")
def weeks():
    """Return the rows of the example."""
    place = resource_dir("assets") / "data" / "weekly_decisions.csv.gz"
    with gzip.open(str(place), "rt", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def real_pdf():
    """Ask for the PDF as it is; other tests do without, which takes most of the time of a run."""


@pytest.fixture(autouse=True)
def quick_pdf(request, monkeypatch):
    if "real_pdf" not in request.fixturenames:
        monkeypatch.setattr(Report, "pdf", lambda _: b"%PDF-1.7\n")


@pytest.fixture
def folder(tmp_path, weeks):
    """Return a folder with the example's configuration and a copy of its data that a test may change."""
    config = yaml.safe_load((resource_dir("assets") / "schedule" / "audit.yaml").read_text(encoding="utf-8"))
    config["audit"]["data"] = "decisions.csv"
    (tmp_path / "audit.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    write_rows(tmp_path, weeks)
    return tmp_path


def write_rows(folder, rows):
    with (folder / "decisions.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["decided_at", "gender", "age", "approved"])
        writer.writeheader()
        writer.writerows(rows)


def change(folder, **settings):
    path = folder / "audit.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["audit"] |= settings
    path.write_text(yaml.safe_dump(config), encoding="utf-8")


def stated(folder, end="2026-03-02", **more):
    return schedule_parameters(
        {
            "config": folder / "audit.yaml",
            "out": folder / "out",
            "window_end": end,
            "history": folder / "h.duckdb",
            **more,
        }
    )


def test_a_run_leaves_its_files_and_a_manifest_that_names_them(folder):
    outcome = run_schedule(stated(folder))
    written = {str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file()}
    assert written == FILES | {MANIFEST, LOCK, "trends.json"}
    document = json.loads((folder / "out" / MANIFEST).read_text(encoding="utf-8"))
    assert set(document["outputs"]) == FILES | {"trends.json"}
    assert differing_outputs(folder / "out") == ()
    assert (document["complete"], document["exit_code"], document["reason"]) == (True, 1, None)
    assert document["tests"] == {"Approval by gender": "failing", "Approval by age": "passing"}
    assert document["window"]["rows_within"] == 780
    assert document["history"] == "2 records added"
    assert document["now"] is None
    assert outcome.exit_code == 1


def test_the_packet_of_a_run_is_verified(folder, real_pdf):
    outcome = run_schedule(stated(folder))
    for name in ("packet.html", "packet.pdf", "results.json"):
        found = verify(folder / "out" / name, data=folder / "decisions.csv")
        assert found.agrees, name
        assert found.packet_id == outcome.told.packet_id == outcome.manifest.document["packet_id"]


@pytest.mark.heavy
def test_the_same_run_gives_the_same_bytes(folder, real_pdf, drawn_anew):
    run_schedule(stated(folder))
    first = json.loads((folder / "out" / MANIFEST).read_text())
    run_schedule(stated(folder))
    again = json.loads((folder / "out" / MANIFEST).read_text())
    assert again["history"] == "2 the same as before"
    assert again["outputs"] == first["outputs"]


def test_the_summary_is_one_paragraph(folder):
    run_schedule(stated(folder))
    text = (folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert text.count("\n") == 1
    assert text.startswith("**Loan decisions, week by week: failing** (exit code 1). Window from 2026-02-23 00:00 to ")
    assert "780 rows." in text
    assert "Not passing: Approval by gender (failing)." in text


def test_the_line_for_a_log_is_one_line_of_ascii_json(folder):
    change(folder, title='Zürich "\n</b>')
    run_schedule(stated(folder))
    text = (folder / "out" / "log.jsonl").read_text(encoding="utf-8")
    assert text.count("\n") == 1
    assert text.isascii()
    line = json.loads(text)
    assert line["title"] == 'Zürich "\n</b>'
    assert (line["event"], line["status"], line["exit_code"], line["rows"]) == (
        "fairreport.schedule",
        "failing",
        1,
        780,
    )


@pytest.mark.parametrize("name", ["<script>", "**bold**", "[a](http://b)", "line\nbreak", "| x |", "`code`"])
def test_names_stay_text_in_the_summary(folder, name):
    change(folder, title=name)
    run_schedule(stated(folder))
    text = (folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert text.count("\n") == 1
    assert name not in text


def test_an_empty_window_is_recorded_as_skipped(folder):
    outcome = run_schedule(stated(folder, "2026-03-16"))
    document = outcome.manifest.document
    assert (outcome.exit_code, document["complete"], document["status"]) == (3, True, "skipped")
    assert document["reason"] == "the window holds no row, so nothing was judged"
    with History.open(str(folder / "h.duckdb")) as history:
        assert {entry.status for entry in history.entries("loan-decisions-week-by-week")} == {"skipped"}
    assert "no rows" in (folder / "out" / "summary.md").read_text(encoding="utf-8")


def test_an_end_that_follows_from_now_is_recorded(folder):
    parameters = schedule_parameters({"config": folder / "audit.yaml", "out": folder / "out"})
    outcome = run_schedule(parameters, now=datetime(2026, 3, 2, 6, 30, tzinfo=UTC))
    document = outcome.manifest.document
    assert document["now"] == "2026-03-02T06:30:00Z"
    assert document["window"]["end"] == "2026-03-02T00:00:00Z"
    assert document["window"]["delay_seconds"] == 3600
    assert document["history"] is None


def test_the_clock_is_never_asked(folder):
    with pytest.raises(ConfigError, match="when does the window end"):
        run_schedule(schedule_parameters({"config": folder / "audit.yaml", "out": folder / "out"}))


def test_the_end_of_the_window_names_the_folder(folder):
    out = str(folder / "reports" / "{end}")
    assert run_schedule(stated(folder, out=out)).folder == folder / "reports" / "2026-03-02"
    outcome = run_schedule(stated(folder, "2026-03-02T06:30", out=out))
    assert outcome.folder == folder / "reports" / "2026-03-02T06-30-00Z"


def test_the_options_go_before_the_configuration(folder):
    outcome = run_schedule(stated(folder, window="1d", delay="2h"))
    window = outcome.manifest.document["window"]
    assert (window["length_seconds"], window["delay_seconds"]) == (86_400, 7_200)


def test_a_history_that_stands_under_an_id(folder):
    change(folder, id="loans")
    run_schedule(stated(folder))
    with History.open(str(folder / "h.duckdb")) as history:
        assert history.audits() == ("loans",)


# What goes wrong


def test_an_old_manifest_is_not_taken_for_that_of_a_new_run(folder):
    run_schedule(stated(folder))
    scheduled = ScheduledAudit(stated(folder, "2026-03-09"))
    assert read_manifest(folder / "out") is None
    scheduled.judge()
    scheduled.keep()
    assert read_manifest(folder / "out") is None
    scheduled.finish()
    assert read_manifest(folder / "out").document["window_end"] == "2026-03-09T00:00:00Z"


def test_a_wrong_configuration_leaves_a_manifest_that_says_so(folder):
    run_schedule(stated(folder))
    change(folder, time={"column": "decided", "window": "7d"})
    with pytest.raises(DataError, match="no column 'decided'"):
        run_schedule(stated(folder))
    found = read_manifest(folder / "out")
    assert (found.complete, found.exit_code) == (False, 2)
    assert "no column 'decided'" in found.reason
    change(folder, time={"colum": "decided_at"})
    with pytest.raises(ConfigError):
        run_schedule(stated(folder))
    assert read_manifest(folder / "out").reason.startswith("audit.yaml: audit.time")


def test_an_audit_without_a_time_column(folder):
    change(folder, time=None)
    with pytest.raises(ConfigError, match="which column holds the times"):
        run_schedule(stated(folder))
    assert run_schedule(stated(folder, time_column="decided_at", window="7d")).exit_code == 1


def test_a_history_that_cannot_be_written_is_said_before_data_is_read(folder):
    (folder / "decisions.csv").unlink()
    (folder / "h.duckdb").write_text("no database", encoding="utf-8")
    with pytest.raises(DataError, match=r"h\.duckdb"):
        ScheduledAudit(stated(folder))


def test_without_pdf_a_run_is_not_complete(folder, monkeypatch):
    def refuse(*_, **__):
        raise PdfUnavailableError("install libpango-1.0-0")

    monkeypatch.setattr(Report, "pdf", refuse)
    outcome = run_schedule(stated(folder))
    found = read_manifest(folder / "out")
    assert (found.complete, found.exit_code) == (False, 2)
    assert found.reason == "no PDF was written: install libpango-1.0-0"
    assert "packet.html" in found.document["outputs"]
    assert "packet.pdf" not in found.document["outputs"]
    assert outcome.exit_code == 2


def test_a_folder_that_cannot_be_made(folder):
    (folder / "file").write_text("x")
    with pytest.raises(ConfigError, match="cannot make the folder"):
        ScheduledAudit(stated(folder, out=folder / "file" / "out"))


def test_files_of_the_run_before_that_have_no_successor_go(folder):
    run_schedule(stated(folder))
    (folder / "out" / "csv" / "mine.csv").write_text("not of fairreport")
    config = yaml.safe_load((folder / "audit.yaml").read_text())
    config["tests"] = config["tests"][:1]
    (folder / "audit.yaml").write_text(yaml.safe_dump(config))
    run_schedule(
        schedule_parameters({"config": folder / "audit.yaml", "out": folder / "out", "window_end": "2026-03-02"})
    )
    left = sorted(path.name for path in (folder / "out" / "csv").iterdir())
    assert left == ["01-approval-by-gender.csv", "measurements.csv", "mine.csv"]
    assert not (folder / "out" / "trends.json").exists()


# Late rows


def test_late_rows_are_told_until_their_window_is_judged_again(folder, weeks):
    run_schedule(stated(folder, "2026-02-09"))
    late = [row | {"decided_at": "2026-02-05T12:00:00"} for row in weeks[:25]]
    write_rows(folder, [*weeks, *late])
    outcome = run_schedule(stated(folder, "2026-02-16"))
    (found,) = outcome.manifest.document["late"]
    assert (found["more"], found["window"]["end"], found["rows"]) == (25, "2026-02-09T00:00:00Z", 920)
    assert outcome.manifest.document["late_rows"] == 25
    text = (folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert (
        "25 rows came late in the window from 2026-02-02 00:00 to before 2026-02-09 00:00 UTC, judged with 895" in text
    )
    assert "--window-end 2026-02-09T00:00:00Z" in text
    again = run_schedule(stated(folder, "2026-02-09T00:00:00Z")).manifest.document
    assert (again["late"], again["history"]) == ([], "2 replaced (the earlier kept as superseded)")
    assert run_schedule(stated(folder, "2026-02-23")).manifest.document["late"] == []


@pytest.mark.heavy
def test_many_windows_with_late_rows_are_counted_and_the_first_told(folder, weeks):
    ends = [date(2026, 1, 12) + timedelta(weeks=week) for week in range(6)]
    for end in ends[:-1]:
        run_schedule(stated(folder, end.isoformat()))
    late = [
        row | {"decided_at": f"{end - timedelta(days=2)}T12:00:00"} for end in ends[:-1] for row in weeks[: end.day]
    ]
    write_rows(folder, [*weeks, *late])
    outcome = run_schedule(stated(folder, ends[-1].isoformat()))
    listed = [item["window"]["end"][:10] for item in outcome.manifest.document["late"]]
    assert listed == [end.isoformat() for end in ends[:-1]]
    text = (folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert "5 earlier windows hold other rows than when they were judged: the first 3 are told here" in text
    assert [f"--window-end {end}T" in text for end in ends[:-1]] == [True, True, True, False, False]
    assert text.count("came late in the window") == 3


def test_the_history_tells_when_a_window_was_judged(folder):
    run_schedule(stated(folder, "2026-02-09", now="2026-02-10T06:30"))
    run_schedule(stated(folder, "2026-02-16"))
    history = History(folder / "h.duckdb")
    path, _ = history.export(csv=folder / "out.csv", json=folder / "out.json")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert {(row["window_end"][:10], row["created"]) for row in rows} == {
        ("2026-02-09", "2026-02-10T06:30:00Z"),
        ("2026-02-16", ""),
    }


# Groups that a report withholds


def test_what_the_packet_withholds_stands_in_no_file(folder, weeks):
    few = [row | {"age": "over 90"} for row in weeks if row["decided_at"].startswith("2026-02-24")][:4]
    write_rows(folder, [*weeks, *few])
    change(folder, report={"suppress_below": 10})
    told = run_schedule(stated(folder)).told.trends
    assert [name for name, _ in told.evidence.withheld] == ["Approval by age"]
    assert "age = over 90" not in {group.label for test in told.evidence.tests for group in test.groups}
    tables = (folder / "out" / "csv" / "02-approval-by-age.csv").read_text(encoding="utf-8")
    (row,) = [line for line in tables.splitlines() if line.startswith("over 90")] or [""]
    assert ",4," not in row
    document = json.loads((folder / "out" / "results.json").read_text(encoding="utf-8"))
    assert document["withheld"]["below"] == 10
    assert verify(folder / "out" / "results.json").agrees


# The example


def test_without_a_configuration_the_example_is_run(tmp_path):
    scheduled = ScheduledAudit(ScheduleParameters(out=tmp_path / "out"))
    run = scheduled.judge()
    trends = scheduled.keep()
    outcome = scheduled.finish()
    assert run.record.data.window.end == "2026-03-30T00:00:00Z"
    assert len(trends.evidence.windows) == 12
    assert outcome.exit_code == 1
    assert "Run complete: failing, exit code 1" in repr(outcome)
    page = outcome._repr_mimebundle_()["text/html"]
    assert "manifest.json" in page
    assert str(tmp_path) not in page


def test_the_example_of_an_earlier_week_knows_no_later_one(tmp_path):
    scheduled = ScheduledAudit(ScheduleParameters(out=tmp_path, window_end=date(2026, 2, 2)))
    scheduled.judge()
    ends = [window.end for window in scheduled.keep().evidence.windows]
    assert ends == [f"{date(2026, 1, 12) + timedelta(weeks=i)}T00:00:00Z" for i in range(4)]


def test_a_folder_of_the_example_is_made_where_none_is_stated():
    outcome = run_schedule(ScheduleParameters(window_end="2026-01-12"))
    assert Path(outcome.folder).is_dir()
    assert outcome.exit_code == 0
