"""Counts of several windows added up and judged: the same as one run over all of their rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.adding_up import NotAdditiveError, judge_sum
from fairreport.audit.counting import counting_of
from fairreport.audit.document import entry_document
from fairreport.audit.entry_parts import evidence_document

row = st.fixed_dictionaries(
    {
        "sex": st.sampled_from(["F", "M", "X", ""]),
        "race": st.sampled_from(["A", "B", None]),
        "site": st.sampled_from(["n", "s", None]),
        "hired": st.sampled_from([0, 1, 1, 2, None]),
        "label": st.sampled_from([0, 1]),
        "picked": st.sampled_from([0, 1, None]),
        "chance": st.sampled_from([0.125, 0.375, 0.75]),
        "score": st.floats(-5, 5, width=16),
        "amount": st.sampled_from([1, 2, 3]),
    }
)
ALWAYS = [  # every window holds each group and label, so that no test is skipped for want of them
    {"sex": sex, "race": race, "site": "n", "hired": hired, "label": label, "picked": hired, "chance": 0.375}
    | {"score": 1.5 * hired, "amount": 1}
    for sex in "FM"
    for race in "AB"
    for hired, label in ((0, 0), (1, 1), (0, 1), (1, 0))
]


def counts_of(rows):
    small = {"min_group_size": 1, "min_group_share": 0}
    audit = fr.Audit(rows)
    audit.outcome_disparity(["sex", "race"], "hired", 1, **small, p_value_adjustment="holm")
    audit.outcome_disparity("sex", "hired", 1, name="within sites", control_columns=["site"], **small)
    audit.metric_parity(
        "sex", "rate", value_column="hired", positive_values=["1"], higher_is_better=True, name="rate", **small
    )
    audit.metric_parity(
        "sex",
        "npv",
        prediction_column="picked",
        ground_truth_column="label",
        positive_values=["1"],
        name="npv",
        **small,
    )
    audit.rate_gaps(
        {"sex": ["F", "M"], "race": ["A", "B", "C"]},
        "label",
        "picked",
        [
            {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.2},
            {"id": "served", "rate": "selection", "attribute": "race", "worst_group": 0.3},
        ],
        probability="chance",
    )
    return audit.run().record.entries


def moments_of(rows):
    audit = fr.Audit(rows)
    audit.metric_parity(
        "sex", "mean", value_column="score", higher_is_better=True, name="mean", min_group_size=1, min_group_share=0
    )
    audit.metric_parity(
        "sex",
        "brier",
        probability_column="chance",
        ground_truth_column="label",
        positive_values=["1"],
        name="brier",
        min_group_size=1,
        min_group_share=0,
    )
    return audit.run().record.entries


def pairs_of(rows):
    decided = [it | {"hired": int(it["hired"] == 1), "sex": it["sex"] or None} for it in rows]
    stated = {"outcome": "hired", "reference_values": {"race": "A", "sex": "M"}}
    ratio = {"air_threshold": 0.8, "percent_difference_threshold": 0.01}
    audit = fr.Audit(decided)
    audit.adverse_impact_ratio(**stated, **ratio, name="air")
    audit.adverse_impact_ratio(**stated, **ratio, name="repeated", sample_weight="amount", weight_kind="frequency")
    audit.segmented_adverse_impact_ratio(**stated, **ratio, segment="site", name="by site")
    audit.true_positive_rate(
        **stated, label="label", ratio_threshold=0.8, percent_difference_threshold=0.01, name="true positives"
    )
    audit.standardized_mean_difference(
        outcome="score", reference_values={"race": "A", "sex": "M"}, smd_threshold=0.3, name="smd"
    )
    return audit.run().record.entries


windows = st.lists(st.lists(row, max_size=30), min_size=2, max_size=3)


@settings(max_examples=8, deadline=None)
@given(windows)
def test_counts_of_windows_are_the_counts_of_all_rows(parts):
    parts = [ALWAYS + part for part in parts]
    together = counts_of([it for part in parts for it in part])
    for i, expected in enumerate(together):
        found = judge_sum([counts_of(part)[i] for part in parts], {})
        assert evidence_document(found.entry.finding.evidence) == evidence_document(expected.finding.evidence)
        assert entry_document(found.entry) == entry_document(expected)


@settings(max_examples=5, deadline=None)
@given(windows)
def test_named_pairs_of_windows_are_those_of_all_rows(parts):
    parts = [ALWAYS + part for part in parts]
    together = pairs_of([it for part in parts for it in part])
    held = [pairs_of(part) for part in parts]
    for i, expected in enumerate(together):
        found = judge_sum([entries[i] for entries in held], {}).entry
        assert expected.finding is not None, expected.skip
        if expected.name == "smd":
            assert_close(entry_document(found)["groups"], entry_document(expected)["groups"])
        else:
            assert entry_document(found) == entry_document(expected)


@settings(max_examples=5, deadline=None)
@given(windows)
def test_moments_of_windows_are_those_of_all_rows(parts):
    parts = [ALWAYS + part for part in parts]
    together = moments_of([it for part in parts for it in part])
    held = [moments_of(part) for part in parts]
    for i, expected in enumerate(together):
        found = judge_sum([entries[i] for entries in held], {}).entry
        assert found.status == expected.status
        assert_close(entry_document(found)["groups"], entry_document(expected)["groups"])


def assert_close(found, expected):
    """Numbers agree to 1e-9: sums of windows were rounded once each."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_close(found[key], expected[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    else:
        assert found == expected


