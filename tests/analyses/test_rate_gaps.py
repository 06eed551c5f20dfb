"""Rate gaps: what a rule reads in a table of counts. No case is read here."""

import dataclasses
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import RuleState, judge_rules
from fairreport.errors import ConfigError
from fairreport.tables.gap_tally import GapCell, GapTally

FAIL, REVIEW, UNSURE, PASS = (
    RuleState.FAIL,
    RuleState.MANUAL_REVIEW,
    RuleState.INSUFFICIENT_EVIDENCE,
    RuleState.PASS,
)
FEW = settings(max_examples=60, deadline=None)
SEX = {"sex": ["f", "m"]}
CROSSED = SEX | {"age": ["young", "old"]}


def rule(**stated):
    kind = {} if "worst_group" in stated else {"max_group_gap": 0.05}
    return {"id": "r", "rate": "false_negative", "attribute": "sex"} | kind | stated


def cell(levels, label, prediction, n, undeclared=None):
    return GapCell(
        levels=levels, undeclared=undeclared or (False,) * len(levels), label=label, prediction=prediction, n=n
    )


def tally_of(cells, attributes=SEX):
    kept = [item for item in cells if item.n]
    return GapTally(
        attributes=tuple(attributes),
        declared=tuple(tuple(levels) for levels in attributes.values()),
        label="y",
        prediction="p",
        rows=sum(item.n for item in kept),
        cells=tuple(sorted(kept, key=lambda item: item.order)),
    )


def errors(groups, label=1):
    """Return cells of one label: {group: (wrong, judged, without a prediction)}; a group is a level or a tuple."""
    return [
        cell(levels if isinstance(levels, tuple) else (levels,), label, prediction, n)
        for levels, (wrong, judged, *missing) in groups.items()
        for prediction, n in ((1 - label, wrong), (label, judged - wrong), (None, sum(missing)))
    ]


def left_out(n, *, undeclared=False, label=1, prediction=1):
    return cell((None,), label, prediction, n, (undeclared,))


def judge(cells, *rules, attributes=SEX, **stated):
    test = RateGaps(label="y", prediction="p", attributes=attributes, rules=list(rules) or [rule()], **stated)
    found = judge_rules(test, tally_of(cells, attributes))
    return found[0] if len(found) == 1 else found


def by_label(found):
    return {group.label: group for group in found.groups}


def exact(k, n, alpha, *, missing=0):
    """scipy.stats.binomtest(...).proportion_ci(method="exact"), missing predictions at their worst for either end."""

    def ends(events):
        return stats.binomtest(events, n + missing).proportion_ci(1 - alpha, method="exact")

    return ends(k).low, ends(k + missing).high


# n differs in every cell, so that every sum tells which cells are in it.
MIXED = [
    cell(("f",), 0, 0, 11),
    cell(("f",), 0, 1, 13),
    cell(("f",), 0, None, 2),
    cell(("f",), 1, 0, 17),
    cell(("f",), 1, 1, 19),
    cell(("f",), 1, None, 3),
    cell(("m",), 0, 0, 50),
    cell(("m",), 1, 1, 60),
]


@pytest.mark.parametrize(
    ("rate", "events", "observed", "missing"),
    [
        ("error", 13 + 17, 11 + 13 + 17 + 19, 5),
        ("false_positive", 13, 11 + 13, 2),
        ("false_negative", 17, 17 + 19, 3),
        ("selection", 13 + 19, 11 + 13 + 17 + 19, 5),
    ],
)
def test_each_rate_over_its_own_cases(rate, events, observed, missing):
    group = by_label(judge(MIXED, rule(rate=rate)))["f"]
    assert (group.events, group.observed, group.missing) == (events, observed, missing)
    assert group.rate == events / observed
    assert (group.lower, group.upper) == pytest.approx(exact(events, observed, 0.025, missing=missing), rel=1e-9)


