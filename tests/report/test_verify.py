"""A document that agrees with its evidence, in every kind of file, and what is said of it."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

import fairreport as fr
from fairreport.analyses.metrics import CATALOGUE
from fairreport.report.verify_drawing import verification_text

RUNS = ["small_run", "many_run", "mixed_run", "gap_run"]


@pytest.fixture
def saved(tmp_path):
    def save(report, name):
        path = tmp_path / name
        report.to_json(path) if name.endswith("json") else report.save(path)
        return path

    return save


@pytest.mark.parametrize("name", RUNS)
def test_results_agree(name, saved, request):
    run = request.getfixturevalue(name)
    found = fr.verify(saved(run, "results.json"))
    assert found.differences == ()
    assert found.agrees
    assert found.exit_code == 0
    assert [check.passed for check in found.checks] == [True, True]
    assert found.recomputed.numbers > 100


@pytest.mark.parametrize("name", RUNS)
def test_an_html_packet_agrees_to_the_byte(name, saved, request, drawn_anew):
    found = fr.verify(saved(fr.Report(request.getfixturevalue(name)), "packet.html"))
    assert found.differences == ()
    texts = [check.text for check in found.checks]
    assert texts[-2:] == [
        "the page, drawn again: the same bytes",
        "sha256 of the file, in packet.html.sha256 beside it",
    ]
    assert found.remarks == ()


@pytest.mark.parametrize("name", ["small_run", pytest.param("gap_run", marks=pytest.mark.heavy)])
def test_a_pdf_packet_agrees_to_the_byte(name, tmp_path, request, drawn_anew):
    path = tmp_path / "packet.pdf"
    path.write_bytes(request.getfixturevalue(name.replace("run", "pdf")))
    found = fr.verify(path)
    assert found.differences == ()
    assert [check.text for check in found.checks][-1] == "the pages, drawn again: the same bytes"
    assert found.packet_id == fr.Report(request.getfixturevalue(name)).packet_id


def test_other_paper_other_words_and_one_test_only_agree(saved, small_run):
    assert fr.verify(saved(fr.Report(small_run, paper="letter"), "letter.html")).agrees
    assert fr.verify(saved(fr.Report(small_run, about={"system": "<b>", "status": "final"}), "about.html")).agrees
    for i in range(3):
        found = fr.verify(saved(fr.Report(small_run[i]), f"{i}.html"))
        assert found.differences == ()


def test_a_test_without_evidence_takes_the_fingerprint_as_stated(saved, small_run):
    found = fr.verify(saved(fr.Report(small_run[2]), "one.html"))
    assert "data: fingerprint" in [item.pointer for item in found.taken_as_stated]


def test_names_that_a_user_gave_and_names_that_a_test_gets_agree_alike(saved, make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)])
    audit = fr.Audit(rows).outcome_disparity("sex", "hired", 1)
    title = audit.tests[0].title
    named = fr.Audit(rows).outcome_disparity("sex", "hired", 1, name=title)
    twice = fr.Audit(rows).outcome_disparity("sex", "hired", 1).outcome_disparity("sex", "hired", 1, alpha=0.1)
    for i, it in enumerate((audit, named, twice)):
        assert fr.verify(saved(fr.Report(it.run()), f"{i}.html")).differences == ()


def test_cells_that_no_count_tells_of_are_named(saved):
    rows = {"sex": [" F", "F", "M", "X", "f "] * 20, "hired": [1, 0, 1, 1, 0] * 20}
    audit = fr.Audit(rows, groups={"sex": ["F", "M", "N"]}).outcome_disparity("sex", "hired", 1, min_group_size=10)
    run = audit.run()
    codes = [note.code for note in run.record.entries[0].finding.notes]
    assert {"spellings_folded", "undeclared_values", "declared_groups_absent"} <= set(codes)
    found = fr.verify(saved(run, "results.json"))
    assert found.differences == ()
    taken = [item.pointer for item in found.taken_as_stated if "notes" in item.pointer]
    assert taken == [f"/results/0/notes/{codes.index(code)}/text" for code in ("spellings_folded", "undeclared_values")]


def test_whole_numbers_that_were_rounded_are_named(saved):
    rows = {"sex": [" F", "F", "M", "X"] * 20, "pay": [2**53 + 1, 2, 3, 4] * 20}
    audit = fr.Audit(rows, groups={"sex": ["F", "M", "N"]}).score_disparity("sex", "pay", min_group_size=10)
    run = audit.run()
    codes = [note.code for note in run.record.entries[0].finding.notes]
    assert codes[1:] == ["integers_rounded", "spellings_folded", "undeclared_values", "declared_groups_absent"]
    found = fr.verify(saved(run, "results.json"))
    assert found.differences == ()
    taken = [item.pointer for item in found.taken_as_stated if "notes" in item.pointer]
    assert taken == [f"/results/0/notes/{i}/text" for i in (1, 2, 3)]


def test_figures_made_from_rows_are_named(saved, mixed_run):
    found = fr.verify(saved(mixed_run, "results.json"))
    said = " ".join(item.reason for item in found.taken_as_stated)
    for words in ("pairs of scores", "medians", "R squared", "DeLong's standard error", "order statistics", "means"):
        assert words in said


def test_a_fingerprint_over_tests_without_evidence_is_recomputed(saved):
    rows = {"sex": ["F", "M"] * 40, "hired": [1, 0] * 40, "score": ["a", "b"] * 40, "empty": [None, None] * 40}
    audit = fr.Audit(rows).outcome_disparity("sex", "hired", 1)
    audit.score_disparity("sex", "score").outcome_disparity("race", "hired", 1).outcome_disparity("sex", "empty", 1)
    run = audit.run()
    assert [entry.finding.evidence is None for entry in run.record.entries] == [False, True, True, True]
    path = saved(run, "results.json")
    assert fr.verify(path).differences == ()
    path.write_text(path.read_text().replace("'race'", "'rade'"))
    assert "/data/fingerprint" in [item.pointer for item in fr.verify(path).differences]


def test_the_text_says_what_it_shows_and_what_it_does_not(saved, small_run):
    text = verification_text(fr.verify(saved(fr.Report(small_run), "packet.html")))
    assert re.search(r"The document agrees with its evidence: \d+ numbers, \d+ verdicts and \d+ texts", text)
    assert "0 differences." in " ".join(text.split())
    assert "does not show who made it" in " ".join(text.split())
    assert "taken as stated:" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_display_is_html_and_text(saved, small_run):
    found = fr.verify(saved(small_run, "results.json"))
    bundle = found._repr_mimebundle_()
    assert "agrees" in bundle["text/html"]
    assert 'role="region"' in bundle["text/html"]
    assert repr(found).startswith("results.json (results.json, packet id ")
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_hostile_name_stays_text(saved):
    rows = {"sex": ["<script>x</script>", "M\u202e"] * 40, "hired": [1, 0] * 40}
    path = saved(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run(), "results.json")
    path.write_text(path.read_text().replace('"favorable": 40', '"favorable": 41', 1))
    found = fr.verify(path)
    assert not found.agrees
    assert "<script>" not in found._repr_html_()
    assert "\u202e" not in repr(found)


def test_data_is_counted_again(tmp_path):
    lines = ["F,1"] * 24 + ["F,0"] * 26 + ["M,1"] * 30 + ["M,0"] * 10 + [",1"]
    data = tmp_path / "rows.csv"
    data.write_text("sex,hired\n" + "\n".join(lines) + "\n")
    packet = fr.Report(fr.Audit(data).outcome_disparity("sex", "hired", 1).run()).save(tmp_path / "packet.html")
    found = fr.verify(packet, data)
    assert found.agrees
    assert found.checks[-1].text == "rows counted again: fingerprint and counts"
    assert "its sha256 is the one that is stated" in found.remarks[0]
    assert "nor where the file comes from" in found.meaning
    data.write_text("sex,hired\n" + "\n".join(reversed(lines)) + "\n")
    found = fr.verify(packet, data)
    assert found.agrees
    assert "not the audited one to the byte" in found.remarks[0]
    data.write_text("sex,hired\n" + "\n".join(["F,1", *lines]) + "\n")
    found = fr.verify(packet, data)
    assert not found.agrees
    assert {item.file for item in found.differences} == {"data"}
    assert "/results/0/evidence/groups/0/favorable" in [item.pointer for item in found.differences]
    with pytest.raises(fr.DataError, match="there is no file"):
        fr.verify(packet, tmp_path / "none.csv")


def test_reading_settings_go_along_when_data_is_counted_again(tmp_path):
    data = tmp_path / "rows.csv"
    data.write_text("sex,hired,n\nF,1,30\nF,0,20\nM,1,30\nM,0,10\nNA,1,5\nX,1,4\n")
    audit = fr.Audit(data, counts="n", missing_values=["NA"], groups={"sex": ["F", "M"]})
    audit.outcome_disparity("sex", "hired", 1)
    path = tmp_path / "results.json"
    audit.run().to_json(path)
    assert fr.verify(path, data).differences == ()


def test_a_packet_is_verified_without_the_libraries_that_draw_pdf(small_pdf, tmp_path):
    path = tmp_path / "packet.pdf"
    path.write_bytes(small_pdf)
    code = f"""
