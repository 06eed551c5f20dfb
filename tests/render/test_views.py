"""Views carry the numbers of the JSON document, rounded and nothing else."""

import pytest

import fairreport as fr
from fairreport.audit.audit import Audit
from fairreport.render.builders import view_run, view_single
from fairreport.render.figures import figure_svg
from fairreport.render.markdown import markdown_of_run
from fairreport.render.views import Name


def read(text):
    return float(text.replace("−", "-").replace(",", ""))


def test_cells_are_the_numbers_of_the_document(everything):
    table = view_run(everything.record).tests[0].table
    document = everything.to_dict()["results"][0]
    for row, group in zip(table.rows, document["groups"], strict=True):
        assert row.label == " / ".join(group["group"].values())
        assert read(table.cell(row, "n")) == group["n"]
        assert read(table.cell(row, "favorable")) == group["favorable"]
        for key in ("rate", "ratio", "difference"):
            assert read(table.cell(row, key)) == pytest.approx(group[key], abs=5e-4)
        for key, name in (("rate_interval", "ci"), ("ratio_interval", "ratio_ci")):
            if group[f"{name}_low"] is not None:
                low, high = map(read, table.cell(row, key).split("–"))
                assert (low, high) == pytest.approx((group[f"{name}_low"], group[f"{name}_high"]), abs=5e-4)
        if not group["is_reference"]:
            assert (row.marks.value, row.marks.low) == (group["ratio"], group["ratio_ci_low"])


def test_measurements_are_those_of_the_document(everything):
    measured = dict(view_run(everything.record).tests[0].measurements)
    wanted = {k: v for k, v in everything.results[0].measurements.items() if not k.startswith("adjusted")}
    assert measured.keys() == wanted.keys()
    for name, value in wanted.items():
        assert measured[name] == "n.d." if value is None else read(measured[name]) == pytest.approx(value, abs=5e-4)


def test_the_worst_comparison_leads(several):
    view = view_run(several.record)
    assert view.headline.text.startswith("by race: B: rate 0.225 (45 of 200), 0.409 of the rate of A")
    assert [test.name.text for test in view.worst_first] == ["by race", "y by sex", "by region"]
    test, row = next(view.worst_comparisons())
    assert (test.name.text, row.label) == ("by race", "B")


def test_a_skipped_test_keeps_its_reason(several):
    view = view_run(several.record)
    assert [test.skip_code for test in view.skipped] == ["missing_column"]
    assert "region" in view.skipped[0].headline.text
    assert view.counts_sentence.text.endswith("1 test was skipped.")


def test_adjusted_figures_stand_beside_the_marginal_ones(several):
    test = view_run(several.record).tests[1]
    document = several.to_dict()["results"][1]["groups"][0]
    row = test.adjusted.rows[0]
    assert read(test.adjusted.cell(row, "adjusted_ratio")) == pytest.approx(document["adjusted_impact_ratio"], abs=5e-4)
    assert test.adjusted.cell(row, "strata_used") == "2"


def test_a_reversal_is_said():
    rows = {"g": [], "y": [], "d": [], "n": []}
    for group, stratum, favorable, n in (
        ("a", "x", 80, 100),
        ("a", "z", 20, 400),
        ("b", "x", 280, 400),
        ("b", "z", 4, 100),
    ):
        for y, count in ((1, favorable), (0, n - favorable)):
            for key, value in zip(rows, (group, y, stratum, count), strict=True):
                rows[key].append(value)
    run = fr.Audit(rows, counts="n").outcome_disparity("g", "y", 1, control_columns="d").run()
    test = view_run(run.record).tests[0]
    assert test.reversals[0].text == "a: ratio 0.352 over all rows, 1.149 within d; the direction reverses."
    assert test.adjusted.cell(test.adjusted.rows[0], "direction") == "reverses"


def test_rows_left_out_are_in_the_flow():
    rows = {"g": ["a"] * 50 + ["b"] * 50 + [None] * 7, "y": [1, 0] * 53 + [None]}
    view = view_run(fr.Audit(rows).outcome_disparity("g", "y", 1).run().record)
    flow = [(line.term, line.text.text) for line in view.tests[0].flow]
    assert flow == [
        ("Rows of the table", "107"),
        ("Left out: no value in the measured column", "1"),
        ("Left out: a protected attribute is missing", "6"),
        ("Evaluated", "100"),
    ]


def test_the_code_makes_the_same_audit_again(several, everything):
    for run in (several, everything):
        code = view_run(run.record).code
        again = eval(code.replace(".run()", ""), {"fr": fr, "data": {}})
        assert isinstance(again, Audit)
        assert [test.parameters() for test in again.tests] == [t.test.parameters() for t in run.record.tests]


