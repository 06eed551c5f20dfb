"""What has to be withheld: held against a solver that looks for the least and the most that a withheld cell can be."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from fairreport.report.subtraction import Cell, Counted, what_to_hide

BELOW = 10
LEVELS = {"age": ("old", "young"), "race": ("a", "b", "c"), "sex": ("F", "M", "X")}


def margin(joint, attributes, wanted):
    """The table of some attributes, added up from the cells of all."""
    cells = {}
    for label, (n, hits) in joint.items():
        key = tuple(label[attributes.index(name)] for name in wanted)
        before = cells.get(key, (0, 0))
        cells[key] = (before[0] + n, before[1] + hits)
    return {key: Cell(n=n, hits=hits) for key, (n, hits) in cells.items() if n}


def ends(tables, hidden, key, amount):
    """The least and the most that a withheld cell can be, by linear programming (HiGHS) over what is printed."""
    names = sorted({name for table in tables for name in table.attributes})
    atoms = list(product(*(LEVELS[name] for name in names)))
    rows, sums = [], []

    def add(attributes, label, total):
        places = [names.index(name) for name in attributes]
        rows.append([float(all(atom[p] == x for p, x in zip(places, label, strict=True))) for atom in atoms])
        sums.append(total)

    for table in tables:
        add((), (), sum(amount(cell) for cell in table.cells.values()))
        for label, cell in table.cells.items():
            if table.key(label) not in hidden:
                add(table.attributes, label, amount(cell))
        for label in product(*(LEVELS[name] for name in table.attributes)):
            if label not in table.cells:  # a group that is not listed has no rows, which everybody sees
                add(table.attributes, label, 0)
    places = [names.index(name) for name in key[0]]
    target = np.array([float(all(atom[p] == x for p, x in zip(places, key[1], strict=True))) for atom in atoms])
    found = [linprog(sign * target, A_eq=np.array(rows), b_eq=np.array(sums), method="highs") for sign in (1, -1)]
    assert all(it.status == 0 for it in found)
    return found[0].fun, -found[1].fun


@settings(deadline=None, max_examples=150)
@given(
    names=st.sampled_from([("sex",), ("race", "sex"), ("age", "race"), ("age", "race", "sex")]),
    picked=st.sets(st.sampled_from([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]), min_size=1, max_size=4),
    data=st.data(),
)
def test_no_withheld_size_or_count_follows_from_what_is_printed(names, picked, data):
    joint = {}
    for label in product(*(LEVELS[name] for name in names)):
        n = data.draw(st.one_of(st.integers(0, 14), st.integers(10, 60)), label=str(label))
        joint[label] = (n, data.draw(st.integers(0, n)))
    chosen = [tuple(names[i] for i in places) for places in sorted(picked) if max(places) < len(names)] or [names]
    tables = [Counted(attributes=wanted, cells=margin(joint, names, wanted)) for wanted in chosen]
    keys = sorted({table.key(label) for table in tables for label in table.cells})
    last = data.draw(st.sets(st.sampled_from(keys), max_size=3), label="last") if keys else ()
    hidden = what_to_hide(tables, BELOW, last=last).cells
    small = {table.key(label) for table in tables for label, cell in table.cells.items() if cell.n < BELOW}
    assert small <= hidden
    shown = [table.key(label) for table in tables for label in table.cells if table.key(label) not in hidden]
    for key in small:
        if not any(key[0] == other[0] for other in shown) and sum(c.n for c in tables[0].cells.values()) < 2 * BELOW:
            continue  # nothing of the table is shown, and all rows together are next to nothing
        for amount in (lambda cell: cell.n, lambda cell: cell.hits):
            least, most = ends(tables, hidden, key, amount)
            rows, total = (sum(one(cell) for cell in tables[0].cells.values()) for one in (lambda cell: cell.n, amount))
            alike = amount(Cell(n=1, hits=0)) == 0 and total in {0, rows}  # all rows tell of each
            alone = len(next(table for table in tables if table.attributes == key[0]).cells) == 1
            assert most - least > 0.5 or alike or alone, (key, least, most)


def test_the_smallest_remaining_group_goes_with_a_small_one():
    cells = {("A",): Cell(n=50), ("B",): Cell(n=30), ("C",): Cell(n=4), ("D",): Cell(n=31)}
    hidden = what_to_hide([Counted(attributes=("race",), cells=cells)], BELOW)
    assert {label for _, label in hidden.cells} == {("C",), ("B",)}


def test_nothing_is_withheld_without_a_small_group():
    cells = {("A",): Cell(n=50), ("B",): Cell(n=10)}
    assert what_to_hide([Counted(attributes=("race",), cells=cells)], BELOW).cells == frozenset()


@pytest.mark.parametrize(
    ("small", "why"),
    [
        ({("C",): Cell(n=1), ("D",): Cell(n=1)}, "two groups that together have 2 rows have 1 each"),
        ({("C",): Cell(n=6, hits=0), ("D",): Cell(n=8, hits=0)}, "a pool without a favorable row tells every rate"),
        ({("C",): Cell(n=9, hits=4), ("D",): Cell(n=9, hits=4)}, "18 rows in two groups below 10 are 9 and 9"),
    ],
)
def test_small_groups_that_together_tell_of_each_other_take_a_third_along(small, why):
    cells = {("A",): Cell(n=50, hits=20), ("B",): Cell(n=30, hits=20), **small}
    hidden = what_to_hide([Counted(attributes=("race",), cells=cells)], BELOW)
    assert ("B",) in {label for _, label in hidden.cells}, why


def test_a_crossing_and_its_margins_withhold_a_rectangle():
    crossed = {(s, r): Cell(n=n) for (s, r), n in zip(product("FM", "abc"), (40, 3, 30, 50, 20, 60), strict=True)}
    sexes = {("F",): Cell(n=73), ("M",): Cell(n=130)}
    races = {("a",): Cell(n=90), ("b",): Cell(n=23), ("c",): Cell(n=90)}
    tables = [
        Counted(attributes=("sex", "race"), cells=crossed),
        Counted(attributes=("sex",), cells=sexes),
        Counted(attributes=("race",), cells=races),
    ]
    tables[0] = Counted(attributes=("race", "sex"), cells={(r, s): cell for (s, r), cell in crossed.items()})
    hidden = what_to_hide(tables, BELOW).cells
    assert {label for _, label in hidden} == {("b", "F"), ("c", "F"), ("b", "M"), ("c", "M")}


def test_a_table_that_cannot_be_cut_goes_whole_where_it_would_tell():
    single = Counted(attributes=("sex",), cells={("F",): Cell(n=40), ("M",): Cell(n=50), ("X",): Cell(n=4)})
    whole = Counted(
        attributes=("age", "sex"),
        cells={
            (a, s): Cell(n=n)
            for (s, a), n in zip(product("FMX", ("old", "young")), (20, 20, 25, 25, 2, 2), strict=True)
        },
        is_divisible=False,
    )
    found = what_to_hide([single, whole], BELOW)
    assert found.tables == {1}
    assert {label for _, label in found.cells} == {("X",), ("F",)}


def test_what_others_are_compared_with_is_withheld_last():
    cells = {("A",): Cell(n=50), ("B",): Cell(n=30), ("C",): Cell(n=4), ("D",): Cell(n=31)}
    table = Counted(attributes=("race",), cells=cells)
    for last, taken in ((("B",), ("D",)), (("A",), ("B",))):
        hidden = what_to_hide([table], BELOW, last=[table.key(last)])
        assert {label for _, label in hidden.cells} == {("C",), taken}
    only = Counted(attributes=("race",), cells={("B",): Cell(n=30), ("C",): Cell(n=4)})
    assert what_to_hide([only], BELOW, last=[only.key(("B",))]).cells == {only.key(("B",)), only.key(("C",))}


def test_a_reference_in_a_crossing_is_not_taken_along_where_other_cells_do():
    sizes = {"a": (60, 61), "b": (6, 8), "c": (170, 180), "d": (300, 310)}
    cells = {(race, sex): Cell(n=n) for race, both in sizes.items() for sex, n in zip("FM", both, strict=True)}
    crossed = Counted(attributes=("race", "sex"), cells=cells)
    races = Counted(attributes=("race",), cells={(race,): Cell(n=sum(both)) for race, both in sizes.items()})
    sexes = Counted(attributes=("sex",), cells={("F",): Cell(n=536), ("M",): Cell(n=559)})
    last = [crossed.key(("a", "M")), races.key(("a",))]
    hidden = what_to_hide([crossed, races, sexes], 30, last=last).cells
    assert hidden.isdisjoint(last)


def test_groups_that_have_to_be_published_stay_and_those_of_other_tests_go():
    cells = {("A",): Cell(n=50), ("B",): Cell(n=30), ("C",): Cell(n=4)}
    public = Counted(attributes=("race",), cells=cells, is_public=True)
    assert what_to_hide([public], BELOW).cells == frozenset()
    other = Counted(attributes=("sex",), cells={("F",): Cell(n=80), ("M",): Cell(n=4)})
    assert {attributes for attributes, _ in what_to_hide([public, other], BELOW).cells} == {("sex",)}


@pytest.mark.parametrize(("lacking", "hidden"), [(0, 0), (4, 1), (10, 0)])
def test_few_rows_that_lack_an_attribute_take_a_group_along(lacking, hidden):
    """All rows less those of every group are the rows that lack the attribute, and so are the hits."""
    races = {("A",): Cell(n=50, hits=20), ("B",): Cell(n=30, hits=10)}
    sexes = {("F",): Cell(n=40, hits=20), ("M",): Cell(n=40 + lacking, hits=13)}
    tables = [
        Counted(attributes=("race",), cells=races, measured="hired"),
        Counted(attributes=("sex",), cells=sexes, measured="hired"),
    ]
    assert len(what_to_hide(tables, BELOW).cells) == hidden
    assert what_to_hide([*tables[:1], replace(tables[1], measured="paid")], BELOW).cells == frozenset()
