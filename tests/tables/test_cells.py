"""Counted cells give every outcome test the scan that the table itself would give it."""

import itertools

from fairreport.tables.build import build
from fairreport.tables.cells import count_cells
from fairreport.tables.needs import OutcomeNeeds, Reading
from fairreport.tables.source import open_table

COLUMNS = {
    "race": ["A", " A", "B", "B", None, "NA", "C", "A"] * 3,
    "sex": ["F", "M", "F", "M", "F", "M", None, "F"] * 3,
    "site": ["n", None, "s", "s", "n", "n", "s", "e"] * 3,
    "hired": ["1", "0", "yes", "1", "0", None, "1", "0"] * 3,
}
READING = Reading(missing_values=("NA",), declared={"site": ("n", "s")})


def test_cells_give_the_scan_of_the_table(engine):
    table = open_table(engine.make(COLUMNS))
    (cells,) = count_cells(table, [("race", "sex", "site", "hired")], READING)
    for n, m in itertools.product((1, 2, 3), (0, 1)):
        for attributes in itertools.combinations(("race", "sex", "site"), n):
            for controls in itertools.combinations(("sex", "site"), m):
                need = OutcomeNeeds(attributes=attributes, outcome="hired", favorable_values=("1",), controls=controls)
                assert cells.covers(need)
                assert [cells.scan(need, READING)] == build(table, [need], READING)


def test_cells_that_python_holds_to_be_equal_stand_apart():
    table = open_table({"g": [1, True, 1.0, "1"], "y": [1, 1, 0, 1]})
    (cells,) = count_cells(table, [("g", "y")], Reading())
    need = OutcomeNeeds(attributes=("g",), outcome="y", favorable_values=("1",))
    assert [cells.scan(need, Reading())] == build(table, [need], Reading())
    assert not cells.covers(OutcomeNeeds(attributes=("h",), outcome="y", favorable_values=("1",)))


def test_no_sets_no_reading():
    assert count_cells(None, [], Reading()) == ()