@pytest.mark.parametrize(("k", "n"), [(0, 40), (40, 40), (1, 1), (3, 2000), (7, 30), (999, 1000)])
@pytest.mark.parametrize("missing", [0, 1, 25])
@pytest.mark.parametrize("level", [0.6, 0.95, 0.999])
def test_the_interval_is_the_exact_one_of_scipy(k, n, missing, level):
    group = by_label(judge(errors({"f": (k, n, missing), "m": (5, 50)}), confidence_level=level))["f"]
    wanted = exact(k, n, (1 - level) / 2, missing=missing)
    assert (group.lower, group.upper) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_a_missing_prediction_is_at_its_worst_for_either_end():
    """With the truth of the 20 missing predictions known, whatever it is, the interval is within."""
    group = by_label(judge(errors({"f": (30, 180, 20), "m": (30, 200)})))["f"]
    assert group.rate == 30 / 180
    for more in range(21):
        low, high = exact(30 + more, 200, 0.025)
        assert group.lower <= low + 1e-12
        assert high <= group.upper + 1e-12


@pytest.mark.parametrize(
    ("stated", "alpha"),
    [
        ({}, 0.05 / 4),
        ({"confidence_level": 0.9}, 0.1 / 4),
        ({"looks": 5}, 0.05 / 5 / 4),
        ({"joint": True}, 0.05 / 4),  # one rule
    ],
)
def test_the_budget_is_divided_by_every_declared_group(stated, alpha):
    cells = errors({("f", "young"): (5, 100), ("f", "old"): (5, 100), ("m", "old"): (5, 100)})  # no young men
    found = judge(cells, rule(attribute=["sex", "age"]), attributes=CROSSED, intersections=[["sex", "age"]], **stated)
    assert found.alpha_per_group == pytest.approx(alpha, rel=1e-12)
    assert [group.label for group in found.groups] == ["f|young", "f|old", "m|young", "m|old"]
    empty = by_label(found)["m|young"]
    assert (empty.rate, empty.lower, empty.upper, empty.below_min_cell) == (None, 0.0, 1.0, True)
    assert found.state is UNSURE
    assert (by_label(found)["f|old"].lower, by_label(found)["f|old"].upper) == pytest.approx(
        exact(5, 100, alpha), rel=1e-9
    )


def test_joint_rules_share_the_budget():
    rules = [rule(id=str(i)) for i in range(4)]
    cells = errors({"f": (5, 100), "m": (5, 100)})
    assert {found.alpha_per_group for found in judge(cells, *rules)} == {(1 - 0.95) / 2}
    joint = judge(cells, *rules, joint=True, looks=3)
    assert [found.alpha_per_group for found in joint] == pytest.approx([0.05 / 4 / 3 / 2] * 4)


def test_gaps_are_the_differences_of_the_ends():
    found = judge(
        errors({"a": (10, 200), "b": (60, 200), "c": (12, 210)}),
        rule(attribute="g"),
        attributes={"g": ["a", "b", "c"]},
    )
    group = by_label(found)
    assert [(gap.a, gap.b) for gap in found.gaps] == [("a", "b"), ("a", "c"), ("b", "c")]
    for gap in found.gaps:
        a, b = group[gap.a], group[gap.b]
        assert (gap.diff_lower, gap.diff_upper) == (a.lower - b.upper, a.upper - b.lower)
        assert gap.gap_lower == max(0.0, a.lower - b.upper, b.lower - a.upper)
        assert gap.gap_upper == max(a.upper - b.lower, b.upper - a.lower)
    assert found.gaps[0].gap_lower > 0.1
    assert found.gaps[1].gap_lower == 0


# --- bars

ALIKE = {"f": (100, 2000), "m": (104, 2000)}
APART = {"f": (100, 2000), "m": (400, 2000)}
CLOSE = {"f": (10, 200), "m": (20, 200)}


@pytest.mark.parametrize(("groups", "state"), [(ALIKE, PASS), (APART, FAIL), (CLOSE, UNSURE)])
def test_max_group_gap(groups, state):
    assert judge(errors(groups)).state is state


