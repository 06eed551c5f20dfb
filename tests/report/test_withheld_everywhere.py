"""Groups that a report withholds, looked for in everything that is made of it.

What is withheld flows nowhere: rows are handed from one withheld group to the other, every total stays, and so must
every byte of every output. Names of the withheld groups occur nowhere else.
"""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

import fairreport as fr
from fairreport.audit.window import WindowRecord
from fairreport.render.trend_text import trend_sentences
from fairreport.report.history import History
from fairreport.report.junit import junit_xml
from fairreport.report.withheld_trends import _levels, shown_trends

BELOW = 10
FEW, TWIN = "zqfew", "zqtwin"
SIZES = {"F": 300, "M": 260, TWIN: 25, FEW: 6}
RATES = {"F": 0.4, "M": 0.6, TWIN: 0.5, FEW: 0.5}


def rows_of(week, sizes=SIZES, rates=RATES, *, handed=0):
    """Rows of a week, so many of them handed from the larger of the two last groups to the smaller, both outcomes."""
    random = Random(week)
    rows = [
        [sex, ("north", "south")[i % 2], int(i % 10 < 10 * rates[sex]), random.randrange(1000)]
        for sex, n in sizes.items()
        for i in range(n)
    ]
    ours = [i for i, row in enumerate(rows) if row[0] == TWIN]
    for i in ours[: max(handed, 0)]:
        rows[i][0] = FEW
    for i in [i for i, row in enumerate(rows) if row[0] == FEW][: max(-handed, 0)]:
        rows[i][0] = TWIN
    return rows


def window(week, rows):
    start = datetime(2026, 1, 5, tzinfo=UTC) + timedelta(weeks=week)
    ends = [at.strftime("%Y-%m-%dT%H:%M:%SZ") for at in (start, start + timedelta(weeks=1))]
    return WindowRecord(
        start=ends[0],
        end=ends[1],
        length_seconds=7 * 86_400,
        delay_seconds=0,
        column="at",
        timezone="UTC",
        rows_within=len(rows),
        rows_before=0,
        rows_after=0,
        rows_without_time=0,
    )


def run_of(week, rows, **parameters):
    columns = dict(zip(("sex", "site", "hired", "score"), map(list, zip(*rows, strict=True)), strict=True))
    audit = fr.Audit(columns, title="Suppressed", as_of="2026-11-01")
    audit.outcome_disparity("sex", "hired", 1, name="by sex", **parameters)
    audit.outcome_disparity("sex", "hired", 1, name="within sites", control_columns=["site"])
    audit.outcome_disparity("site", "hired", 1, name="by site")
    audit.outcome_disparity(
        ["sex", "site"], "hired", 1, name="crossed"
    )  # with other sizes a twin is its reference, shown
    audit.score_disparity("sex", "score", name="scores")
    audit.metric_parity("sex", "mean", value_column="score", higher_is_better=True, name="averages")
    audit.adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0, name="pairs"
    )
    rule = {"id": "gap", "rate": "selection", "attribute": ["sex"], "max_group_gap": 0.5}
    audit.rate_gaps({"sex": [*SIZES]}, "hired", "hired", [rule], name="gaps")
    run = audit.run()
    run.record = replace(run.record, data=replace(run.record.data, window=window(week, rows)))
    return run


def history_of(folder, weeks, **parameters):
    made = History(folder / "audits.duckdb")
    runs = [run_of(week, rows, **parameters) for week, rows in enumerate(weeks)]
    for run in runs:
        made.append(run, "hiring")
    return made.trends(), runs


def outputs(report):
    """Everything that a report gives away, as text or bytes."""
    found = {file.name: file.content for file in report.attachments}
    return found | {
        "page": report.html(),
        "display": report._repr_html_(),
        "text": repr(report),
        "junit": junit_xml(report.record),
        "summary": "\n".join(trend_sentences(report.trends)),
        "packet id": report.packet_id,
    }


def reports_of(folder, weeks, *, pdf=False, **parameters):
    folder.mkdir()
    trends, runs = history_of(folder, weeks, **parameters)
    report = fr.Report(runs[-1], suppress_below=BELOW, previous=runs[0], trends=trends)
    found = outputs(report) | ({"pdf": report.pdf()} if pdf else {})
    before, after = (folder / name for name in ("before.html", "after.html"))
    fr.Report(runs[0], suppress_below=BELOW).save(before, checksum=False)
    after.write_text(found["page"], "utf-8")
    compared = fr.compare(before, after)
    return found | {"compared": str(compared.to_dict()), "lines": repr(compared)}