def test_a_group_that_one_window_lacks_joins():
    first = [{"race": race, "hired": h} for race in ("A", "B") for h in (0, 1, 1)]
    second = [{"race": race, "hired": h} for race in ("A", "C") for h in (0, 0, 1)]

    def entry(rows):
        stated = {"outcome": "hired", "reference_values": {"race": "A"}}
        run = fr.Audit(rows).adverse_impact_ratio(**stated, air_threshold=0.8, percent_difference_threshold=0.01).run()
        return run.record.entries[0]

    found = judge_sum([entry(first), entry(second)], {}).entry
    assert entry_document(found) == entry_document(entry(first + second))


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda a: a.score_disparity("sex", "score"), "medians and ranks do not add"),
        (
            lambda a: a.metric_parity("sex", "median", value_column="score", higher_is_better=True),
            "ranks, quantiles or residuals, which do not add",
        ),
        (
            lambda a: a.metric_parity(
                "sex", "auc", score_column="score", ground_truth_column="label", positive_values=["1"]
            ),
            "ranks, quantiles or residuals, which do not add",
        ),
        (
            lambda a: a.adverse_impact_ratio_by_quantile(
                outcome="score",
                reference_values={"sex": "M"},
                quantiles=[0.5],
                air_threshold=0.8,
                percent_difference_threshold=0.01,
            ),
            "quantiles do not add",
        ),
    ],
)
def test_what_does_not_add_says_so(add, message):
    rows = [it | {"score": i % 7} for i, it in enumerate(ALWAYS * 5)]
    entry = add(fr.Audit(rows)).run().record.entries[0]
    assert entry.finding is not None
    assert entry.finding.evidence is not None
    with pytest.raises(NotAdditiveError, match=message):
        judge_sum([entry, entry], {})


def test_more_values_than_a_window_keeps_are_left_out_and_said():
    rows = [{"sex": sex, "rank": rank} for sex in "FM" for rank in range(1, 15) for _ in range(5)]
    entry = fr.Audit(rows).outcome_disparity("sex", "rank", 1).run().record.entries[0]
    found = judge_sum([entry, entry], {})
    assert found.remarks == ("not kept: which values count as unfavorable: a window keeps ten of them",)
    assert found.entry.finding.evidence.unmatched == ()
    assert found.entry.measurements["minImpactRatio"] == 1.0


def test_thresholds_that_changed_are_said_and_the_latest_judge():
    rows = [{"sex": sex, "hired": hired} for sex, hired in [("F", 1), ("F", 0), ("M", 1), ("M", 1), ("M", 0)] * 40]
    mild = fr.Audit(rows).outcome_disparity("sex", "hired", 1, impact_ratio_threshold=0.7).run().record
    strict = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run().record
    found = judge_sum([mild.entries[0], strict.entries[0]], {})
    assert found.remarks == (
        "parameters of judgement changed between these windows; those of the latest judge the sum",
    )
    assert found.entry.status.value == "failing"
    assert counting_of(mild.entries[0].test, mild.data) == counting_of(strict.entries[0].test, strict.data)


@pytest.mark.parametrize(
    "other",
    [
        {"favorable_values": [1, 2]},
        {"outcome_column": "label"},
        {"protected_attribute_columns": "race"},
        {"control_columns": ["site"]},
    ],
)
def test_what_is_counted_tells_itself(other):
    def counted(**audit):
        stated = {"protected_attribute_columns": "sex", "outcome_column": "hired", "favorable_values": 1} | audit
        record = fr.Audit(ALWAYS).outcome_disparity(**stated).run().record
        return counting_of(record.entries[0].test, record.data)

    assert counted(**other) != counted()


def test_how_cells_are_read_is_part_of_what_is_counted():
    def counted(**audit):
        record = fr.Audit(ALWAYS, **audit).outcome_disparity("sex", "hired", 1).run().record
        return counting_of(record.entries[0].test, record.data)

    assert len({counted(), counted(missing_values=["F"]), counted(groups={"sex": ["F", "M"]})}) == 3
    assert counted(groups={"race": ["A"]}) == counted()


def test_notes_about_cells_come_along():
    first = [it | {"sex": " F" if it["sex"] == "F" else "M"} for it in ALWAYS]
    second = [it | {"sex": "F " if it["sex"] == "F" else "M"} for it in ALWAYS]
    entries = [
        fr.Audit(rows + ALWAYS).outcome_disparity("sex", "hired", 1).run().record.entries[0] for rows in (first, second)
    ]
    notes = [note.text for note in judge_sum(entries, {}).entry.finding.notes if note.code == "spellings_folded"]
    assert len(notes) == 2
