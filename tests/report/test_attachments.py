import base64
import csv
import io
import json
import re
from hashlib import sha256

import pypdf
import pytest
import yaml

import fairreport as fr
from fairreport.audit.provenance import canonical_json

NAMES = ["audit.yaml", "groups.csv", "manifest.json", "results.json"]


@pytest.fixture(scope="module")
def files(small_pdf):
    found = pypdf.PdfReader(io.BytesIO(small_pdf)).attachments
    return {name: content[0] for name, content in found.items()}


def test_the_pdf_carries_the_files(files):
    assert list(files) == NAMES


def test_the_results_are_those_of_the_run(files, small_run):
    assert files["results.json"] == small_run.to_json().encode()


def test_the_html_file_carries_the_same_bytes(files, small_html):
    links = re.findall(r'href="data:[^;]+;base64,([^"]+)" download="([^"]+)"', small_html)
    assert {name: base64.b64decode(data) for data, name in links} == files


def test_groups_hold_every_group_of_every_test(files, small_run):
    rows = list(csv.DictReader(io.StringIO(files["groups.csv"].decode())))
    assert len(rows) == sum(len(test.finding.groups) for test in small_run.record.tests)


def test_the_configuration_runs_again_to_the_same_results(many_run, small_run, tmp_path, make_rows):
    rows = make_rows([("01", 20, 60), ("=x: [y]", 40, 60), ("null", 33, 60)])
    audit = fr.Audit(
        rows,
        title="yes: #1",
        missing_values=["null"],
        groups={"sex": ["01", "=x: [y]"]},
        about={"origin": "production"},
    )
    audit.outcome_disparity(
        "sex",
        "hired",
        1,
        thresholds=[("minImpactRatio", ">=", 0.5)],
        alpha=0.1,
        reference_strategy="named",
        reference_value="01",
        rationale="a\nb",
    )
    run = audit.run()
    text = next(file for file in fr.Report(run).attachments if file.name == "audit.yaml").content
    path = tmp_path / "audit.yaml"
    path.write_bytes(text)
    again = fr.Audit.from_config(path, rows).run()
    assert again.to_dict() == run.to_dict()


def test_the_configuration_states_every_parameter(files, small_run):
    stated = yaml.safe_load(files["audit.yaml"])
    for entry, test in zip(stated["tests"], small_run.record.tests, strict=True):
        given = {name: value for name, value in test.test.parameters().items() if value is not None}
        assert given.items() <= entry["outcome_disparity"].items()


def test_the_manifest_lists_hashes_and_versions(files, small_run):
    manifest = json.loads(files["manifest.json"])
    listed = {item["name"]: (item["sha256"], item["size"]) for item in manifest["files"]}
    expected = {name: (sha256(data).hexdigest(), len(data)) for name, data in files.items() if name != "manifest.json"}
    assert listed == expected
    assert manifest["data"]["fingerprint"] == small_run.record.data.fingerprint
    assert manifest["packet_id"] == fr.Report(small_run).packet_id
    assert {"fairreport", "python", "numpy", "scipy", "duckdb", "matplotlib", "weasyprint"} <= manifest[
        "versions"
    ].keys()


def test_the_packet_lists_the_hash_of_each_attachment(files, small_html):
    for data in files.values():
        assert sha256(data).hexdigest() in small_html


def test_the_packet_id_follows_from_the_attached_results(files, small_run):
    document = json.loads(files["results.json"])
    del document["created"]
    assert sha256(canonical_json(document).encode()).hexdigest()[:12] == fr.Report(small_run).packet_id


def test_attachments_are_data_and_bear_the_date_of_the_run(small_pdf):
    root = pypdf.PdfReader(io.BytesIO(small_pdf)).trailer["/Root"]
    entries = root["/Names"]["/EmbeddedFiles"]["/Names"][1::2]
    for entry in entries:
        file = entry.get_object()
        assert file["/AFRelationship"] == "/Data"
        assert file["/EF"]["/F"].get_object()["/Params"]["/ModDate"] == "D:20261101000000Z"


def test_no_row_of_the_data_travels(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)]) | {"secret": ["a private remark"] * 120}
    html = fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run())
    assert not any(b"private" in file.content for file in html.attachments)
