"""A test under other thresholds and references is what a fresh audit with these finds, number by number."""

import pytest

import fairreport as fr
from fairreport.analyses.robustness import (
    bars_around,
    compares_with_all,
    needs_new_scan,
    under_limits,
    under_ratios,
    under_references,
)
from fairreport.tables.tally import Scan

# Questions and Answers on the Uniform Guidelines, 44 FR 11996 (1979), on the group with the highest rate: rates of 60%,
# 45%, 48% and 51% make impact ratios of 75%, 80% and 85%; under four-fifths the first of these is low and no other is.
PUBLISHED = {"white": (60, 100), "american indian": (45, 100), "hispanic": (48, 100), "black": (51, 100)}


def record_of(audit):
    return audit.run().record.tests[0]


def scan_of(record):
    return Scan(tally=record.finding.evidence)


def columns_of(groups):
    rows = [(g, o, n) for g, (a, k) in groups.items() for o, n in ((1, a), (0, k - a))]
    return dict(zip(("g", "o", "n"), map(list, zip(*rows, strict=True)), strict=True))


def audit_of(groups, **stated):
    return fr.Audit(columns_of(groups), counts="n").outcome_disparity("g", "o", 1, **stated)


def found_by(record):
    """What a finding says of a test, as a variant says it."""
    found = record.finding
    return {
        "skip": found.skip,
        "measurements": dict(found.measurements),
        "failing": tuple(row.group for row in found.groups if row.failing),
        "reference": found.reference,
    }


def told_by(variant):
    return {
        "skip": variant.skip,
        "measurements": dict(variant.measurements),
        "failing": variant.failing,
        "reference": variant.reference,
    }


@pytest.fixture
def scored():
    """Scores, values and labels of three groups; the counts of 70, 60 and 50 rows."""
    rows = {name: [] for name in ("g", "score", "paid", "said", "label")}
    for group, n, shift in (("a", 70, 0), ("b", 60, 6), ("c", 50, 14)):
        for i in range(n):
            rows["g"].append(group)
            rows["score"].append((i * 37) % 61 + shift)
            rows["paid"].append(20 + (i * 53) % 47 * (shift + 9) / 11)
            rows["said"].append(int((i * 29) % 60 < 20 + shift))
            rows["label"].append(int((i * 17) % 50 < 12 + shift))
    return rows


def makers_of(rows):
    """One test of every kind, as a function of more parameters."""
    labels = {"ground_truth_column": "label", "positive_values": 1}
    return {
        "score": lambda **more: fr.Audit(rows).score_disparity("g", "score", **more),
        "auc": lambda **more: fr.Audit(rows).metric_parity("g", "auc", score_column="score", **labels, **more),
        "mean": lambda **more: fr.Audit(rows).metric_parity(
            "g", "mean", value_column="paid", higher_is_better=True, **more
        ),
        "p95": lambda **more: fr.Audit(rows).metric_parity(
            "g", "p95", value_column="paid", higher_is_better=False, **more
        ),
        "omission": lambda **more: fr.Audit(rows).metric_parity(
            "g", "false_omission_rate", prediction_column="said", **labels, **more
        ),
        "outcome": lambda **more: fr.Audit(rows).outcome_disparity("g", "label", 1, **more),
    }


KINDS = ("score", "auc", "mean", "p95", "omission", "outcome")


def test_the_published_ratios_under_each_threshold():
    record = record_of(audit_of(PUBLISHED))
    variants = under_ratios(record.test, scan_of(record))
    low, middle, high = ("american indian",), ("hispanic",), ("black",)
    assert [it.bar for it in variants] == [0.7, 0.75, 0.8, 0.85, 0.9]
    # 75% is not below 0.75, 80% not below 0.80, 85% not below 0.85.
    assert [it.found.failing for it in variants] == [(), (), (low,), (low, middle), (low, middle, high)]
    assert [it.found.smallest for it in variants] == [0.75] * 5
    assert [it.is_stated for it in variants] == [False, False, True, False, False]


def test_the_published_groups_as_references():
    record = record_of(audit_of(PUBLISHED, reference_strategy="named", reference_value="hispanic"))
    references = under_references(record.test, scan_of(record), record.finding)
    # Against 45%, 51% and 60%: only 45/60 is below four-fifths.
    failing = {it.reference[0]: it.found.failing for it in references.tried}
    assert failing == {"hispanic": (), "american indian": (), "black": (), "white": (("american indian",),)}
    assert [it.reference[0] for it in references.tried if it.is_stated] == ["hispanic"]
    assert references.tried[0].is_stated
    assert references.further == 0


@pytest.mark.parametrize("kind", KINDS)
def test_other_thresholds_find_what_a_fresh_audit_finds(kind, scored):
    name = "impact_ratio_threshold" if kind in {"score", "outcome"} else "min_ratio"
    make = makers_of(scored)[kind]
    record = record_of(make(**{name: 0.77}, p_value_adjustment="holm"))
    variants = under_ratios(record.test, scan_of(record))
    assert [it.bar for it in variants] == [0.7, 0.75, 0.77, 0.8, 0.85, 0.9]
    for it in variants:
        fresh = record_of(make(**{name: it.bar}, p_value_adjustment="holm"))
        assert told_by(it.found) == found_by(fresh)


@pytest.mark.parametrize("kind", KINDS)
def test_other_references_find_what_a_fresh_audit_finds(kind, scored):
    make = makers_of(scored)[kind]
    record = record_of(make(p_value_adjustment="benjamini_hochberg"))
    references = under_references(record.test, scan_of(record), record.finding)
    assert {it.reference for it in references.tried} == {("a",), ("b",), ("c",)}
    for it in references.tried:
        fresh = record_of(
            make(p_value_adjustment="benjamini_hochberg", reference_strategy="named", reference_value=it.reference[0])
        )
        assert told_by(it.found) == found_by(fresh)


