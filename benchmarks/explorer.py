"""What a moved control costs, beside a fresh run of the same audit: 10 million rows, 1,000 groups."""

import time
from dataclasses import replace

import duckdb
from measuring import Row, median_seconds

from fairreport import Audit
from fairreport.analyses.remembering import forget as forget_all
from fairreport.widgets.answer_html import answer_html
from fairreport.widgets.changes import describe_change
from fairreport.widgets.exploration import Exploration

ROWS, GROUPS = 10_000_000, 1_000
LIMIT = 0.050
"""Seconds after which an answer no longer seems to come at once."""


def measure(place):
    path = place.folder / "explorer.parquet"
    duckdb.sql(
        f"SELECT 'g' || (hash(i) % {GROUPS}) AS g, (hash(i + 7) % 100 < 40 + hash(i) % {GROUPS} % 20)::INT AS hired, "
        f"(hash(i + 3) % 1000) / 10 + hash(i) % {GROUPS} % 7 AS score FROM range({ROWS}) t(i)"
    ).write_parquet(str(path))
    audit = Audit(path).outcome_disparity("g", "hired", 1, min_group_share=0, p_value_adjustment="holm")
    yardstick = median_seconds(audit.run)
    audit.score_disparity("g", "score", min_group_share=0)
    audit.metric_parity(
        "g", ["mean", "rate"], value_column="score", positive_values=[50], higher_is_better=True, min_group_share=0
    )
    start = time.perf_counter()
    exploration = Exploration(audit.run())
    of_all = time.perf_counter() - start  # once: medians of so many rows take their time
    stated = exploration.settings(0)
    levels = exploration.levels(0, stated)
    yield from (
        _row("the table, nothing remembered", exploration, [stated], yardstick, forget=True),
        _row("threshold", exploration, [replace(stated, threshold=n / 100) for n in range(70, 80)], yardstick),
        _row("require significance", exploration, _both(stated, require_significance=True), yardstick),
        _row("correction", exploration, _both(stated, p_value_adjustment="none"), yardstick),
        _row("alpha", exploration, [replace(stated, alpha=n / 1000) for n in range(1, 60)], yardstick),
        _row("minimum size", exploration, [replace(stated, min_group_size=9_800 + n) for n in range(60)], yardstick),
        _row("reference", exploration, [replace(stated, reference=level) for level in levels[:60]], yardstick),
    )
    for position, kind in enumerate(("scores", "averages", "rates"), start=1):
        first = exploration.settings(position)
        asked = [replace(first, threshold=n / 100) for n in range(70, 80)]
        yield _row(f"threshold of {kind}", exploration, asked, of_all, at=position)


def _both(stated, **changed):
    return [replace(stated, **changed), stated]


def _row(what, exploration, asked, yardstick, *, at=0, forget=False):
    """Answer one setting after another, each drawn as HTML with the sentence of its change."""
    turns = iter(asked * 100)
    before = exploration.answer(at, exploration.settings(at))

    def answer():
        if forget:
            forget_all()
        found = exploration.answer(at, next(turns))
        return answer_html(found, describe_change(before, found), name="hired by g")

    seconds = median_seconds(answer)
    return Row(
        what=f"explorer: {what}", measured=seconds, target=LIMIT, yardstick=yardstick, yardstick_is="a fresh run"
    )