import sys
sys.modules["weasyprint"] = None
import fairreport as fr
found = fr.verify({str(path)!r})
print(found.agrees, found.exit_code, found.checks[-1].text)
print(found.not_judged[0].reason[:28])
print(str(found).splitlines()[1][:63])
sys.modules["pypdf"] = None
try:
    fr.verify({str(path)!r})
except fr.PdfUnavailableError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "False 3 pages bear the packet id and the hashes of the files inside",
        "they were not drawn again: P",
        "Not all was judged: the figures agree with the evidence, but th",
        'PDF packets are read with pypdf: pip install "fairreport[pdf]". The HTML packet and results.json do without.',
    ]


@pytest.fixture
def paired():
    """Named pairs of every kind of evidence, and one that a function of the user's own computes."""

    def make(*, own=False, more=0):
        rows = {
            "B": [1, 0] * 60 + [1] * more,
            "W": [0, 1] * 60 + [0] * more,
            "hired": [int(i % 5 < 2 or (i % 2 and i % 3 == 0)) for i in range(120)] + [0] * more,
            "score": [(i * 37) % 101 for i in range(120 + more)],
            "site": ["north", "south", "south"] * 40 + ["north"] * more,
        }
        lists = {"protected_groups": ["B"], "reference_groups": ["W"], "group_categories": ["race"]}
        bars = {"air_threshold": 0.8, "percent_difference_threshold": 0}
        audit = fr.Audit(rows, title="Pairs")
        audit.adverse_impact_ratio(**lists, **bars, outcome="hired", name="ratio")
        audit.segmented_adverse_impact_ratio(**lists, **bars, outcome="hired", segment="site")
        audit.adverse_impact_ratio_by_quantile(**lists, **bars, outcome="score", quantiles=[0.5, 0.8])
        audit.standardized_mean_difference(**lists, outcome="score", smd_threshold=-0.3)
        audit.odds_ratio(**lists, outcome="hired", odds_ratio_threshold=0.8, percent_difference_threshold=0)
        audit.adverse_impact_ratio(**lists, **bars, outcome="nowhere", name="skipped")
        if own:
            audit.custom_disparity_metric(
                **lists, outcome="score", label="hired", metric=_mean, ratio_threshold=0.8, draws=50, name="own"
            )
        return audit.run()

    return make


