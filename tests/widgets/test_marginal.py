"""Fewer attributes without a scan: the same tally as a scan gives, or none where rows were left out."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.document import entry_document, to_text
from fairreport.tables.tally import NoTally
from fairreport.widgets.changes import describe_lack
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Exploration

MANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
COLUMNS = ("a", "b", "c")
LEVELS = st.sampled_from(["x", "y", " y", "z", 1, "1"])
ROW = st.tuples(LEVELS, LEVELS, LEVELS, st.sampled_from(["s", "t", None]), st.sampled_from([0, 1, "no", None]))
HOLED = st.tuples(*[st.one_of(st.none(), LEVELS)] * 3, st.sampled_from(["s", "t", None]), st.sampled_from([0, 1]))
SUBSETS = st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3, unique=True).map(sorted).map(tuple)
ANY_SIZE = {"min_group_size": 1, "min_group_share": 0}


class NoReading:
    """A table that nobody may read."""

    def __getattr__(self, name):
        raise AssertionError(f"asked for {name}")


def table(rows):
    return {name: [row[i] for row in rows] for i, name in enumerate((*COLUMNS, "site", "hit"))}


def explored(audit):
    exploration = Exploration(audit.run())
    exploration._evidence.table = NoReading()
    return exploration


def written(entry):
    return to_text(entry_document(entry))


@MANY
@given(rows=st.lists(ROW, min_size=4, max_size=40), attributes=SUBSETS, is_controlled=st.booleans())
@example(rows=[("x", "x", "x", None, 0)] * 4, attributes=COLUMNS, is_controlled=False)
@example(rows=[("x", "x", "x", "s", None)] * 4, attributes=COLUMNS, is_controlled=False)
@example(rows=[("x", "x", "x", "s", None)] * 4, attributes=COLUMNS, is_controlled=True)
def test_outcomes_by_fewer_attributes_are_those_of_a_scan(rows, attributes, is_controlled):
    data = table(rows)
    exploration = explored(fr.Audit(data).outcome_disparity(COLUMNS, "hit", 1, control_columns="site", **ANY_SIZE))
    controls = ("site",) if is_controlled else ()
    asked = replace(exploration.settings(0), attributes=attributes, controls=controls)
    fresh = fr.Audit(data).outcome_disparity(attributes, "hit", 1, control_columns=controls or None, **ANY_SIZE).run()
    answer = exploration.answer(0, asked)
    if isinstance(exploration.run.scans[0].tally, NoTally) and (len(attributes) < 3 or not is_controlled):
        assert answer.lack is Lack.COUNTS  # what could not be counted tells nothing
        return
    assert answer.lack is Lack.NOTHING
    assert written(answer.record) == written(fresh.record.entries[0])


@MANY
@given(rows=st.lists(HOLED, min_size=4, max_size=40), attributes=SUBSETS)
def test_where_rows_lack_an_attribute_it_says_so_and_one_scan_gives_them(rows, attributes):
    data = table(rows)
    audit = fr.Audit(data).outcome_disparity(COLUMNS, "hit", 1, **ANY_SIZE)
    exploration = Exploration(audit.run())
    asked = replace(exploration.settings(0), attributes=attributes)
    answer = exploration.answer(0, asked)
    holes = any(None in row[:3] for row in rows)
    if len(attributes) < 3 and holes:
        assert (answer.lack, answer.record) == (Lack.COUNTS, None)
        exploration.gather(0, asked)
        answer = exploration.answer(0, asked)
    fresh = fr.Audit(data).outcome_disparity(attributes, "hit", 1, **ANY_SIZE).run()
    assert written(answer.record) == written(fresh.record.entries[0])


@MANY
@given(rows=st.lists(ROW, min_size=4, max_size=40), attributes=SUBSETS)
def test_shares_by_fewer_attributes_are_those_of_a_scan(rows, attributes):
    data, options = table(rows), {"value_column": "hit", "positive_values": [1], "higher_is_better": True, **ANY_SIZE}
    exploration = explored(fr.Audit(data).metric_parity(COLUMNS, "rate", **options))
    answer = exploration.answer(0, replace(exploration.settings(0), attributes=attributes))
    if isinstance(exploration.run.scans[0].tally, NoTally) and len(attributes) < 3:
        assert answer.lack is Lack.COUNTS
        return
    fresh = fr.Audit(data).metric_parity(attributes, "rate", **options).run()
    assert answer.lack is Lack.NOTHING
    assert written(answer.record) == written(fresh.record.entries[0])


def test_declared_groups_that_leave_out_rows_need_a_scan():
    data = {"a": ["x", "y", "q"] * 40, "b": ["u", "v"] * 60, "hit": [1, 0, 1] * 40}
    audit = fr.Audit(data, groups={"a": ["x", "y", "w"]}).outcome_disparity(["a", "b"], "hit", 1)
    exploration = Exploration(audit.run())
    assert exploration.answer(0, replace(exploration.settings(0), attributes=("b",))).lack is Lack.COUNTS
    whole = fr.Audit(data, groups={"a": ["x", "y", "q", "w"]}).outcome_disparity(["a", "b"], "hit", 1)
    exploration = explored(whole)
    answer = exploration.answer(0, replace(exploration.settings(0), attributes=("a",)))
    fresh = fr.Audit(data, groups={"a": ["x", "y", "q", "w"]}).outcome_disparity("a", "hit", 1).run()
    assert written(answer.record) == written(fresh.record.entries[0])


def test_medians_and_means_are_never_added_up():
    data = {"a": ["x", "y"] * 60, "b": ["u", "u", "v"] * 40, "v": [0.1 * (i % 17) for i in range(120)]}
    options = {"value_column": "v", "higher_is_better": True}
    audit = fr.Audit(data).score_disparity(["a", "b"], "v").metric_parity(["a", "b"], ["mean", "median"], **options)
    exploration = explored(audit)
    for position in range(3):
        asked = replace(exploration.settings(position), attributes=("a",))
        assert exploration.answer(position, asked).lack is Lack.COUNTS


def test_another_test_of_the_audit_has_the_counts_already():
    data = {"a": ["x", "y", None] * 40, "b": ["u", "v"] * 60, "hit": [1, 0, 1] * 40}
    audit = fr.Audit(data).outcome_disparity(["a", "b"], "hit", 1).outcome_disparity("b", "hit", 1, name="by b")
    exploration = explored(audit)
    answer = exploration.answer(0, replace(exploration.settings(0), attributes=("b",)))
    fresh = fr.Audit(data).outcome_disparity("b", "hit", 1).run()
    assert written(answer.record) == written(fresh.record.entries[0])
    other = fr.Audit(data).outcome_disparity(["a", "b"], "hit", 1).outcome_disparity("b", "hit", 0, name="by b")
    exploration = explored(other)
    assert exploration.answer(0, replace(exploration.settings(0), attributes=("b",))).lack is Lack.COUNTS


@pytest.mark.parametrize("lack", [lack for lack in Lack if lack.is_blocking])
def test_what_is_lacking_is_told(lack):
    assert describe_lack(lack)
