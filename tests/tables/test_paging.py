"""Order statistics of more rows than memory: the same answers as those of sorted rows."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fairreport import Audit
from fairreport.tables import levels, ranks
from fairreport.tables.levels import Levels
from fairreport.tables.ordered import SortedGroups
from fairreport.tables.paging import PageCounts, PagedGroups, Paging, quantile_ranks

FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

ABOUT_WHOLE_DISTRIBUTIONS = ("probability_of_superiority", "cliffs_delta", "ks_distance")


def entries(data, counts=None):
    audit = Audit(data, counts=counts)
    stated = {"min_group_size": 1, "min_group_share": 0}
    audit.score_disparity("g", "x", **stated)
    for metric in ("median", "p95"):
        audit.metric_parity("g", metric, value_column="x", higher_is_better=False, max_difference=1, **stated)
        audit.metric_parity("g", metric, value_column="x", higher_is_better=True, comparison="overall", name=f"{metric} o",
                            max_difference=1, **stated)  # fmt: skip
    audit.metric_parity("g", "auc", score_column="x", ground_truth_column="y", positive_values=1, **stated)
    return audit.run().to_dict()["results"]


def without_informational(found):
    """Drop what large tables do not get, and the histogram, which pages count to the nearest page."""
    for entry in found:
        entry.pop("reasons")
        for group in (entry["evidence"] or {"groups": []})["groups"]:
            group.pop("histogram", None)
        if entry["evidence"]:
            entry["evidence"].pop("comparisons", None)
        for group in entry["groups"]:
            for name in ABOUT_WHOLE_DISTRIBUTIONS:
                group.pop(name, None)
    return json.dumps(found)


@pytest.fixture
def spied_paging(monkeypatch):
    """Run with tiny pages, and tell how often groups were paged."""
    paged = []
    original = Levels._paged

    def spy(self, sink):
        paged.append(sink.attributes)
        return original(self, sink)

    monkeypatch.setattr(Levels, "_paged", spy)

    def run(data, pages, rows, counts=None):
        paged.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(levels, "SORTED_ROWS", 0)
            patch.setattr(levels, "MANY_ROWS", Paging(pages=pages, fetched=rows))
            return without_informational(entries(data, counts)), len(paged)

    return run


def table_of(groups, values, make=pa.table):
    return make({"g": groups, "x": values, "y": [i % 3 % 2 for i in range(len(values))]})


rng = np.random.default_rng(5)
LABELS = rng.choice(list("ABC"), 200).tolist()
SHAPES = {
    "normal": (LABELS, rng.normal(size=200).tolist()),
    "negative": (LABELS, (-10 + rng.normal(size=200)).tolist()),
    "heavy ties": (LABELS, rng.integers(0, 4, 200).astype(float).tolist()),
    "almost all tied": (LABELS, [0.0] * 190 + [5.0] * 9 + [1e6]),
    "one value": (["A"] * 5 + ["B"] * 7, [3.0] * 12),
    "skewed": (LABELS, np.exp(5 * rng.normal(size=200)).tolist()),
    "hundreds of magnitudes": (LABELS, np.exp(30 * rng.normal(size=200)).tolist()),
    "zeros of both signs": (["A", "B"] * 4, [0.0, -0.0, -0.0, 0.0, 1.0, -0.0, 0.0, -1.0]),
    "a group between two others": (["A"] * 10 + ["B"] * 10 + ["C"] * 50, [0.0] * 10 + [10.0] * 10 + rng.uniform(0, 10, 50).tolist()),
    "many groups": ([f"g{i % 25}" for i in range(150)], np.round(rng.normal(size=150), 1).tolist()),
    "neighbouring doubles": (["A", "B"] * 8, [np.nextafter(1.0, 2.0) if i % 3 else 1.0 for i in range(16)]),
}  # fmt: skip
SIMILAR = {"negative", "almost all tied", "skewed", "one value", "many groups"}


@pytest.mark.parametrize(("pages", "rows"), [(2, 1), pytest.param(7, 10, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("shape", [pytest.param(it, marks=[pytest.mark.heavy] * (it in SIMILAR)) for it in SHAPES])
def test_paged_is_sorted(spied_paging, shape, pages, rows):
    data = table_of(*SHAPES[shape])
    found, times = spied_paging(data, pages, rows)
    assert times == 5
    assert found == without_informational(entries(data))


def test_paged_is_sorted_for_a_frame_with_missing_cells(spied_paging):
    frame = table_of(LABELS, SHAPES["skewed"][1], pd.DataFrame)
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "g"] = None
    frame.loc[3, "x"] = np.inf
    found, times = spied_paging(frame, 3, 4)
    assert times == 5
    assert found == without_informational(entries(frame))


@given(
    st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from([-3.5, -1.0, 0.0, 0.1, 0.5, 2.0, 9.0])), min_size=8, max_size=40),
    st.integers(2, 9),
    st.integers(1, 9),
)  # fmt: skip
@example([("A", 0.0)] * 4 + [("B", 9.0)] * 4 + [("C", 0.5), ("C", 2.0)], 9, 1)
@FEW
def test_paged_is_sorted_law(spied_paging, rows, pages, fetched):
    groups, values = map(list, zip(*rows, strict=True))
    data = table_of(groups, values)
    assert spied_paging(data, pages, fetched)[0] == without_informational(entries(data))


def test_weighted_rows_are_sorted_and_never_paged(spied_paging):
    data = table_of(LABELS, SHAPES["heavy ties"][1])
    weighted = data.append_column("n", pa.array([i % 4 for i in range(200)]))
    found, times = spied_paging(weighted, 2, 1, counts="n")
    assert times == 0
    assert found == without_informational(entries(weighted, counts="n"))


def test_pages_of_large_tables_are_counted_once_and_few_values_fetched(monkeypatch):
    calls = []
    for name in ("count_pages", "fetch_ranges"):
        original = getattr(levels, name)
        monkeypatch.setattr(levels, name, lambda *a, _n=name, _o=original: calls.append(_n) or _o(*a))
    monkeypatch.setattr(levels, "SORTED_ROWS", 0)
    monkeypatch.setattr(levels, "MANY_ROWS", Paging(pages=16, fetched=2_000_000))
    Audit(table_of(LABELS, SHAPES["normal"][1])).score_disparity("g", "x", min_group_size=1).run()
    assert calls == ["count_pages", "fetch_ranges"]


def groups_of(samples, pages, fetched=2):
    """Return paged groups over {label: values}, counted and fetched from memory."""
    labels = [(label,) for label in samples]
    everything = np.concatenate(list(samples.values()))

    def count(low, high, wanted):
        edges = np.linspace(low, high, wanted + 1)
        place = {label: np.clip(np.searchsorted(edges, v, "right") - 1, 0, wanted - 1) for label, v in samples.items()}
        inside = {label: (v >= low) & (v <= high) for label, v in samples.items()}
        filled = sorted({int(p) for label in samples for p in place[label][inside[label]]})
        of_page = [
            np.concatenate([samples[label][inside[label] & (place[label] == page)] for label in samples])
            for page in filled
        ]
        counts = [[int((inside[g] & (place[g] == page)).sum()) for g in samples] for page in filled]
        return PageCounts(
            lows=np.array([values.min() for values in of_page]),
            highs=np.array([values.max() for values in of_page]),
            counts=np.array(counts, dtype=np.int64),
        )

    def fetch(ranges):
        return [np.concatenate([v[(v >= low) & (v <= high)] for low, high in ranges]) for v in samples.values()]

    ends = float(everything.min()), float(everything.max())
    return labels, PagedGroups(labels, ends, count, fetch, paging=Paging(pages=pages, fetched=fetched))


@pytest.mark.parametrize("q", [0.0, 0.25, 0.5, 0.95, 1.0])
def test_quantiles_are_those_of_numpy(monkeypatch, q):
    samples = {"A": rng.normal(size=31), "B": rng.integers(0, 3, 20).astype(float), "C": rng.normal(5, 1, 9)}
    labels, groups = groups_of(samples, 4)
    together = [labels, labels[:2], labels[1:], *([label] for label in labels)]
    for chosen in together:
        values = np.concatenate([samples[label[0]] for label in chosen])
        groups.settle([(chosen, rank) for rank in quantile_ranks(len(values), q)])
        found = groups.quantile(chosen, q)
        assert found == pytest.approx(np.quantile(values, q), rel=1e-14, abs=1e-14)  # numpy 2, method "linear"
        for label in chosen:
            assert groups.count_above(label, found) == (samples[label[0]] > found).sum()
            assert groups.count_below(label, found) == (samples[label[0]] < found).sum()


def test_histograms_hold_every_row(monkeypatch):
    samples = {"A": rng.normal(size=300), "B": rng.normal(size=40)}
    labels, groups = groups_of(samples, 512)
    edges = np.linspace(min(map(np.min, samples.values())), max(map(np.max, samples.values())), 9).tolist()
    for label in labels:
        found = groups.histogram(label, edges)
        wanted = np.histogram(samples[label[0]], edges)[0]
        assert sum(found) == len(samples[label[0]])
        assert np.abs(np.cumsum(found) - np.cumsum(wanted)).max() <= 3  # pages on an edge are counted by their middle


def test_one_group_only_for_a_sorted_order_statistic():
    with pytest.raises(ValueError, match="too many values to unpack"):
        SortedGroups({("A",): None, ("B",): None}).order_statistic([("A",), ("B",)], 0)


@pytest.mark.parametrize("groups", [3, 14])
def test_auc_of_large_tables_goes_class_by_class(monkeypatch, groups):
    """The same pairs, per group and over all, whether classes are fetched together or one after the other."""
    n = 400
    data = pa.table(
        {
            "g": [f"g{i % groups:02}" for i in range(n)],
            "x": rng.integers(0, 50, n).astype(float),
            "y": rng.integers(0, 2, n),
            "n": [1 + i % 3 for i in range(n)],
        }
    )

    def run(counts):
        stated = {"score_column": "x", "ground_truth_column": "y", "positive_values": 1, "min_group_size": 1}
        return Audit(data, counts=counts).metric_parity("g", "auc", min_group_share=0, **stated).run().to_json()

    wanted = run(None), run("n")
    fetched = []
    original = Levels._fetch_class
    monkeypatch.setattr(
        Levels, "_fetch_class", lambda self, *a, kind: fetched.append(kind) or original(self, *a, kind=kind)
    )
    monkeypatch.setattr(levels, "SORTED_ROWS", 0)
    pairs = []
    counted = ranks._pairs
    monkeypatch.setattr(ranks, "_pairs", lambda *a: pairs.append(counted(*a)) or pairs[-1])
    assert (run(None), run("n")) == wanted
    assert fetched == [False, True] * 2
    assert [len(listed) for listed in pairs] == ([9, 9] if groups == 3 else [14, 14 * 14])
