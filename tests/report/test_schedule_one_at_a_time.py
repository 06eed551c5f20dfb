"""One run at a time in a folder, one audit in it, and one file beside the folders that names the newest run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fairreport.cli.main import main
from fairreport.errors import DataError
from fairreport.report import schedule
from fairreport.report.folder_lock import LOCK, holding
from fairreport.report.latest_run import LATEST, finish_run, read_latest, start_run
from fairreport.report.manifest import MANIFEST, NotOursError, exit_code_of, read_manifest
from fairreport.report.packet import Report
from fairreport.report.schedule_parameters import ScheduleParameters

AUDIT = """\
audit:
  id: %s
  data: decisions.csv
  time: {column: day, window: 7d}
tests:
  - outcome_disparity: {protected_attribute_columns: [sex], outcome_column: hired, favorable_values: ["1"]}
"""
ROWS = "day,sex,hired\n" + "2026-02-24,F,1\n2026-02-25,M,1\n2026-02-24,F,0\n2026-02-25,M,0\n" * 100
END = ("--window-end", "2026-03-02")
WEEK = "reports/2026-03-02"
HOLD = """
import sys
from pathlib import Path
from fairreport.report.folder_lock import holding
with holding(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    monkeypatch.setattr(Report, "pdf", lambda _: b"%PDF-1.7\n")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "audit.yaml").write_text(AUDIT % "weekly", encoding="utf-8")
    (tmp_path / "other.yaml").write_text(AUDIT % "other", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("audit: [", encoding="utf-8")
    (tmp_path / "decisions.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run():
    """Return a function that runs the command and returns its exit code."""

    def leave(*words):
        try:
            return main(["schedule", "run", *words])
        except SystemExit as left:
            return left.code

    return leave


def status(folder):
    return main(["schedule", "status", str(folder)])


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def hold(folder):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    return holder


# The lock


@pytest.mark.parametrize("more", [[], ["--papermill"], ["--windw", "7d"], ["--window", "x"]])
@pytest.mark.parametrize("out", ["out", "reports/{end}"])
def test_a_second_run_is_refused_and_touches_nothing(place, run, capsys, out, more):
    folder = place / out.format(end="2026-03-02")
    assert run("audit.yaml", *END, "--out", out) == 0
    before = files(folder)
    holder = hold(folder)
    try:
        capsys.readouterr()
        assert run("audit.yaml", *END, "--out", out, *more) == 2
        assert files(folder) == before
        printed = capsys.readouterr()
        assert printed.out == ""
        if "--windw" not in more and not (more == ["--window", "x"] and "{end}" in out):
            assert printed.err.count("\n") == 1
            assert f"another run writes into {str(Path(out.format(end='2026-03-02')))!r}" in printed.err
    finally:
        holder.communicate("")
    assert run("audit.yaml", *END, "--out", out) == 0


def test_the_system_takes_the_lock_back_from_who_is_killed(place, run):
    assert run("audit.yaml", *END, "--out", "out") == 0
    holder = hold(place / "out")
    assert run("audit.yaml", *END, "--out", "out") == 2
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()
    assert run("audit.yaml", *END, "--out", "out") == 0


def test_a_folder_is_held_to_the_end_of_a_run_and_no_longer(place, run, monkeypatch):
    def try_it():
        code = "import sys\nfrom pathlib import Path\nfrom fairreport.report.folder_lock import holding\n"
        code += f"with holding(Path({str(place / 'out')!r})): pass\n"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode

    seen = []
    real = schedule.write_manifest
    monkeypatch.setattr(schedule, "write_manifest", lambda *it: (seen.append(try_it()), real(*it))[1])
    assert run("audit.yaml", *END, "--out", "out") == 0
    assert seen == [1]
    assert try_it() == 0
    assert run("broken.yaml", *END, "--out", "out") == 2
    assert try_it() == 0


def test_a_start_inside_a_start_is_the_same_run(tmp_path):
    with holding(tmp_path), holding(tmp_path):
        pass
    hold(tmp_path).communicate("")
    assert [it.name for it in tmp_path.iterdir()] == [LOCK]


# What the run wrote


@pytest.mark.parametrize("name", ["log.jsonl", "results.json", "packet.pdf.sha256", "csv/measurements.csv"])
def test_the_hashes_are_of_what_the_run_wrote_not_of_what_lies_there(place, run, monkeypatch, capsys, name):
    real = schedule.write_files

    def meddled(report, told, folder, written, **named):
        real(report, told, folder, written, **named)
        (folder / name).write_text("of another run", encoding="utf-8")

    monkeypatch.setattr(schedule, "write_files", meddled)
    assert run("audit.yaml", *END, "--out", "out") == 2
    assert f"the output {name!r} is not what this run wrote" in capsys.readouterr().err
    assert status("out") == 2


def test_every_hash_is_that_of_its_file(place, run):
    assert run("audit.yaml", *END, "--out", "out") == 0
    assert {*read_manifest(place / "out").document["outputs"], MANIFEST, LOCK} == files(place / "out").keys()


def test_a_log_of_another_packet_is_refused(place, run, capsys):
    assert run("audit.yaml", *END, "--out", "out") == 0
    document = json.loads((place / "out" / MANIFEST).read_text(encoding="utf-8"))
    (place / "out" / MANIFEST).write_text(json.dumps(document | {"packet_id": "0" * 12}), encoding="utf-8")
    assert status("out") == 70
    assert "log.jsonl in out is not that of the run" in capsys.readouterr().err


# The newest run


def test_the_newest_run_is_told_where_its_folder_cannot_be_known(place, run, capsys):
    assert run("audit.yaml", *END) == 0
    assert status("reports") == 0
    assert run("audit.yaml", "--window-end", "soon") == 2
    assert exit_code_of(place / WEEK) == 0
    capsys.readouterr()
    assert status("reports") == 2
    assert "window_end: must be a time" in capsys.readouterr().err
    assert run("audit.yaml", *END) == 0
    assert status("reports") == 0
    assert read_latest(place / "reports").folder == "2026-03-02"
    for refused in (["broken.yaml"], ["audit.yaml", "--windw", "7d"], ["audit.yaml", "--data", "none.csv"]):
        assert run(*refused) == 2
        assert status("reports") == 2


@pytest.mark.heavy
def test_a_run_of_papermill_is_the_newest_too(place, run):
    assert run("audit.yaml", *END, "--papermill") == 0
    assert status("reports") == 0
    assert run("broken.yaml", *END, "--papermill") == 2
    assert status("reports") == 2


KILLED = """
import os, signal, sys
class Killer:
    def find_spec(self, name, *_):
        if name in {"numpy", "pydantic", "duckdb"}:
            os.kill(os.getpid(), signal.SIGKILL)
sys.meta_path.insert(0, Killer())
from fairreport.cli.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(("out", "asked"), [("out", "out"), ("reports/{end}", "reports")])
def test_a_run_that_is_killed_while_libraries_are_read(place, run, out, asked):
    assert run("audit.yaml", *END, "--out", out) == 0
    assert status(asked) == 0
    command = [sys.executable, "-c", KILLED, "schedule", "run", "audit.yaml", "--out", out]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert status(asked) == 70


def test_a_run_that_ends_after_another_started_does_not_speak_for_it(tmp_path):
    out = tmp_path / "{end}"
    start_run(out)
    other = json.loads((tmp_path / LATEST).read_text(encoding="utf-8")) | {"run": "that of another"}
    (tmp_path / LATEST).write_text(json.dumps(other), encoding="utf-8")
    finish_run(out, tmp_path / "2026-03-02", "weekly")
    assert read_latest(tmp_path).state == "started"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"latest": 2}', '{"name": "of another"}'])
def test_a_file_of_that_name_of_another_program_is_left_alone(place, run, text):
    (place / "reports").mkdir()
    (place / "reports" / LATEST).write_text(text, encoding="utf-8")
    assert run("audit.yaml", *END) == 2
    assert files(place / "reports") == {LATEST: text.encode()}
    assert status("reports") == 70


@pytest.mark.parametrize("wrong", [{"state": 3}, {"folder": 3}, {"folder": "../out"}, {"state": "x"}, {"folder": None}])
def test_a_file_that_says_nothing_is_no_success(place, run, wrong):
    assert run("audit.yaml", *END) == 0
    shutil.copytree(place / WEEK, place / "out")
    path = place / "reports" / LATEST
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | wrong), encoding="utf-8")
    assert status("reports") == 70


def test_a_folder_that_is_both_is_ambiguous(place, run):
    assert run("audit.yaml", *END) == 0
    shutil.copy(place / WEEK / MANIFEST, place / "reports" / MANIFEST)
    assert status("reports") == 70


# Another audit


@pytest.mark.parametrize("out", ["out", "reports/{end}"])
def test_the_result_of_another_audit_is_left_as_it_was(place, run, capsys, out):
    folder = place / out.format(end="2026-03-02")
    assert run("audit.yaml", *END, "--out", out) == 0
    before = files(folder)
    assert run("other.yaml", *END, "--out", out) == 2
    assert "name another --out" in capsys.readouterr().err
    assert files(folder) == before
    assert status(folder) == 0
    assert run("audit.yaml", *END, "--out", out) == 0


def test_another_audit_brings_no_withdrawn_result_back(place, run):
    assert run("audit.yaml", *END, "--out", "out") == 0
    assert run("broken.yaml", *END, "--out", "out") == 2
    assert run("other.yaml", *END, "--out", "out") == 2
    assert status("out") != 0


# What is refused


SECRETS = [
    "postgresql://bob:s3cret@host/h",
    "bob:s3cret@host/none/h.duckdb",
    "none/h.duckdb?password=s3cret",
    "md:x?motherduck_token=s3cret",
    "mssql+pyodbc:///?odbc_connect=PWD%3Ds3cret",
    "none/x?key=s3cret&y",
    "none/PWD=s3cret;x",
]


@pytest.mark.parametrize("option", ["--data", "--history", "--windw", "--window-end", "--timezone", "--time-column"])
@pytest.mark.parametrize("secret", SECRETS)
def test_no_password_is_written_or_said(place, run, capsys, secret, option):
    (place / "out").mkdir()
    (place / "reports").mkdir()
    for out in ("out", "reports/{end}"):
        run("audit.yaml", *(() if option == "--window-end" else END), option, secret, "--out", out)
    status("out")
    status("reports")
    printed = capsys.readouterr()
    assert "s3cret" not in printed.out + printed.err
    assert not [path for path, content in files(place).items() if b"s3cret" in content]


def test_parameters_show_neither_data_nor_history():
    stated = ScheduleParameters(data="postgresql://bob:s3cret@host/h", history="postgresql://bob:s3cret@host/h")
    assert "s3cret" not in repr(stated)


@pytest.mark.parametrize(
    "option", ["--history", "--window-end", "--timezone", "--delay", "--window", "--table", "--out"]
)
@pytest.mark.parametrize("typed", ["", "nan", "None"])
def test_what_stands_for_nothing_is_refused_on_the_command_line(place, run, capsys, option, typed):
    assert run("audit.yaml", *(() if option == "--window-end" else END), option, typed) == 2
    err = capsys.readouterr().err
    assert f"{option[2:].replace('-', '_')}: {typed!r} stands for nothing" in err
    assert err.count("\n") == 1


def test_what_speaks_of_a_result_says_that_the_run_was_refused(place, run):
    assert run("audit.yaml", *END, "--out", "out") == 0
    assert run("audit.yaml", *END, "--out", "out", "--data", "none.csv") == 2
    for name in ("summary.md", "junit.xml", "log.jsonl"):
        text = (place / "out" / name).read_text(encoding="utf-8")
        assert "refused" in text
        assert "there is no file" in text
    assert json.loads((place / "out" / "log.jsonl").read_text(encoding="utf-8"))["exit_code"] == 2
    (place / "own").mkdir()
    (place / "own" / "summary.md").write_text("of a person", encoding="utf-8")
    assert run("broken.yaml", *END, "--out", "own") == 2
    assert (place / "own" / "summary.md").read_text(encoding="utf-8") == "of a person"


def test_a_window_without_rows_is_what_junit_says(place, run):
    assert run("audit.yaml", "--window-end", "2026-04-06", "--out", "out") == 3
    text = (place / "out" / "junit.xml").read_text(encoding="utf-8")
    assert "the window holds no row" in text
    assert "has no value" not in text


def test_a_folder_that_cannot_be_locked_is_one_clear_error(tmp_path):
    (tmp_path / LOCK).mkdir()
    with pytest.raises(DataError, match="cannot write in the folder"), holding(tmp_path):
        pass
    assert issubclass(NotOursError, DataError)
    assert os.listdir(tmp_path) == [LOCK]  # noqa: PTH208 - the names