@pytest.mark.parametrize("rate", ["false_negative", "error"])
@pytest.mark.parametrize(("bar", "state"), [(0.3, PASS), (0.22, UNSURE), (0.2, UNSURE), (0.15, FAIL)])
def test_worst_group_is_a_ceiling_for_harms(rate, bar, state):
    assert judge(errors(APART), rule(rate=rate, worst_group=bar)).state is state


def test_worst_group_is_a_ceiling_for_false_positives():
    cells = errors(APART, label=0)
    assert judge(cells, rule(rate="false_positive", worst_group=0.3)).state is PASS
    assert judge(cells, rule(rate="false_positive", worst_group=0.15)).state is FAIL


@pytest.mark.parametrize(("bar", "state"), [(0.7, PASS), (0.8, UNSURE), (0.81, UNSURE), (0.9, FAIL)])
def test_worst_group_is_a_floor_for_selection(bar, state):
    """Selected 1900 of 2000 and 1600 of 2000."""
    assert judge(errors(APART), rule(rate="selection", worst_group=bar)).state is state


def test_a_bar_exactly_at_a_bound():
    """An end on the bar holds it; the next number of four decimals does not."""
    gap = judge(errors(CLOSE)).gaps[0]
    at = {"max_group_gap": gap.gap_upper}
    assert judge(errors(CLOSE), rule(**at)).state is PASS
    assert judge(errors(CLOSE), rule(max_group_gap=gap.gap_upper - 1e-4)).state is UNSURE
    apart = judge(errors(APART)).gaps[0].gap_lower
    assert judge(errors(APART), rule(max_group_gap=apart)).state is UNSURE
    assert judge(errors(APART), rule(max_group_gap=apart - 1e-4)).state is FAIL


@pytest.mark.parametrize("rate", ["false_negative", "selection"])
def test_a_worst_group_bar_exactly_at_a_bound(rate):
    groups = by_label(judge(errors(APART), rule(rate=rate, worst_group=0.5))).values()
    if rate == "selection":
        low, high = min(g.lower for g in groups), min(g.upper for g in groups)
        bars = {low: PASS, low + 1e-4: UNSURE, high: UNSURE, high + 1e-4: FAIL}
    else:
        low, high = max(g.lower for g in groups), max(g.upper for g in groups)
        bars = {high: PASS, high - 1e-4: UNSURE, low: UNSURE, low - 1e-4: FAIL}
    assert {bar: judge(errors(APART), rule(rate=rate, worst_group=bar)).state for bar in bars} == bars


def test_the_last_digits_of_a_bound_decide_nothing():
    """A bound is a difference of floats: within 1e-12 of the bar it is on the bar."""
    upper, lower = judge(errors(CLOSE)).gaps[0].gap_upper, judge(errors(APART)).gaps[0].gap_lower
    for groups, bound, on, off in ((CLOSE, upper, PASS, UNSURE), (APART, lower, UNSURE, FAIL)):
        assert judge(errors(groups), rule(max_group_gap=bound - 5e-13)).state is on
        assert judge(errors(groups), rule(max_group_gap=bound - 5e-12)).state is off


# --- small cells


def test_min_cell_counts_predictions_of_the_rate_itself():
    """100 cases, 29 of them labelled 1 with a prediction and 40 without one."""
    cells = [
        *errors({"f": (1, 29, 40), "m": (100, 2000)}),
        cell(("f",), 0, 0, 500),
        cell(("m",), 0, 0, 500),
    ]
    small = judge(cells, rule(max_group_gap=1.0))
    assert (small.state, by_label(small)["f"].below_min_cell, by_label(small)["m"].below_min_cell) == (
        UNSURE,
        True,
        False,
    )
    assert small.reason == "too few cases in f"
    assert not by_label(judge(cells, rule(rate="error", max_group_gap=1.0)))["f"].below_min_cell
    assert judge(cells, rule(max_group_gap=1.0), min_cell=29).state is PASS


def test_thirty_is_the_least():
    for n, state in ((29, UNSURE), (30, PASS)):
        assert judge(errors({"f": (1, n), "m": (1, 100)}), rule(max_group_gap=1.0)).state is state