def assert_same(one, other):
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.parametrize("pdf", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_no_output_depends_on_what_is_withheld(tmp_path, pdf):
    weeks = [rows_of(0), rows_of(1), rows_of(2)]
    handed = [rows_of(0, handed=-2), rows_of(1), rows_of(2, handed=3)]
    assert_same(reports_of(tmp_path / "one", weeks, pdf=pdf), reports_of(tmp_path / "two", handed, pdf=pdf))


@pytest.mark.heavy
def test_a_group_that_was_small_in_one_week_flows_into_no_output(tmp_path):
    large = SIZES | {FEW: 60, TWIN: 80}
    weeks = [[rows_of(0, large), rows_of(1, handed=by), rows_of(2, large)] for by in (0, 3)]
    one, other = (reports_of(tmp_path / str(i), it) for i, it in enumerate(weeks))
    assert "zqfew" in one["results.json"].decode()  # it is large today
    assert_same(one, other)


@pytest.mark.heavy
def test_how_many_of_few_rows_without_an_attribute_are_favorable_flows_into_no_output(tmp_path):
    """An outcome is handed from a row without a sex to one of a withheld group; every total stays."""
    weeks = []
    for handed in (0, 2):
        lacking = [[None, "north", int(i < 1 + handed), 500] for i in range(5)]
        rows = [[*row] for row in rows_of(0)]
        ours = [row for row in rows if row[0] == TWIN and row[1] == "north" and row[2]]
        for row in ours[:handed]:
            row[2] = 0
        weeks.append([rows_of(1), [*rows, *lacking]])
    assert_same(*(reports_of(tmp_path / str(i), it) for i, it in enumerate(weeks)))


@pytest.mark.heavy
def test_the_rate_of_a_small_reference_flows_into_no_output(tmp_path):
    """The best group is the reference of every ratio; here it is one that has to be withheld."""
    rates = RATES | {FEW: 1.0, TWIN: 0.9}
    weeks = [[rows_of(week, rates=rates, handed=by if week == 1 else 0) for week in range(3)] for by in (0, 3)]
    one, other = (reports_of(tmp_path / str(i), it, min_group_size=2, min_group_share=0) for i, it in enumerate(weeks))
    assert_same(one, other)


def test_trends_leave_two_groups_open_wherever_one_was_small(tmp_path):
    large = SIZES | {FEW: 60, TWIN: 80}
    trends, runs = history_of(tmp_path, [rows_of(0, large), rows_of(1), rows_of(2, large)])
    shown = shown_trends(trends, fr.Report(runs[-1], suppress_below=BELOW).record)
    tests = {test.name: test for test in shown.evidence.tests}
    assert {group.label for group in tests["by site"].groups} == {"site = north", "site = south"}
    for week in range(3):
        total = sum(group.points[week].n for group in tests["by site"].groups)
        assert total - sum(group.points[week].n for group in tests["by sex"].groups) >= 31
    hidden = Counter(name for name, n in shown.evidence.withheld for _ in range(n))
    assert hidden["by sex"] == hidden["scores"] == hidden["averages"] == 2
    assert tests["pairs"].groups == tests["gaps"].groups == ()


def test_what_the_earlier_audit_beside_withholds_is_withheld_from_trends(tmp_path):
    trends, runs = history_of(tmp_path, [rows_of(0), rows_of(1), rows_of(2)])
    record = fr.Report(runs[-1], suppress_below=BELOW).record
    earlier = fr.Report(run_of(0, rows_of(0, SIZES | {"M": 9})), suppress_below=BELOW).record
    labels = [
        [group.label for group in shown_trends(trends, record, *beside).evidence.tests[0].groups]
        for beside in ((), (earlier,))
    ]
    assert labels == [["sex = F", "sex = M"], ["sex = F"]]


@pytest.mark.parametrize(
    ("label", "columns", "levels"),
    [
        ("sex = F", ["sex"], ("F",)),
        ("a = x, b = y = z, c = w", ["a", "b", "c"], ("x", "y = z", "w")),
        ("sex = F", ["site"], None),
        ("sex = F", ["sex", "site"], None),
    ],
)
def test_a_label_is_read_back(label, columns, levels):
    assert _levels(label, columns) == levels


def test_the_packet_with_all_of_it_agrees_with_its_evidence(tmp_path):
    trends, runs = history_of(tmp_path, [rows_of(0), rows_of(1), rows_of(2)])
    report = fr.Report(runs[-1], suppress_below=BELOW, previous=runs[0], trends=trends)
    assert json.loads(next(it.content for it in report.attachments if it.name == "earlier.json"))["withheld"]
    assert fr.verify(report.save(tmp_path / "packet.html")).agrees
