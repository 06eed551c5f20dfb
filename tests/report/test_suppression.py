"""Groups that a report withholds: nothing of them stands in the pages, in the attachments, or in what these give."""

import io
import json
import re
from collections import Counter
from random import Random

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.report.verify import verify

BELOW = 10
SMALL = ("zqfew", "zqtwin")
"""Two groups whose names occur nowhere else: one with fewer rows, and the one that goes with it."""


def rows_of(seed=0, few=6, beside=25):
    """Sex and site with an outcome and a score; the last two groups of sex are small, the first of them very."""
    random = Random(seed)
    found = []
    for sex, n, rate in (("F", 300, 0.4), ("M", 260, 0.6), (SMALL[1], beside, 0.5), (SMALL[0], few, 0.5)):
        found += [
            [sex, ("north", "south")[i % 2], int(random.random() < rate), random.randrange(1000)] for i in range(n)
        ]
    return found


def audit_of(rows, **parameters):
    columns = dict(zip(("sex", "site", "hired", "score"), map(list, zip(*rows, strict=True)), strict=True))
    audit = fr.Audit(columns, title="Suppressed", as_of="2026-11-01")
    audit.outcome_disparity("sex", "hired", 1, name="by sex", p_value_adjustment="holm", **parameters)
    audit.outcome_disparity("sex", "hired", 1, name="within sites", control_columns=["site"], **parameters)
    audit.outcome_disparity("site", "hired", 1, name="by site")
    audit.outcome_disparity(["sex", "site"], "hired", 1, name="crossed")
    audit.score_disparity("sex", "score", name="scores")
    audit.metric_parity("sex", "mean", value_column="score", higher_is_better=True, name="averages")
    audit.metric_parity(
        "sex", "auc", score_column="score", ground_truth_column="hired", positive_values=["1"], name="ranks"
    )
    audit.adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0, name="pairs"
    )
    audit.rate_gaps(
        attributes={"sex": ["F", "M", *SMALL]},
        label="hired",
        prediction="hired",
        rules=[{"id": "gap", "rate": "error", "attribute": ["sex"], "max_group_gap": 0.5}],
        name="gaps",
    )
    return audit


@pytest.fixture(scope="module")
def run():
    return audit_of(rows_of()).run()


@pytest.fixture(scope="module")
def report(run):
    return fr.Report(run, suppress_below=BELOW)


@pytest.fixture(scope="module")
def pdf(report):
    return report.pdf()


def attached(report):
    return {file.name: file.content.decode() for file in report.attachments}


def results(report):
    return json.loads(attached(report)["results.json"])


def test_the_run_itself_withholds_nothing(run, report):
    assert "withheld" not in run.to_dict()
    assert report.record.withheld is not None
    assert {group.n for group in run.record.entries[0].finding.groups} == {300, 260, 25, 6}


def test_small_groups_and_those_that_would_give_them_away_are_withheld(report):
    withheld = {test["name"]: test for test in results(report)["withheld"]["tests"]}
    assert withheld["by sex"]["few"] == [[SMALL[0]]]
    assert withheld["by sex"]["beside"] == [[SMALL[1]]]
    crossed = withheld["crossed"]
    assert {label[0] for label in (*crossed["few"], *crossed["beside"])} == set(SMALL)
    assert withheld["pairs"]["whole"]
    assert withheld["gaps"]["whole"]
    assert withheld["within sites"]["adjusted"]
    assert "by site" not in withheld


def test_what_a_report_says_is_that_of_the_run(run, report):
    before, after = run.to_dict(), results(report)
    assert [entry["test_status"] for entry in before["results"]] == [entry["test_status"] for entry in after["results"]]
    assert (before["status"], before["exit_code"]) == (after["status"], after["exit_code"])
    held = [[it["passed"] for it in entry.get("thresholds", ())] for entry in before["results"]]
    assert held == [[it["passed"] for it in entry.get("thresholds", ())] for entry in after["results"]]
    shown = {tuple(group["group"].items()): group for group in after["results"][0]["groups"]}
    for group in before["results"][0]["groups"]:
        if group["group"]["sex"] not in SMALL:
            same = shown[tuple(group["group"].items())]
            assert {name: same[name] for name in ("n", "favorable", "rate", "share", "ci_low")} == {
                name: group[name] for name in ("n", "favorable", "rate", "share", "ci_low")
            }


