"""What papermill and its command line make of a parameter, and what is still meant by it."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from types import SimpleNamespace

import IPython
import numpy as np
import pandas as pd
import pytest
from papermill.cli import _resolve_type
from papermill.translators import PythonTranslator

from fairreport import ConfigError
from fairreport.report.manifest import read_manifest, write_manifest
from fairreport.report.schedule_parameters import NAMES, schedule_parameters
from fairreport.report.schedule_variables import notebook_parameters

WHOLE = {"config": "audit.yaml", "out": "reports"}


def handed_over(value):
    """Return a parameter as papermill.execute_notebook leaves it in the notebook."""
    return eval(PythonTranslator.translate(value), {"float": float})


def typed(word):
    """Return a word as ``papermill -p name word`` reads it."""
    return _resolve_type(word)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7d", "7d"),  # days of the calendar
        ("168h", 604_800),
        (604_800, 604_800),
        (604_800.0, 604_800),
        (np.int64(604_800), 604_800),
        (np.float64(604_800), 604_800),
        (np.int32(7), 7),
        (dt.timedelta(days=7), 604_800),
        (dt.timedelta(hours=36), 129_600),
        (pd.Timedelta(hours=36), 129_600),
        (np.timedelta64(1, "D"), 86_400),
    ],
)
def test_lengths_through_papermill(value, seconds):
    assert schedule_parameters(WHOLE | {"window": handed_over(value)}).window == seconds
    assert schedule_parameters(WHOLE | {"window": value}).window == seconds


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-09",
        dt.date(2026, 3, 9),
        dt.datetime.fromisoformat("2026-03-09"),
        dt.datetime(2026, 3, 9, tzinfo=dt.UTC),
        pd.Timestamp("2026-03-09"),
        np.datetime64("2026-03-09"),
        np.datetime64("2026-03-09T00:00:00.000000000"),
    ],
)
def test_ends_through_papermill(value):
    found = schedule_parameters(WHOLE | {"window_end": handed_over(value)}).window_end
    assert str(found).startswith("2026-03-09")
    assert str(schedule_parameters(WHOLE | {"window_end": value}).window_end).startswith("2026-03-09")


@pytest.mark.parametrize("name", ["data", "window_end", "window", "delay", "history"])
@pytest.mark.parametrize("value", [None, "None", "none", "", " ", "null", "nan", math.nan, False, np.nan, "NaT"])
def test_what_stands_for_a_parameter_that_is_not_stated(name, value):
    assert getattr(schedule_parameters(WHOLE | {name: value}), name) is None
    assert getattr(schedule_parameters(WHOLE | {name: handed_over(value)}), name) is None


def test_words_of_the_command_line():
    assert schedule_parameters(WHOLE | {"history": typed("None"), "delay": typed("nan")}).history is None
    assert schedule_parameters(WHOLE | {"window": typed("2h"), "delay": typed("3600")}).delay == 3600
    assert schedule_parameters(WHOLE | {"history": typed("no")}).history is None
    assert schedule_parameters(WHOLE | {"window": typed("6.048e5")}).window == 604_800


@pytest.mark.parametrize("name", ["config", "data", "out", "history", "window_end"])
@pytest.mark.parametrize("word", ["007", "1e3", "True", "20260309", "1_000"])
def test_a_word_that_lost_its_spelling_is_refused(name, word):
    # 007 has become 7, and nobody knows what the file was called.
    with pytest.raises(ConfigError, match=rf"{name}: must be (text|a time).*") as caught:
        schedule_parameters(WHOLE | {name: typed(word)})
    assert "its -r leaves them as they are" in str(caught.value)


@pytest.mark.parametrize("word", ["007", "True", "no", "1e3", "7"])
def test_the_same_words_as_raw_text_are_kept(word):
    assert str(schedule_parameters(WHOLE | {"out": word}).out) == word
    assert schedule_parameters(WHOLE | {"history": word}).history == (None if word == "no" else word)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("windows", "window"), ("histroy", "history"), ("window-end", "window_end"), ("output", "out"), ("date", "data")],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, hint):
    with pytest.raises(ConfigError) as caught:
        schedule_parameters(WHOLE | {name: 1})
    assert caught.value.errors[0].path == name
    if name != "output":
        assert f"Did you mean {hint!r}?" in str(caught.value)


def test_all_faults_at_once():
    with pytest.raises(ConfigError) as caught:
        schedule_parameters({"windws": 1, "window": "7 ds", "window_end": "soon", "delay": -1, "config": "a.yaml"})
    assert [fault.path for fault in caught.value.errors] == ["windws", "window", "window_end", "delay", "out"]


def test_a_group_may_be_called_anything():
    groups = ["None", "nan", "007", "True", "no", "", " ", "NaT", "1.0"]
    config = {"audit": {"groups": {"sex": groups}}, "tests": [{"outcome_disparity": {"favorable_values": groups}}]}
    found = schedule_parameters({"config": handed_over(config), "out": "reports"})
    assert found.config == config


def test_paths_come_as_paths():
    found = schedule_parameters({"config": handed_over(Path("a/audit.yaml")), "out": Path("b"), "data": "c.csv"})
    assert (found.config, found.out, found.data) == (Path("a/audit.yaml"), Path("b"), Path("c.csv"))


def test_a_table_is_left_as_it_is():
    frame = pd.DataFrame({"a": [1]})
    assert schedule_parameters(WHOLE | {"data": frame}).data is frame


@pytest.mark.parametrize(("stated", "path"), [({"data": "d.csv"}, "config"), ({"history": "h.duckdb"}, "config")])
def test_what_goes_with_something_else(stated, path):
    with pytest.raises(ConfigError) as caught:
        schedule_parameters(stated)
    assert caught.value.errors[0].path == path


def test_the_variables_of_a_notebook():
    namespace = dict.fromkeys(NAMES) | {
        "__name__": "__main__",
        "_i1": "text",
        "In": [],
        "Out": {},
        "exit": 1,
        "quit": 1,
        "get_ipython": 1,
        "PAPERMILL_OUTPUT_PATH": "x.ipynb",
        "dt": dt,
        "Path": Path,
        "notebook_parameters": notebook_parameters,
        "config": "audit.yaml",
        "out": "reports",
        "window": "7d",
    }
    assert notebook_parameters(namespace).window == "7d"
    with pytest.raises(
        ConfigError, match=r"window_ends: is no parameter of a scheduled run. Did you mean 'window_end'"
    ):
        notebook_parameters(namespace | {"window_ends": "2026-03-09"})


def test_refused_parameters_of_a_notebook_leave_no_old_manifest(tmp_path):
    write_manifest(tmp_path, {"complete": True, "exit_code": 0, "reason": None}, {})
    with pytest.raises(ConfigError):
        notebook_parameters({"config": "audit.yaml", "out": str(tmp_path), "windows": "7d"})
    found = read_manifest(tmp_path)
    assert (found.complete, found.exit_code) == (False, 2)
    assert "windows: is no parameter" in found.reason
    with pytest.raises(ConfigError):
        notebook_parameters({"config": "audit.yaml", "out": str(tmp_path / "{end}"), "windows": "7d"})
    assert not (tmp_path / "{end}").exists()


# The cells of a notebook


class Shell:
    """Stands for the shell of a notebook that ran some cells."""

    def __init__(self, monkeypatch, *cells):
        self.user_ns = {"__name__": "__main__", "In": list(cells), "open": open, "quit": 1}
        for cell in cells:
            exec(cell, self.user_ns)
        self.history_manager = SimpleNamespace(input_hist_parsed=["", *cells])
        monkeypatch.setattr(IPython, "get_ipython", lambda: self)


OWN = "# Parameters. None stands for none.\n" + "\n".join(f"{name} = None" for name in NAMES)


def injected(**parameters):
    return PythonTranslator.codify(parameters, "Parameters")


@pytest.mark.parametrize(
    "name",
    ["In", "Out", "open", "dt", "_x", "__name__", "get_ipython", "exit", "globals", "run", "ScheduledAudit", "windows"],
)
def test_a_parameter_with_a_name_that_a_notebook_has(monkeypatch, name):
    shell = Shell(monkeypatch, OWN, injected(config="audit.yaml", out="reports", **{name: "x"}))
    shell.user_ns["dt"] = dt  # as the first cell of code leaves it
    with pytest.raises(ConfigError) as caught:
        notebook_parameters()
    assert [fault.path for fault in caught.value.errors] == [name]


def test_the_parameters_of_a_notebook_that_is_run_twice(monkeypatch):
    own = OWN.replace("config = None", "config = 'audit.yaml'").replace("out = None", "out = 'reports'")
    Shell(monkeypatch, own, "import datetime as dt\nscheduled = run = trends = outcome = object()", own)
    assert notebook_parameters() == schedule_parameters(WHOLE)
    assert notebook_parameters({**WHOLE}) == schedule_parameters(WHOLE)


def test_a_misspelled_name_that_was_corrected(monkeypatch):
    shell = Shell(monkeypatch, OWN, injected(**WHOLE, windw="7d"), OWN, injected(**WHOLE, window="7d"))
    del shell.user_ns["windw"]
    assert notebook_parameters().window == "7d"


def test_what_papermill_tells_of_itself(monkeypatch):
    Shell(monkeypatch, OWN, injected(**WHOLE, PAPERMILL_INPUT_PATH="a.ipynb", PAPERMILL_OUTPUT_PATH="b.ipynb"))
    assert notebook_parameters() == schedule_parameters(WHOLE)


def test_a_cell_that_is_no_python(monkeypatch):
    shell = Shell(monkeypatch, OWN)
    shell.user_ns |= WHOLE
    shell.history_manager.input_hist_parsed += ["# Parameters\n%time x"]
    assert notebook_parameters() == schedule_parameters(WHOLE)


def test_outside_a_notebook_the_variables_are_stated():
    with pytest.raises(ConfigError, match="outside a notebook"):
        notebook_parameters()


@pytest.mark.parametrize("value", ["no", "No", "false", "None", False, None, "", math.nan])
def test_no_history(value):
    assert schedule_parameters(WHOLE | {"history": value}).history is None
    assert str(schedule_parameters(WHOLE | {"out": "no"}).out) == "no"
    assert schedule_parameters(WHOLE | {"history": "./no"}).history == "./no"