def test_a_small_cell_may_fail_the_rule():
    found = judge(errors({"f": (20, 20), "m": (1, 2000)}), rule(max_group_gap=0.5))
    assert by_label(found)["f"].below_min_cell
    assert found.state is FAIL
    assert judge(errors({"f": (20, 20), "m": (1, 2000)}), rule(worst_group=0.5)).state is FAIL


# --- left out


def test_reasons_of_being_left_out_missing_first():
    """A case that lacks one attribute and has a strange value in the other counts once, as missing."""
    cells = [
        *errors({("f", "young"): (5, 100), ("f", "old"): (5, 100), ("m", "young"): (5, 100), ("m", "old"): (5, 100)}),
        cell((None, "old"), 1, 1, 3),
        cell((None, "old"), 1, 1, 5, (True, False)),
        cell((None, None), 1, 1, 7, (True, False)),
        cell((None, None), 1, 1, 11, (True, True)),
        cell(("f", None), 1, 1, 13),
    ]
    both, sex = judge(
        cells,
        rule(id="both", attribute=["sex", "age"]),
        rule(id="sex"),
        attributes=CROSSED,
        intersections=[["sex", "age"]],
    )
    assert (both.left_out.missing_attribute, both.left_out.undeclared_value) == (3 + 7 + 13, 5 + 11)
    assert both.left_out.total == 39
    assert both.left_out.share == 39 / 439
    assert (sex.left_out.missing_attribute, sex.left_out.undeclared_value) == (3, 5 + 7 + 11)
    assert by_label(sex)["f"].observed == 213  # the other rule's missing attribute is none of its business


@pytest.mark.parametrize(("n", "exceeds"), [(444, False), (445, True)])
def test_strictly_above_the_limit(n, exceeds):
    """444 / 4440 is 0.1 to the last bit."""
    found = judge([*errors({"f": (100, 1998), "m": (100, 1998)}), left_out(n)])
    assert (found.left_out.exceeds, found.state) == (exceeds, UNSURE if exceeds else PASS)


@pytest.mark.parametrize("limit", [k / 100 for k in range(1, 60)])
def test_a_share_that_is_the_limit_is_not_above_it(limit):
    k = round(limit * 100)
    cells = [*errors({"f": (0, 100 - k), "m": (0, 900 - 9 * k)}), left_out(10 * k)]
    assert judge(cells, rule(max_left_out=limit)).left_out.exceeds is False
    assert judge([*cells, left_out(1, undeclared=True)], rule(max_left_out=limit)).left_out.exceeds is True


def test_too_many_left_out_beats_a_failure_and_a_review():
    cells = [*errors(APART), left_out(500)]
    assert judge(cells).state is UNSURE
    assert judge(cells).reason == "more cases are left out than the rule allows"
    assert judge(cells, rule(max_left_out=0.5)).state is FAIL
    assert judge([*errors(ALIKE), left_out(500)], rule(manual_review=True)).state is UNSURE


def test_the_share_is_of_all_rows():
    """Cases labelled 0 are no case of a false negative rate, and are rows all the same."""
    found = judge([*errors(ALIKE), left_out(100), cell(("f",), 0, 0, 900)])
    assert found.left_out.share == 100 / 5000


@pytest.mark.parametrize("interval", ["simultaneous", "pairwise"])
@pytest.mark.parametrize("kind", [{"prediction": 1}, {"prediction": 0}, {"prediction": None}])
def test_bounds_with_left_out_cases_hold_every_way_of_placing_them(interval, kind):
    groups = {"f": (20, 150), "m": (25, 160)}
    found = judge([*errors(groups), left_out(12, **kind)], interval=interval)
    (wide,) = found.left_out.gaps
    shifted = {1: (0, 1, 0), 0: (1, 1, 0), None: (0, 0, 1)}[kind["prediction"]]
    for to_f in range(13):
        placed = {
            name: tuple(c + n * s for c, s in zip((*counts, 0), shifted, strict=True))
            for (name, counts), n in zip(groups.items(), (to_f, 12 - to_f), strict=True)
        }
        (gap,) = judge(errors(placed), interval="simultaneous").gaps
        assert wide.diff_lower <= gap.diff_lower + 1e-12
        assert gap.diff_upper <= wide.diff_upper + 1e-12
    assert wide.gap_upper > found.gaps[0].gap_upper