def test_a_single_test_is_an_audit_of_its_own(several):
    view = view_single(several.record, several.record.tests[1])
    assert [test.name.text for test in view.tests] == ["by race"]
    assert view.state.key == "failing"
    assert view.fingerprint == several.record.data.fingerprint


def test_names_are_shortened_in_the_middle():
    name = Name.of("x" * 300)
    assert len(name.short) == 64
    assert "…" in name.short
    assert Name.prose("x" * 300).short == "x" * 300


@pytest.fixture
def scores_and_metrics():
    """A run of a score test, a metric compared with a group, one compared with all rows, and one by its gap."""
    rows = {"g": [], "score": [], "label": [], "x": []}
    for shift, group in enumerate("abc"):
        for i in range(120):
            rows["g"].append(group)
            rows["score"].append((i * 7 % 120) / 120 - 0.12 * shift + 0.3)
            rows["label"].append(int((i * 7 % 120) > 60 - 10 * shift))
            rows["x"].append(i % (10 + shift) - 5.0)
    audit = fr.Audit(rows).score_disparity("g", "score")
    audit.metric_parity("g", "auc", score_column="score", ground_truth_column="label", positive_values=1)
    audit.metric_parity("g", "mean", value_column="x", higher_is_better=True, max_difference=0.25)
    return audit


def test_a_score_test_has_a_view(scores_and_metrics):
    run = scores_and_metrics.run()
    test = view_run(run.record).tests[0]
    document = run.to_dict()["results"][0]
    assert test.analysis == "score_disparity"
    for row, group in zip(test.table.rows, document["groups"], strict=True):
        assert read(test.table.cell(row, "scoring")) == group["scoring"]
        assert read(test.table.cell(row, "rate")) == pytest.approx(group["scoring_rate"], abs=5e-4)
        assert read(test.table.cell(row, "mean_difference")) == pytest.approx(group["mean_difference"], abs=5e-4)
    assert test.table.caption.text.startswith("Share of score above the overall median ")


def test_a_metric_test_has_a_view(scores_and_metrics):
    run = scores_and_metrics.run()
    view = view_run(run.record)
    for test, document in list(zip(view.tests, run.to_dict()["results"], strict=True))[1:]:
        assert test.analysis == "metric_parity"
        assert not test.is_skipped
        for row, group in zip(test.table.rows, document["groups"], strict=True):
            assert read(test.table.cell(row, "value")) == pytest.approx(group["value"], abs=5e-4)
            assert read(test.table.cell(row, "gap")) == pytest.approx(group["gap"], abs=5e-4)
            low = None if group["ci_low"] == group["ci_high"] else group["ci_low"]  # no bar without a width
            assert (row.marks.value, row.marks.low) == (group["value"], low)
            failing = row.finding.word.startswith(("below", "gap above"))
            assert failing == group["failing"]


def test_scores_and_metrics_display_and_draw(scores_and_metrics):
    run = scores_and_metrics.run()
    assert set(run._repr_mimebundle_()) == {"text/plain", "text/html", "text/markdown"}
    for result in run.results:
        assert result.plot()._repr_png_()
        assert len(repr(result).split("\n")) <= 15


@pytest.fixture
def centres(outcome_run):
    start, end = "Regional operations and customer support centre for the", "districts and surrounding municipalities"
    names = [f"{start} {side} {end}" for side in ("northern", "southern", "eastern")]
    return outcome_run({name: (90 - 20 * i, 100) for i, name in enumerate(names)})


@pytest.mark.parametrize("side", ["northern", "southern", "eastern"])
def test_long_names_that_differ_in_the_middle_look_different(centres, side):
    record = centres.record
    view = view_run(record)
    shown = f"…{side} districts"
    for longest in (24, 48, 64):
        cut = {row.group[0].cut(longest) for row in view.tests[0].table.rows}
        assert len(cut) == 3
        assert any(text.startswith(shown) for text in cut)
    assert str(centres).count(shown) >= 1
    assert sum(line.startswith(shown) for line in str(centres).splitlines()[-3:]) == 1
    assert f"| {shown} and surrounding" in markdown_of_run(view)
    assert shown in figure_svg(record.tests[0])


def test_the_headline_names_both_sides_of_a_comparison_apart(centres):
    headline = view_run(centres.record).headline.text
    assert headline.startswith("…eastern districts")
    assert " of the rate of …northern districts" in headline


def test_long_names_of_tests_stay_apart():
    rows = {"g": ["A", "B"] * 60, "y": [1, 0, 0, 1] * 30}
    audit = fr.Audit(rows)
    for side in ("north", "south"):
        audit.outcome_disparity("g", "y", 1, name=f"{'Selection in the region of the ' * 3}{side}{' of the land' * 8}")
    run = audit.run()
    names = [test.name.cut(48) for test in view_run(run.record).tests]
    assert len(set(names)) == 2
    assert len({line.partition(", ratio")[0] for line in str(run).splitlines() if line.startswith("●")}) == 2