def _mean(labels, predictions):
    return float(predictions.mean())


def test_named_pairs_agree(saved, paired):
    path = saved(paired(), "results.json")
    found = fr.verify(path)
    assert found.differences == ()
    assert found.recomputed.numbers > 100
    text = path.read_text()
    for old, new in (
        ('"air": 0.', '"air": 1.'),
        ('"weights": "none"', '"weights": "sampling"'),
        ('"rows": 1', '"rows": 2'),
    ):
        assert old in text
        path.write_text(text.replace(old, new, 1))
        assert not fr.verify(path).agrees, old


def test_a_test_by_a_function_of_the_user_is_taken_as_stated_and_said(saved, paired):
    path = saved(paired(own=True), "results.json")
    found = fr.verify(path)
    assert found.differences == ()
    assert "/results/6" in [item.pointer for item in found.taken_as_stated]
    assert "1 test taken as stated, 0 differences." in " ".join(repr(found).split())
    assert "One test was computed by a function of the user's own" in found.not_judged[0].reason
    assert (found.agrees, found.exit_code) == (False, 3)
    assert str(found).splitlines()[0].endswith("◆ not judged in full")
    path.write_text(path.read_text().replace('"air": 0.', '"air": 1.', 1))
    assert [item.pointer.split("/")[2] for item in fr.verify(path).differences] == ["0"]


def test_named_pairs_are_compared(paired):
    found = fr.compare(paired(), paired(more=30))
    by_name = {test.name: test for test in found.tests}
    group = next(group for group in by_name["ratio"].groups if group.group == "race = B")
    assert (group.old.support, group.new.support) == (60, 90)
    assert group.low < group.difference < 0
    labels = {group.group for test in found.tests for group in test.groups}
    assert {"segment north: race = B", "quantile 0.8: race = B"} <= labels
    assert repr(found)


def test_a_metric_of_the_users_own_verifies_where_it_is_registered(saved):
    p75 = replace(CATALOGUE["median"], name="p75", label="75th percentile", formula="0.75 quantile", quantile=0.75)
    fr.register_metric(p75)
    try:
        rows = {"team": ["a", "b"] * 60, "paid": [i * 7 % 31 for i in range(120)]}
        run = fr.Audit(rows).metric_parity("team", "p75", value_column="paid", higher_is_better=True).run()
        path = saved(run, "results.json")
        assert fr.verify(path).differences == ()
    finally:
        fr.unregister_metric("p75")
    (difference,) = fr.verify(path).differences
    assert difference.pointer == "/results/0/parameters/parity_metric"
    assert "is to be registered before" in difference.message
