"""What a moved control costs of one processor, beside a fresh run of the same audit: 10 million rows, 1,000 groups.

Named pairs take 61 groups at most: 17 quantiles of them are 1,020 comparisons.
"""

import statistics
import time
from dataclasses import replace

import duckdb
from measuring import RUNS, Row

from fairreport import Audit
from fairreport.analyses.remembering import forget as forget_all
from fairreport.widgets.answer_html import answer_html
from fairreport.widgets.changes import describe_change
from fairreport.widgets.exploration import Exploration

ROWS, GROUPS, PAIRED = 10_000_000, 1_000, 61
LIMIT = 0.050
"""Seconds after which an answer no longer seems to come at once."""

NAMES = [f"g{i}" for i in range(GROUPS)]
QUANTILES = [i / 18 for i in range(1, 18)]


def measure(place):
    path = write(place.folder)
    yield from of_disparity(path)
    yield from of_gaps(path)
    yield from of_pairs(path)


def write(folder):
    path = folder / "explorer.parquet"
    duckdb.sql(
        f"SELECT 'g' || (hash(i) % {GROUPS}) AS g, 'g' || (hash(i) % {PAIRED}) AS p, "
        f"(hash(i + 7) % 100 < 40 + hash(i) % {GROUPS} % 20)::INT AS hired, "
        f"(hash(i + 5) % 100 < 95 - hash(i) % {GROUPS} % 3)::INT AS guess, "
        f"(hash(i + 3) % 1000) / 10 + hash(i) % {GROUPS} % 7 AS score FROM range({ROWS}) t(i)"
    ).write_parquet(str(path))
    return path


def of_disparity(path):
    audit = Audit(path).outcome_disparity("g", "hired", 1, min_group_share=0, p_value_adjustment="holm")
    _, yardstick = explored(audit)
    audit.score_disparity("g", "score", min_group_share=0)
    audit.metric_parity(
        "g", ["mean", "rate"], value_column="score", positive_values=[50], higher_is_better=True, min_group_share=0
    )
    exploration, of_all = explored(audit)
    stated = exploration.settings(0)
    levels = exploration.levels(0, stated)
    yield from (
        row("the table, nothing remembered", exploration, [stated], yardstick, forget=True),
        row("threshold", exploration, [replace(stated, threshold=n / 100) for n in range(70, 80)], yardstick),
        row("require significance", exploration, both(stated, require_significance=True), yardstick),
        row("correction", exploration, both(stated, p_value_adjustment="none"), yardstick),
        row("alpha", exploration, [replace(stated, alpha=n / 1000) for n in range(1, 60)], yardstick),
        row("minimum size", exploration, [replace(stated, min_group_size=9_800 + n) for n in range(60)], yardstick),
        row("reference", exploration, [replace(stated, reference=level) for level in levels[:60]], yardstick),
    )
    for position, kind in enumerate(("scores", "averages", "rates"), start=1):
        first = exploration.settings(position)
        asked = [replace(first, threshold=n / 100) for n in range(70, 80)]
        yield row(f"threshold of {kind}", exploration, asked, of_all, at=position)


def of_gaps(path):
    rules = [{"id": "gap", "rate": "error", "attribute": "g", "max_group_gap": 0.25}]
    exploration, yardstick = explored(Audit(path).rate_gaps({"g": NAMES}, "hired", "guess", rules))
    stated = exploration.settings(0)
    yield row("bar of a gap", exploration, [barred(stated, n / 100) for n in range(1, 60)], yardstick)
    levels = [replace(stated, confidence_level=n / 1000) for n in range(900, 960)]
    yield row("confidence level of a gap", exploration, levels, yardstick)
    cells = [replace(stated, min_cell=9_800 + n) for n in range(60)]
    yield row("minimum cases of a gap", exploration, cells, yardstick)
    worst = [barred(stated, n / 100, is_gap=False) for n in range(30, 90)]
    yield row("bar of the worst group", exploration, worst, yardstick)


def of_pairs(path):
    groups = {"reference_values": {"p": "g0"}, "air_threshold": 0.8, "percent_difference_threshold": 0.0}
    audit = Audit(path).adverse_impact_ratio(outcome="hired", **groups)
    exploration, yardstick = explored(audit)
    stated = exploration.settings(0)
    bars = [moved(stated, air_threshold=n / 100) for n in range(70, 100)]
    yield row("threshold of 60 pairs", exploration, bars, yardstick)
    names = [f"g{i}" for i in range(PAIRED)]
    yield row("reference of 60 pairs", exploration, [replace(stated, references={"p": n}) for n in names], yardstick)
    audit = Audit(path).adverse_impact_ratio_by_quantile(outcome="score", quantiles=QUANTILES, **groups)
    exploration, yardstick = explored(audit)
    stated = exploration.settings(0)
    bars = [moved(stated, air_threshold=n / 100) for n in range(70, 100)]
    yield row("threshold of 1,020 comparisons", exploration, bars, yardstick)


def explored(audit):
    """Return the exploration of an audit, and the seconds of the run that it stands on."""
    start = time.perf_counter()
    run = audit.run()
    return Exploration(run), time.perf_counter() - start


def both(stated, **changed):
    return [replace(stated, **changed), stated]


def barred(stated, bar, *, is_gap=True):
    return replace(stated, rules=(replace(stated.rules[0], bar=bar, is_gap=is_gap),))


def moved(stated, **changed):
    return replace(stated, values=stated.values | changed)


def row(what, exploration, asked, yardstick, *, at=0, forget=False):
    """Answer one setting after another, each drawn as HTML with the sentence of its change."""
    turns = iter(asked * 100)
    before = exploration.answer(at, exploration.settings(at))

    def answer():
        if forget:
            forget_all()
        found = exploration.answer(at, next(turns))
        return answer_html(found, describe_change(before, found), name="hired by g")

    return Row(
        what=f"explorer: {what}",
        measured=median_of_processor(answer),
        target=LIMIT,
        yardstick=yardstick,
        yardstick_is="a fresh run",
    )


def median_of_processor(function):
    """Return the median time that a function takes of the processor, after a call that does not count."""
    function()
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)
