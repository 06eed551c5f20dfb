import pytest

from fairreport.render.builders import view_run
from fairreport.render.views import Column, Table
from fairreport.report.printed_table import LANDSCAPE_CHARACTERS, PRINTED_ROWS, printed


@pytest.fixture
def table(many_run):
    return view_run(many_run.record).tests[0].table


def widened(table, times):
    """The table with its columns repeated."""
    rows = tuple(
        type(row)(**{name: getattr(row, name) for name in row.__slots__} | {"cells": row.cells * times})
        for row in table.rows
    )
    columns = tuple(
        Column(key=f"{column.key}-{i}", heading=column.heading) for i in range(times) for column in table.columns
    )
    return Table(caption=table.caption, attributes=table.attributes, columns=columns, rows=rows, axis=table.axis)


def test_a_table_that_fits_stays_in_one_part(table):
    (part,) = printed(table, table.rows).parts
    assert part.has_finding
    assert part.columns == tuple(range(len(table.columns)))


def test_a_table_too_wide_is_printed_in_parts_that_lose_no_column(table):
    wide = widened(table, 3)
    parts = printed(wide, wide.rows).parts
    assert len(parts) > 1
    assert [i for part in parts for i in part.columns] == list(range(len(wide.columns)))
    assert [part.has_finding for part in parts] == [True] + [False] * (len(parts) - 1)


def test_the_widths_of_a_part_add_up(table):
    for part in printed(widened(table, 2), widened(table, 2).rows).parts:
        assert sum(float(width.rstrip("%")) for width in part.widths) == pytest.approx(100, abs=0.1)
        assert len(part.widths) == 1 + len(part.columns) + part.has_finding


def test_the_reference_is_always_printed(table):
    shown = printed(table, table.rows)
    assert len(shown.rows) == PRINTED_ROWS
    assert any(row.is_reference for row in shown.rows)
    assert shown.more == "5 further groups in the attachment groups.csv."


def test_a_part_holds_no_more_than_a_page(table):
    for part in printed(widened(table, 3), widened(table, 3).rows).parts:
        assert len(part.columns) * 4 < LANDSCAPE_CHARACTERS