def test_references_of_an_intersection_are_those_of_one_column_that_joins_both():
    cells = [("F", "young", 20, 60), ("F", "old", 30, 70), ("M", "young", 45, 80), ("M", "old", 50, 75)]
    rows = {name: [] for name in ("sex", "age", "both", "hired")}
    for sex, age, a, n in cells:
        rows["sex"] += [sex] * n
        rows["age"] += [age] * n
        rows["both"] += [f"{age} {sex}"] * n
        rows["hired"] += [1] * a + [0] * (n - a)
    record = record_of(fr.Audit(rows).outcome_disparity(["sex", "age"], "hired", 1, control_columns="sex"))
    references = under_references(record.test, scan_of(record), record.finding)
    assert len(references.tried) == 4
    for it in references.tried:
        joined = " ".join(it.reference)
        fresh = record_of(
            fr.Audit(rows).outcome_disparity(
                "both", "hired", 1, reference_strategy="named", reference_value=joined, control_columns="sex"
            )
        )
        assert dict(it.found.measurements) == dict(fresh.finding.measurements)
        assert [" ".join(group) for group in it.found.failing] == [
            row.group[0] for row in fresh.finding.groups if row.failing
        ]


def test_a_threshold_on_the_smallest_ratio_moves_along_only_where_it_is_the_same_bar():
    stated = [("minImpactRatio", ">=", 0.8), ("maxRateDifference", "<=", 0.2)]
    record = record_of(audit_of(PUBLISHED, thresholds=stated))
    for it in under_ratios(record.test, scan_of(record)):
        assert [threshold.value for threshold in it.found.thresholds] == [it.bar, 0.2]
    other = record_of(audit_of(PUBLISHED, thresholds=[("minImpactRatio", ">=", 0.75)]))
    for it in under_ratios(other.test, scan_of(other)):
        assert [threshold.value for threshold in it.found.thresholds] == [0.75]


def test_half_and_twice_an_allowed_gap_find_what_a_fresh_audit_finds(scored):
    make = makers_of(scored)["omission"]
    record = record_of(make(max_difference=0.06))
    variants = under_limits(record.test, scan_of(record))
    assert [it.bar for it in variants] == [0.03, 0.06, 0.12]
    assert [it.is_stated for it in variants] == [False, True, False]
    for it in variants:
        assert told_by(it.found) == found_by(record_of(make(max_difference=it.bar)))
    assert under_limits(record_of(make()).test, scan_of(record)) == ()
    assert under_limits(record_of(audit_of(PUBLISHED)).test, scan_of(record)) == ()


def test_a_group_without_hits_is_no_reference():
    record = record_of(audit_of({"a": (0, 50), "b": (20, 50), "c": (25, 50)}))
    references = under_references(record.test, scan_of(record), record.finding)
    skipped = {it.reference[0]: it.found.skip.code.value for it in references.tried if it.found.skip}
    assert skipped == {"a": "reference_rate_zero"}
    assert {it.reference[0]: dict(it.found.measurements) for it in references.tried}["a"] == {}


def test_groups_with_too_few_rows_are_no_reference():
    record = record_of(audit_of({"a": (10, 50), "b": (20, 50), "c": (5, 20)}))
    references = under_references(record.test, scan_of(record), record.finding)
    assert {it.reference for it in references.tried} == {("a",), ("b",)}


@pytest.mark.parametrize(("n", "tried"), [(20, 20), (21, 20), (400, 20), (900, 8)])
def test_of_very_many_groups_those_with_the_most_rows_are_tried(n, tried):
    groups = {f"g{i:03d}": (20 + i % 7, 40 + i) for i in range(n)}
    record = record_of(audit_of(groups, min_group_share=0))
    references = under_references(record.test, scan_of(record), record.finding)
    assert len(references.tried) == tried
    assert references.further == n - tried
    others = [it.n for it in references.tried if not it.is_stated]
    assert others == sorted(others, reverse=True)
    left = sorted(set(range(40, 40 + n)) - {it.n for it in references.tried})
    assert not left or max(left) <= min(others)


def test_compared_with_all_rows_there_is_no_reference(scored):
    record = record_of(
        fr.Audit(scored).metric_parity(
            "g", "rate", value_column="label", positive_values=1, higher_is_better=True, comparison="overall"
        )
    )
    assert compares_with_all(record.test)
    assert under_references(record.test, scan_of(record), record.finding) is None


def test_quantiles_of_many_groups_say_that_they_need_a_scan():
    def quantiles(n):
        rows = {
            "g": [f"g{i % n:02d}" for i in range(40 * n)],
            "x": [(i * 7919) % 997 + i % n for i in range(40 * n)],
        }
        audit = fr.Audit(rows).metric_parity("g", "median", value_column="x", higher_is_better=True, min_group_share=0)
        return record_of(audit)

    few, many = quantiles(20), quantiles(21)
    assert not needs_new_scan(few.test, few.finding)
    assert needs_new_scan(many.test, many.finding)
    assert under_references(many.test, scan_of(many), many.finding) is None
    assert len(under_references(few.test, scan_of(few), few.finding).tried) == 20


def test_the_stated_threshold_is_among_those_tried():
    assert bars_around(0.8) == (0.7, 0.75, 0.8, 0.85, 0.9)
    assert bars_around(0.5) == (0.5, 0.7, 0.75, 0.8, 0.85, 0.9)
    assert bars_around(1.0)[-1] == 1.0
