"""A packet of rows that stayed in an engine says what that engine was asked."""

import base64
import json
import re

import ibis
import pyarrow as pa
import pytest

from fairreport import Audit, Report, verify


@pytest.fixture
def record_of():
    connection = ibis.sqlite.connect()
    columns = {"race": list("ABAB") * 20, "hired": [1, 0, 1, 1] * 20, "</script>": list("xy") * 40}
    table = connection.create_table("d", pa.table(columns))

    def run(attribute="race"):
        return Audit(table).outcome_disparity(attribute, "hired", 1, min_group_size=5).run()

    yield run
    connection.disconnect()


def manifest_of(path):
    found = re.findall(r'download="manifest.json"[^>]*href="data:application/json;base64,([^"]+)"', path.read_text())
    found += re.findall(r'href="data:application/json;base64,([^"]+)"[^>]*download="manifest.json"', path.read_text())
    return json.loads(base64.b64decode(found[0]))


def test_the_manifest_holds_every_statement_and_the_page_prints_it(record_of, tmp_path):
    path = tmp_path / "packet.html"
    run = record_of()
    Report(run).save(path)
    stated = manifest_of(path)["data"]["asked"]
    assert [it["sql"] for it in stated] == [it.sql for it in run.record.data.asked]
    assert stated[-1]["rows"] == 3  # A hired, B hired, B not hired
    assert "Asked of <bdi>sqlite</bdi>" in path.read_text()
    assert verify(path).agrees


def test_a_changed_statement_is_noticed(record_of, tmp_path):
    path = tmp_path / "packet.html"
    Report(record_of()).save(path)
    page = path.read_text()
    assert page.count("3 rows from") == 1
    path.write_text(page.replace("3 rows from", "4 rows from"))
    assert not verify(path).agrees


def test_where_groups_are_withheld_no_statement_is_told(tmp_path):
    connection = ibis.sqlite.connect()
    columns = {"g": ["a"] * 40 + ["b"] * 40 + ["Tiny"] * 2, "v": [*range(80), 987655.25, 987656.25]}
    table = connection.create_table("d", pa.table(columns))
    run = Audit(table).metric_parity("g", "mean", value_column="v", higher_is_better=True, min_group_size=1).run()
    assert "987656.0" in "".join(it.sql for it in run.record.data.asked)  # next to the middle of the two
    path = tmp_path / "packet.html"
    Report(run, suppress_below=30).save(path)
    assert "asked" not in manifest_of(path)["data"]
    assert "Asked of" not in path.read_text()
    assert verify(path).agrees
    connection.disconnect()


def test_names_in_statements_stay_text(record_of, tmp_path):
    path = tmp_path / "packet.html"
    Report(record_of("</script>")).save(path)
    page = path.read_text()
    assert "</script>" not in page
    assert "&lt;/script&gt;" in page


def test_rows_that_are_here_were_asked_of_nobody(tmp_path):
    path = tmp_path / "packet.html"
    run = Audit({"race": list("ABAB") * 20, "hired": [1, 0, 1, 1] * 20}).outcome_disparity("race", "hired", 1).run()
    Report(run).save(path)
    assert "asked" not in manifest_of(path)["data"]
    assert "Asked of" not in path.read_text()