def test_a_failing_group_that_is_withheld_leaves_the_test_failing():
    rows = [["F", 1]] * 60 + [["F", 0]] * 40 + [["M", 1]] * 60 + [["M", 0]] * 40 + [["Q", 1]] + [["Q", 0]] * 8
    rows += [["R", 1]] * 6 + [["R", 0]] * 6
    columns = {"sex": [row[0] for row in rows], "hired": [row[1] for row in rows]}
    run = fr.Audit(columns).outcome_disparity("sex", "hired", 1, min_group_size=1, min_group_share=0).run()
    report = fr.Report(run, suppress_below=BELOW)
    entry = results(report)["results"][0]
    assert run.status.value == entry["test_status"] == "failing"
    assert not any(group["failing"] for group in entry["groups"])
    assert entry["thresholds"][0]["actual"] is None
    assert entry["thresholds"][0]["passed"] is False
    page = report.html()
    assert "does not hold (is withheld)" in page
    assert "The state is that of all groups" in page


def test_every_withheld_group_is_named_and_without_a_figure(report):
    page = report.html()
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    told = [re.sub(r"<[^>]+>", " ", row) for row in rows if any(name in row for name in SMALL)]
    assert Counter("withheld (fewer than 10)" in text for text in told)[True] >= 4
    assert Counter("withheld (protects another group)" in text for text in told)[True] >= 4
    for text in told:
        bare = text.replace("&#39;", "").replace("7.2", "")  # quotes, and the number of a test in a table of parameters
        assert "withheld" in text or not re.search(r"[0-9]", bare), text


def test_the_limitation_counts_what_is_withheld(report):
    limitation = results(report)["assumptions"][-1]
    tests = results(report)["withheld"]["tests"]
    assert limitation["code"] == "withheld"
    assert f"withheld: {sum(len(test['few']) for test in tests)} for want of rows" in limitation["text"]
    assert limitation["text"] in report.html()


def test_evidence_and_groups_hold_no_withheld_group(report):
    files = attached(report)
    document = json.loads(files["results.json"])
    for entry in document["results"]:
        evidence = json.dumps(entry["evidence"])
        assert not any(f'"{name}"' in evidence for name in SMALL)
    lines = [line for line in files["groups.csv"].splitlines() if any(name in line for name in SMALL)]
    assert lines
    assert all("withheld" in line for line in lines)
    assert not [line for line in lines if re.search(r",[0-9]", line)]
    assert json.loads(files["manifest.json"])["data"]["file_sha256"] is None
    assert document["data"]["fingerprint"] != "0" * 64


@pytest.mark.heavy
def test_the_text_of_the_pdf_holds_no_figure_of_theirs(pdf):
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    lines = [line for line in text.splitlines() if any(name in line for name in SMALL)]
    assert lines
    for line in lines:
        bare = re.sub(r"zq\w+|\(fewer than 10\)|U\+[0-9A-F]+", "", line)
        assert "withheld" in line or "fr." in line or not re.search(r"[0-9]", bare), line


def test_the_results_fit_the_schema(report, result_checker):
    result_checker.validate(results(report))


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 10_000), few=st.integers(3, 9))
def test_nothing_in_a_report_depends_on_what_is_withheld(seed, few):
    """Rows are handed from one withheld group to the other: every total stays, and so does every byte."""
    rows = rows_of(few=6)
    theirs = [i for i, row in enumerate(rows) if row[0] in SMALL]
    random = Random(seed)
    sites = [[i for i in theirs if rows[i][1] == site] for site in ("north", "south")]
    mine = {random.choice(site) for site in sites}  # both stay in the crossing, where others see that they are
    mine |= set(random.sample([i for i in theirs if i not in mine], few - len(mine)))
    other = [[SMALL[0] if i in mine else SMALL[1], *row[1:]] if i in theirs else row for i, row in enumerate(rows)]
    reports = [fr.Report(audit_of(it).run(), suppress_below=BELOW) for it in (rows, other)]
    tests = [results(it)["withheld"]["tests"] for it in reports]
    sets = [[sorted(map(tuple, (*test["few"], *test["beside"]))) for test in its] for its in tests]
    assert sets[0] == sets[1]
    pages = [_unsorted(attached(it)["results.json"]) for it in reports]
    assert pages[0] == pages[1]


