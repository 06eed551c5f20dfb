"""A scheduled run of rows that a URL reaches: what papermill is told, and what the notebook shows of it."""

import json
from pathlib import Path

import pytest

from fairreport import ConfigError
from fairreport.report.schedule_notebook import _without_secrets
from fairreport.report.schedule_parameters import ScheduleParameters, schedule_parameters

SECRET = "s3cr3t-w0rd"
URL = f"postgresql://auditor:{SECRET}@db.example/hiring?application_name=a"
TOLD = {"config": "audit.yaml", "out": "out", "window": "7d"}


def test_a_url_stays_a_text_and_a_path_becomes_one():
    told = schedule_parameters(TOLD | {"data": URL, "table": "hr.decisions"})
    assert (told.data, told.table) == (URL, "hr.decisions")
    assert schedule_parameters(TOLD | {"data": "rows.csv"}).data == Path("rows.csv")
    assert schedule_parameters(TOLD | {"data": "None", "table": "None"}).table is None


def test_nothing_shows_the_url():
    assert SECRET not in repr(schedule_parameters(TOLD | {"data": URL, "table": "t"}))
    with pytest.raises(ConfigError) as caught:
        schedule_parameters(TOLD | {"data": URL, "table": 7})
    assert SECRET not in str(caught.value)


def test_a_table_goes_with_a_configuration():
    with pytest.raises(ConfigError, match="which audit\\? State config"):
        schedule_parameters({"table": "decisions"})


def test_the_executed_notebook_does_not_show_the_url():
    cells = [{"source": f"data = {URL!r}\n"}, {"outputs": [{"text": [f"reading {URL}\n"]}]}]
    book = json.dumps({"cells": cells, "metadata": {"papermill": {"parameters": {"data": URL}}}})
    shown = _without_secrets(book, ScheduleParameters(data=URL))
    assert not [word for word in (SECRET, "auditor", "db.example") if word in shown]
    assert json.loads(shown)["metadata"]["papermill"]["parameters"]["data"] == "postgresql://***/hiring"
    assert _without_secrets(book, ScheduleParameters(data=Path("rows.csv"))) == book
