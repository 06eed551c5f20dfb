"""Every status has its exit code, and a crash never looks like a failing test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from fairreport.audit.audit import Audit
from fairreport.audit.gate import Status, exit_code
from fairreport.cli import run as run_module


def test_a_passing_audit_leaves_with_0(command, folder):
    assert command("run", folder.audit(threshold=0.5)).code == 0


def test_a_failing_audit_leaves_with_1(command, folder):
    assert command("run", folder.audit(threshold=0.8)).code == 1


def test_a_skipped_test_leaves_with_3(command, folder):
    text = folder.audit(threshold=0.5).read_text().replace("[gender]", "[gendre]")
    done = command("run", folder.write("audit.yaml", text), "--json", "-")
    assert done.code == 3
    assert "has no column 'gendre'. Did you mean 'gender'?" in done.out


def test_a_failing_test_outweighs_a_skipped_one(command, folder):
    other = CONFIG_OF_TEST.replace("by gender", "other").replace("[gender]", "[absent]")
    text = folder.audit(threshold=0.8).read_text() + other
    assert command("run", folder.write("audit.yaml", text)).code == 1


CONFIG_OF_TEST = """\
  - outcome_disparity:
      name: by gender
      protected_attribute_columns: [gender]
      outcome_column: hired
      favorable_values: ["1"]
"""


@pytest.mark.parametrize(
    ("status", "code"),
    [("passing", 0), ("failing", 1), ("skipped", 3), ("insufficient_evidence", 3), ("manual_review", 4)],
)
def test_the_code_of_each_status(status, code):
    assert exit_code(Status(status)) == code


@pytest.mark.parametrize("arguments", [("run", "absent.yaml"), ("init", "absent.csv"), ("rnu", "x"), ("run",), ()])
def test_what_is_wrong_on_the_command_line_leaves_with_2(command, folder, arguments):
    done = command(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err


def test_the_nearest_command_is_named(command, folder):
    assert "Did you mean 'run'?" in command("rnu", "audit.yaml").err


@pytest.mark.parametrize("option", ["--histroy"])
def test_options_that_are_not_offered_are_refused(command, folder, option):
    done = command("run", folder.audit(), option, "x")
    assert done.code == 2
    assert f"unrecognized arguments: {option}" in done.err


def test_an_error_of_our_own_leaves_with_70_and_one_line(command, folder, monkeypatch):
    monkeypatch.setattr(Audit, "run", lambda *_: 1 / 0)
    done = command("run", folder.audit())
    assert done.code == 70
    assert done.faults == ["internal error: ZeroDivisionError: division by zero (run again with --debug to see where)"]


def test_debug_shows_the_traceback_and_keeps_the_code(command, folder, monkeypatch):
    monkeypatch.setattr(Audit, "run", lambda *_: 1 / 0)
    done = command("run", folder.audit(), "--debug")
    assert done.code == 70
    assert "Traceback" in done.err
    wrong = command("run", "absent.yaml", "--debug")
    assert wrong.code == 2
    assert "Traceback" in wrong.err


def test_an_interrupt_leaves_with_130(command, folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module.Audit, "run", interrupted)
    done = command("run", folder.audit())
    assert done.code == 130
    assert done.faults == ["interrupted"]


def test_a_closed_pipe_is_quiet(folder):
    folder.audit()
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "fairreport", "run", "audit.yaml", "--json", "-"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_signal_while_reading_leaves_with_130(folder):
    os.mkfifo("endless.jsonl")
    folder.write("audit.yaml", folder.audit().read_text().replace("rows.csv", "endless.jsonl"))
    process = subprocess.Popen(
        [sys.executable, "-m", "fairreport", "run", "audit.yaml"], stderr=subprocess.PIPE, text=True
    )
    with open("endless.jsonl", "w"):  # noqa: PTH123 - opens when the command waits for its first line
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "fairreport: interrupted\n"