def _unsorted(text):
    """The results without which of the two reasons stands at a withheld group."""
    document = json.loads(text)
    for test in document["withheld"]["tests"]:
        del test["few"], test["beside"]
    for entry in document["results"]:
        entry["notes"] = [note for note in entry.get("notes", ()) if note["code"] != "withheld"]
    document["assumptions"] = [it for it in document["assumptions"] if it["code"] != "withheld"]
    return document


def test_the_page_is_the_same_to_the_byte_where_only_withheld_rows_differ():
    rows = rows_of()
    few = [row for row in rows if row[0] == SMALL[0]]
    beside = [row for row in rows if row[0] == SMALL[1]]
    other = [row for row in rows if row[0] not in SMALL]
    swapped = [[SMALL[1], *row[1:]] for row in few] + [[SMALL[0], *row[1:]] for row in beside[:6]] + beside[6:]
    pages = [fr.Report(audit_of(it).run(), suppress_below=BELOW).html() for it in (rows, other + swapped)]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("name", ["results.json", "packet.html", pytest.param("packet.pdf", marks=pytest.mark.heavy)])
def test_a_packet_that_withholds_agrees_with_its_evidence(report, tmp_path, name, request):
    path = tmp_path / name
    if name == "packet.pdf":
        path.write_bytes(request.getfixturevalue("pdf"))
    else:
        path.write_text(report.html() if name == "packet.html" else attached(report)[name], "utf-8")
    found = verify(path)
    assert found.agrees, found
    assert "/withheld" in [item.pointer for item in found.taken_as_stated]
    assert found.recomputed.numbers > 100