counts = st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(0, 20)))
populated = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(0, 20)))
LETTERS = {"g": list("abcdefgh")}


@given(
    st.lists(st.one_of(counts, st.just((1, 20_000, 0))), min_size=8, max_size=8),
    st.lists(st.tuples(st.sampled_from([0, 1, None]), st.integers(1, 30)), max_size=3),
    st.sampled_from(["simultaneous", "pairwise"]),
    st.sampled_from(["false_negative", "selection"]),
)
@FEW
def test_left_out_cases_never_narrow_a_bound(groups, outside, interval, rate):
    cells = errors(dict(zip(LETTERS["g"], groups, strict=True)))
    cells += [left_out(n, prediction=prediction) for prediction, n in outside]
    cells = cells if any(item.n for item in cells) else [*cells, left_out(1)]
    found = judge(cells, rule(rate=rate, attribute="g"), attributes=LETTERS, interval=interval)
    for now, wide in zip(found.gaps, found.left_out.gaps, strict=True):
        assert wide.diff_lower <= now.diff_lower
        assert now.diff_upper <= wide.diff_upper
    for now, wide in zip(found.groups, found.left_out.groups, strict=True):
        assert (wide.label, wide.lower <= now.lower, now.upper <= wide.upper) == (now.label, True, True)
    if not outside and interval == "simultaneous":
        assert found.gaps == found.left_out.gaps


# --- manual review


@pytest.mark.parametrize(
    ("review", "state", "reason"),
    [
        (True, REVIEW, "the rule asks for a person"),
        ("board sign-off", REVIEW, "board sign-off"),
        (False, PASS, "every interval is within the bar"),
    ],
)
def test_manual_review_where_the_figures_pass(review, state, reason):
    found = judge(errors(ALIKE), rule(manual_review=review))
    assert (found.state, found.reason) == (state, reason)
    assert judge(errors(APART), rule(manual_review=review)).state is FAIL
    assert judge(errors(CLOSE), rule(manual_review=review)).state is UNSURE


def test_the_states_from_gravest():
    assert list(RuleState) == [FAIL, REVIEW, UNSURE, PASS]


# --- pairs


@pytest.mark.parametrize("groups", [ALIKE, APART, CLOSE, {"f": (10, 150, 3), "m": (12, 200, 5)}])
def test_pairwise_bounds_are_narrower_and_hold_the_estimate(groups):
    (wide,), (narrow,) = (judge(errors(groups), interval=how).gaps for how in ("simultaneous", "pairwise"))
    estimate = groups["f"][0] / groups["f"][1] - groups["m"][0] / groups["m"][1]
    assert wide.diff_lower < narrow.diff_lower < estimate < narrow.diff_upper < wide.diff_upper


def test_pairwise_bounds_are_newcombe_s():
    """Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10, (a): 56/70 - 48/80 at 95%:
    0.0524 to 0.3339."""
    (gap,) = judge(errors({"f": (56, 70), "m": (48, 80)}), interval="pairwise").gaps
    assert (gap.diff_lower, gap.diff_upper) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_pairwise_bounds_of_an_empty_group_say_nothing():
    (gap,) = judge(errors({"f": (5, 70), "m": (0, 0)}), interval="pairwise").gaps
    assert (gap.diff_lower, gap.diff_upper, gap.gap_lower, gap.gap_upper) == (-1, 1, 0, 1)


