"""What changed since an earlier packet, inside a later one."""

import base64
import json

import pypdf
import pytest

import fairreport as fr
from fairreport.report.verify import verify


def run(make_rows, hired, **about):
    audit = fr.Audit(make_rows([("F", hired, 60), ("M", 40, 60)]), title="Shortlist", about=about)
    return audit.outcome_disparity("sex", "hired", 1, name="by sex").run()


@pytest.fixture(scope="module")
def runs(make_rows):
    return run(make_rows, 39), run(make_rows, 20)


def test_the_changes_stand_at_the_end_of_section_8(runs):
    page = fr.Report(runs[1], previous=runs[0]).html()
    start = page.index("Since the earlier packet")
    assert page.index('id="robustness"') < start < page.index('id="assumptions"')
    told = page[start : page.index('id="assumptions"')]
    assert "by sex: passing -&gt; failing (graver)" in told
    assert "0.650 -&gt; 0.333" in told  # 39 and 20 of 60
    assert "Since the earlier packet" not in fr.Report(runs[1]).html()


@pytest.mark.parametrize("name", ["old.json", "old.html", pytest.param("old.pdf", marks=pytest.mark.heavy)])
def test_the_earlier_one_may_be_a_packet_of_any_kind(runs, tmp_path, name):
    path = tmp_path / name
    runs[0].to_json(path) if name == "old.json" else fr.Report(runs[0]).save(path)
    assert fr.Report(runs[1], previous=path).html() == fr.Report(runs[1], previous=runs[0]).html()


@pytest.mark.parametrize("name", ["new.html", pytest.param("new.pdf", marks=pytest.mark.heavy)])
def test_its_results_travel_inside_and_the_packet_agrees(runs, tmp_path, name):
    report = fr.Report(runs[1], previous=runs[0])
    inside = {file.name: file.content for file in report.attachments}
    assert json.loads(inside["earlier.json"]) == runs[0].to_dict()
    assert report.packet_id == fr.Report(runs[1]).packet_id
    path = report.save(tmp_path / name)
    found = verify(path)
    assert found.agrees, found
    if name == "new.pdf":
        assert "Since the earlier packet" in "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def test_earlier_results_that_were_changed_are_found(runs, tmp_path):
    path = fr.Report(runs[1], previous=runs[0]).save(tmp_path / "new.html", checksum=False)
    encoded = base64.b64encode(json.dumps(runs[0].to_dict(), ensure_ascii=False, indent=1).encode() + b"\n").decode()
    text = path.read_text("utf-8")
    assert encoded in text
    forged = json.dumps(runs[0].to_dict(), ensure_ascii=False, indent=1).replace("39", "38").encode() + b"\n"
    path.write_text(text.replace(encoded, base64.b64encode(forged).decode()), "utf-8")
    assert {item.file for item in verify(path).differences} >= {"manifest.json", "new.html"}


def test_what_is_no_packet_is_refused_in_one_line(runs, tmp_path):
    (tmp_path / "a.json").write_text("[]", "utf-8")
    for wrong in (tmp_path / "a.json", tmp_path / "none.html"):
        with pytest.raises(fr.DataError) as caught:
            fr.Report(runs[1], previous=wrong)
        assert "\n" not in str(caught.value)
    with pytest.raises(fr.ConfigError, match="must be a run, a result, a report or a path"):
        fr.Report(runs[1], previous=7)


def test_names_of_the_earlier_one_are_data(make_rows, runs):
    hostile = '<img src="http://127.0.0.1:9/x">'
    audit = fr.Audit(make_rows([(hostile, 20, 60), ("M", 40, 60)]), title=hostile)
    page = fr.Report(runs[1], previous=audit.outcome_disparity("sex", "hired", 1, name=hostile).run()).html()
    assert "<img" not in page