def test_a_changed_figure_in_a_packet_that_withholds_is_found(report, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(attached(report)["results.json"].replace('"n": 300,', '"n": 301,', 1), "utf-8")
    assert not verify(path).agrees


def test_the_data_are_counted_again_and_withheld_again(tmp_path):
    data = tmp_path / "rows.csv"
    lines = ["sex,site,hired,score", *(",".join(map(str, row)) for row in rows_of())]
    data.write_text("\n".join(lines) + "\n", "utf-8")
    audit = fr.Audit(data).outcome_disparity("sex", "hired", 1)
    packet = fr.Report(audit.run(), suppress_below=BELOW).save(tmp_path / "packet.html")
    assert verify(packet, data=data).agrees
    data.write_text("\n".join([*lines, f"{SMALL[0]},north,1,5"]) + "\n", "utf-8")
    assert not verify(packet, data=data).agrees


def test_the_configuration_inside_withholds_again(report, run):
    assert "suppress_below: 10" in attached(report)["audit.yaml"]
    assert "suppress_below" not in attached(fr.Report(run))["audit.yaml"]


def test_a_named_reference_that_is_withheld_takes_its_test_along():
    rows = rows_of()
    columns = {"sex": [row[0] for row in rows], "hired": [row[2] for row in rows]}
    audit = fr.Audit(columns).outcome_disparity(
        "sex", "hired", 1, reference_strategy="named", reference_value=SMALL[0], min_group_size=30
    )
    run = audit.run()
    assert "has 6 rows" in run.to_dict()["results"][0]["skip_reason"]
    entry = results(fr.Report(run, suppress_below=BELOW))["results"][0]
    assert (entry["skip_code"], entry["evidence"]) == ("withheld", None)
    assert "6 rows" not in entry["skip_reason"]


def test_what_a_preset_has_to_publish_is_left_as_it_is():
    rows = rows_of()
    columns = {"sex": [row[0] for row in rows], "race": [row[1] for row in rows], "hired": [row[2] for row in rows]}
    audit = fr.Audit(columns).outcome_disparity("sex", "hired", 1).outcome_disparity("race", "hired", 1)
    report = fr.Report(
        audit.outcome_disparity(["sex", "race"], "hired", 1).run(), preset="nyc_ll144", suppress_below=BELOW
    )
    document = results(report)
    assert document["withheld"]["tests"] == []
    assert len(document["withheld"]["published"]) == 3
    page = report.html()
    told = "groups with fewer than 10 rows stand with their counts in 3 tests, because the preset has their counts"
    assert told in page[page.index('<section id="result"') :].partition("</section>")[0]
    assert "Groups are withheld:" not in page
    limitation = document["assumptions"][-1]["text"]
    assert "except in 3 tests whose counts the preset has published; withheld: none" in limitation
    assert "every group stands with its counts, however few" in limitation
    assert "suppress_below" in attached(report)["audit.yaml"]


def test_tests_that_the_tables_of_a_preset_do_not_use_are_withheld_as_elsewhere():
    rows = rows_of()
    columns = dict(zip(("sex", "site", "hired", "score"), map(list, zip(*rows, strict=True)), strict=True))
    audit = fr.Audit(columns).outcome_disparity("sex", "hired", 1, name="hired", control_columns=["site"])
    audit.outcome_disparity("site", "hired", 1, name="by site").score_disparity("site", "score", name="site scores")
    audit.outcome_disparity(["sex", "site"], "hired", 1, name="crossed")
    document = results(fr.Report(audit.run(), preset="nyc_ll144", suppress_below=BELOW))
    assert document["withheld"]["published"] == ["hired"]
    tests = {test["name"]: test for test in document["withheld"]["tests"]}
    assert (tests["hired"]["few"], tests["hired"]["beside"], tests["hired"]["adjusted"]) == ([], [], True)
    assert document["results"][0]["evidence"]["strata"] == []
    assert len(document["results"][0]["evidence"]["groups"]) == 4
    assert {label[0] for label in (*tests["crossed"]["few"], *tests["crossed"]["beside"])} == set(SMALL)


def of_groups(groups):
    columns = {"sex": [], "hired": []}
    for name, n, favorable in groups:
        columns["sex"] += [name] * n
        columns["hired"] += [1] * favorable + [0] * (n - favorable)
    return columns


def test_the_reference_is_not_what_goes_with_a_small_group():
    groups = (("Two", 119, 48), ("W", 1500, 556), ("A", 353, 116), ("H", 402, 121), ("N", 14, 7))
    run = fr.Audit(of_groups(groups)).outcome_disparity("sex", "hired", 1).run()
    report = fr.Report(run, suppress_below=30)
    (test,) = results(report)["withheld"]["tests"]
    assert (test["few"], test["beside"], test["rereferenced"]) == ([["N"]], [["A"]], False)
    ratios = [
        {group["group"]["sex"]: group["ratio"] for group in document["results"][0]["groups"]}
        for document in (run.to_dict(), results(report))
    ]
    assert ratios[1] == {name: ratio for name, ratio in ratios[0].items() if name not in {"A", "N"}}


def rereferenced(**report):
    groups = (("Few", 20, 20), ("Next", 40, 36), ("M", 300, 240), ("F", 300, 190))
    audit = fr.Audit(of_groups(groups)).outcome_disparity("sex", "hired", 1, min_group_size=10, min_group_share=0)
    return fr.Report(audit.run(), suppress_below=30, **report)


def test_a_reference_that_has_to_be_withheld_is_told_on_the_first_page_and_at_the_table():
    report = rereferenced()
    assert results(report)["withheld"]["tests"][0]["rereferenced"]
    page = report.html()
    first, later = page[page.index('<section id="result"') :].split("</section>", 1)
    for part in (first, later):
        assert "Another reference:" in part
    assert "what they read is not what the audit found" in first
    assert "what they read is not what the audit found" in results(report)["results"][0]["notes"][-1]["text"]


def test_a_preset_does_not_call_met_what_is_withheld():
    report = rereferenced(preset="four_fifths")
    lines = {line.says: (line.agreement.value, line.detail.whole) for line in report._view(()).preset.agreement}
    told = [detail for agreement, detail in lines.values() if agreement == "differs" and "withheld" in detail]
    assert len(told) == 2, lines
    page = report.html()
    assert "2 groups of this test are withheld and not in it." in page[page.index('<section id="profile"') :]


def without_sex(audit_of_rows=None, favorable=3):
    rows = [*rows_of(few=40), *[[None, "north", int(i < favorable), 500] for i in range(4)]]
    columns = dict(zip(("sex", "site", "hired", "score"), map(list, zip(*rows, strict=True)), strict=True))
    audit = fr.Audit(columns, as_of="2026-11-01").outcome_disparity("sex", "hired", 1, name="by sex")
    return audit_of_rows(audit) if audit_of_rows else audit


def test_few_rows_that_lack_an_attribute_are_withheld_like_a_small_group(tmp_path, result_checker):
    report = fr.Report(without_sex().run(), suppress_below=BELOW)
    document = results(report)
    (test,) = document["withheld"]["tests"]
    assert (test["lacking"], test["few"], test["beside"]) == (["sex"], [], [])
    evidence = document["results"][0]["evidence"]
    assert evidence["missing"] == [{"attribute": "sex", "n": 4, "favorable": None}]
    assert evidence["unmatched"] == []
    page = report.html()
    row = re.search(r"<caption>Table 4.2.*?<tbody>(.*?)</tbody>", page, re.DOTALL)[1]
    assert re.findall(r'<td class="num">(.*?)</td>', row) == ["4", "0.6%", "withheld", "withheld"]
    assert "3 of them favorable" not in page
    assert verify(report.save(tmp_path / "packet.html")).agrees
    result_checker.validate(document)


def test_few_rows_that_lack_an_attribute_do_not_follow_from_another_test():
    # All favorable rows less those of every sex are those without one, unless a sex is withheld as well.
    report = fr.Report(
        without_sex(lambda audit: audit.outcome_disparity("site", "hired", 1, name="by site")).run(),
        suppress_below=BELOW,
    )
    (test,) = results(report)["withheld"]["tests"]
    assert test["beside"] == [[SMALL[1]]]


def test_a_metric_over_all_rows_does_not_tell_of_few_that_lack_an_attribute():
    audit = without_sex()
    for name in ("sex", "site"):
        audit.metric_parity(name, "mean", value_column="score", higher_is_better=True, name=f"mean by {name}")
    tests = {test["name"]: test for test in results(fr.Report(audit.run(), suppress_below=BELOW))["withheld"]["tests"]}
    assert tests["mean by sex"]["whole"]
    assert "mean by site" not in tests


def test_dashes_of_a_test_that_is_withheld_are_explained(report, run):
    told = "or where the figures of the test are withheld", "or its figures are withheld"
    assert [text in page for page in (report.html(), fr.Report(run).html()) for text in told] == [True] * 2 + [
        False
    ] * 2


@pytest.mark.parametrize("below", [None, 0, 1])
def test_off_by_default_the_packet_is_the_same(run, below):
    assert fr.Report(run, suppress_below=below).packet_id == fr.Report(run).packet_id


@pytest.mark.parametrize(
    ("below", "code"), [("10", "bad_type"), (True, "bad_type"), (-1, "out_of_range"), (2.5, "out_of_range")]
)
def test_a_wrong_size_is_one_clear_line(run, below, code):
    with pytest.raises(fr.ConfigError, match="must be a whole number of at least 0") as caught:
        fr.Report(run, suppress_below=below)
    assert (caught.value.code, caught.value.errors[0].path) == (code, "suppress_below")


def test_an_earlier_packet_inside_withholds_as_well(run):
    report = fr.Report(run, suppress_below=BELOW, previous=run)
    earlier = json.loads(attached(report)["earlier.json"])
    assert earlier["withheld"]["below"] == BELOW
    assert not any(f'"{name}"' in json.dumps(entry["evidence"]) for entry in earlier["results"] for name in SMALL)


def test_a_metric_of_the_users_own_shows_nothing_where_a_group_is_small():
    rows = rows_of()
    columns = {"hired": [row[2] for row in rows], "score": [row[3] for row in rows]}
    columns |= {name: [int(row[0] == name) for row in rows] for name in ("F", "M", SMALL[0])}
    audit = fr.Audit(columns).custom_disparity_metric(
        metric=_mean,
        protected_groups=["F", SMALL[0]],
        reference_groups=["M", "M"],
        group_categories=["sex", "sex"],
        outcome="score",
        label="hired",
        ratio_threshold=0.8,
        draws=20,
    )
    document = results(fr.Report(audit.run(), suppress_below=BELOW))
    assert document["withheld"]["tests"][0]["whole"]
    assert document["results"][0]["skip_code"] == "withheld"


def _mean(_labels, predictions):
    return float(predictions.mean())