def test_the_pairs_share_the_budget():
    """Three pairs: each at 1 - 0.05 / 3."""
    three = {"g": ["a", "b", "c"]}
    cells = errors({"a": (56, 70), "b": (48, 80), "c": (50, 90)})
    gap = judge(cells, rule(attribute="g"), attributes=three, interval="pairwise").gaps[0]
    (alone,) = judge(errors({"f": (56, 70), "m": (48, 80)}), interval="pairwise", confidence_level=1 - 0.05 / 3).gaps
    assert (gap.diff_lower, gap.diff_upper) == pytest.approx((alone.diff_lower, alone.diff_upper), rel=1e-12)


# --- more cases


def grown(groups, size):
    """The groups brought up to a size at their present rates, whole numbers of events."""
    return {name: (k, n) if n >= size else (round(k * size / n), size) for name, (k, n) in groups.items()}


@pytest.mark.parametrize(
    ("groups", "stated", "reads"),
    [
        ({"f": (5, 100), "m": (5, 100)}, {"max_group_gap": 0.05}, PASS),
        ({"f": (5, 100), "m": (15, 100)}, {"max_group_gap": 0.05}, FAIL),
        ({"f": (20, 200), "m": (40, 400)}, {"worst_group": 0.12}, PASS),
        ({"f": (0, 10), "m": (0, 10)}, {"max_group_gap": 0.5}, PASS),
        ({"f": (20, 200), "m": (50, 2000)}, {"max_group_gap": 0.05}, FAIL),
    ],
)
@pytest.mark.parametrize("interval", ["simultaneous", "pairwise"])
def test_the_stated_size_decides_and_one_less_does_not(groups, stated, reads, interval):
    found = judge(errors(groups), rule(**stated), interval=interval)
    assert found.state is UNSURE
    more = found.more
    assert more.state is reads
    assert dict(more.further) == {name: max(0, more.size - n) for name, (_, n) in groups.items()}
    assert judge(errors(grown(groups, more.size)), rule(**stated), interval=interval).state is reads
    assert judge(errors(grown(groups, more.size - 1)), rule(**stated), interval=interval).state is UNSURE


def test_more_cases_bring_small_cells_to_their_size():
    found = judge(errors({"f": (0, 10), "m": (0, 10)}), rule(max_group_gap=1.0))
    assert (found.more.size, found.more.state) == (30, PASS)


def test_more_cases_of_a_rule_that_asks_for_a_person_read_manual_review():
    found = judge(errors({"f": (10, 200), "m": (10, 200)}), rule(manual_review="board"))
    assert found.more.state is REVIEW


@pytest.mark.parametrize(
    "cells",
    [
        errors({"f": (10, 200), "m": (0, 0)}),
        errors({"f": (10, 200), "m": (0, 0, 50)}),
        [*errors({"f": (10, 200), "m": (10, 200)}), left_out(300)],
        errors({"f": (5, 100), "m": (10, 100)}),  # the gap itself is on the bar
    ],
    ids=["an empty group", "no prediction", "too many left out", "on the bar"],
)
def test_where_no_number_of_cases_decides(cells):
    found = judge(cells)
    assert found.state is UNSURE
    assert (found.more.size, found.more.further, found.more.state) == (None, (), None)


def test_a_decided_rule_needs_no_more_cases():
    assert judge(errors(ALIKE)).more is None
    assert judge(errors(APART)).more is None


# --- laws


@given(populated, populated, st.sampled_from(["simultaneous", "pairwise"]))
@FEW
def test_relabelling_groups_mirrors_the_gap(first, second, interval):
    one = judge(errors({"f": first, "m": second}), interval=interval)
    other = judge(errors({"f": second, "m": first}), interval=interval)
    (a,), (b,) = one.gaps, other.gaps
    assert (a.diff_lower, a.diff_upper) == pytest.approx((-b.diff_upper, -b.diff_lower), abs=1e-12)
    assert (a.gap_lower, a.gap_upper) == pytest.approx((b.gap_lower, b.gap_upper), abs=1e-12)
    assert one.state is other.state
    assert [dataclasses.replace(group, label="") for group in one.groups] == [
        dataclasses.replace(group, label="") for group in reversed(other.groups)
    ]


@given(populated, populated)
@FEW
def test_the_order_of_declaration_changes_no_state(first, second):
    cells = errors({"f": first, "m": second})
    one, other = judge(cells), judge(cells, attributes={"sex": ["m", "f"]})
    assert by_label(one) == by_label(other)
    assert one.state is other.state


@given(populated, populated, st.integers(2, 9), st.sampled_from(["simultaneous", "pairwise"]))
@FEW
def test_more_data_at_the_same_rates_never_widens(first, second, times, interval):
    once = judge(errors({"f": first, "m": second}), interval=interval)
    more = judge(
        errors({"f": tuple(times * c for c in first), "m": tuple(times * c for c in second)}), interval=interval
    )
    for few, many in zip(once.groups, more.groups, strict=True):
        assert few.lower <= many.lower + 1e-12
        assert many.upper <= few.upper + 1e-12
    if interval == "simultaneous":
        assert once.gaps[0].diff_lower <= more.gaps[0].diff_lower + 1e-12
        assert more.gaps[0].diff_upper <= once.gaps[0].diff_upper + 1e-12
    if once.state in {PASS, FAIL} and interval == "simultaneous":
        assert more.state is once.state


@given(
    counts,
    counts,
    st.lists(st.floats(0.5001, 0.9999), min_size=2, max_size=2).map(sorted),
    st.one_of(
        st.floats(0, 1).map(lambda bar: {"max_group_gap": bar}), st.floats(0, 1).map(lambda bar: {"worst_group": bar})
    ),
    st.sampled_from(["error", "selection"]),
)
@FEW
def test_a_higher_confidence_never_decides(first, second, levels, bar, rate):
    cells = [*errors({"f": first, "m": second}), cell(("f",), 0, 0, 1)]
    low, high = (judge(cells, rule(rate=rate, **bar), confidence_level=level).state for level in levels)
    assert high in {low, UNSURE}


@given(counts, counts)
@FEW
def test_an_interval_holds_its_rate(first, second):
    cells = [*errors({"f": first, "m": second}), cell(("f",), 0, 0, 1)]
    for group in judge(cells).groups:
        assert 0 <= group.lower <= group.upper <= 1
        k, n, missing = first if group.label == "f" else second
        assert group.rate == (k / n if n else None)
        if n:
            assert group.lower <= k / (n + missing) <= (k + missing) / (n + missing) <= group.upper


# --- many groups


def test_a_thousand_groups_at_most():
    levels = {"a": [str(i) for i in range(40)], "b": [str(i) for i in range(25)], "c": ["x", "y"]}
    stated = {"label": "y", "prediction": "p", "attributes": levels, "rules": [rule(attribute="a")]}
    assert RateGaps(**stated, intersections=[["a", "b"]]).intersections == (("a", "b"),)
    with pytest.raises(ConfigError, match=r"has 2,000 groups; at most 1,000") as caught:
        RateGaps(**stated, intersections=[["a", "b"], ["a", "b", "c"]])
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [("too_many_groups", "intersections.1")]
    with pytest.raises(ConfigError, match="at most 1,000"):
        RateGaps(**stated | {"attributes": {"a": [str(i) for i in range(1001)]}})


def test_two_groups_of_a_crossing_cannot_share_a_name():
    levels = {"a": ["x|y", "x"], "b": ["z", "y|z"]}
    with pytest.raises(ConfigError) as caught:
        RateGaps(label="y", prediction="p", attributes=levels, intersections=[["a", "b"]], rules=[rule(attribute="a")])
    assert [fault.code for fault in caught.value.errors] == ["duplicate_value"]
    assert "'x|y|z'" in caught.value.errors[0].message


def test_the_answer_is_made_of_plain_numbers():
    found = judge(errors({"f": (10, 200), "m": (10, 210)}), interval="pairwise")
    rows = [dataclasses.asdict(it) for it in (*found.groups, *found.gaps, *found.left_out.groups, *found.left_out.gaps)]
    assert math.isfinite(json.loads(json.dumps(rows))[2]["gap_upper"])
