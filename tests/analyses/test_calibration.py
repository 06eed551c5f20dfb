"""Calibration by group: the expected calibration error, and the noise floor beside it."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.analyses.calibration import calibration_errors
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.tables.gaps import GapNeeds, count_cases
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

RULE = {"id": "r", "rate": "error", "attribute": "sex", "max_group_gap": 0.5}
FEW = settings(max_examples=25, deadline=None)


def errors_of(rows, *, bins=10, **stated):
    """Return {label: calibration error} of rows (sex, label, probability)."""
    keys = ("sex", "y", "q")
    columns = dict(zip(keys, map(list, zip(*rows, strict=True)), strict=True))
    columns["p"] = [1] * len(rows)
    return of_columns(columns, {"sex": ("f", "m")}, bins=bins, **stated)


def of_columns(columns, attributes, *, bins=10, **stated):
    test = RateGaps(
        label="y",
        prediction="p",
        probability="q",
        attributes=attributes,
        calibration_bins=bins,
        rules=[RULE],
        **stated,
    )
    need = GapNeeds(
        attributes=attributes, label="y", prediction="p", probability="q", unit=None, case_id="id", bins=bins
    )
    tally = count_cases(open_table(columns), need, Reading())
    return {item.label: item for item in calibration_errors(test, tally)}


def bins_of(probabilities, bins=10):
    """Return the bin that each probability lands in."""
    columns = {
        "sex": ["f"] * len(probabilities),
        "y": [1] * len(probabilities),
        "p": [1] * len(probabilities),
        "q": probabilities,
    }
    need = GapNeeds(
        attributes={"sex": ("f", "m")}, label="y", prediction="p", probability="q", unit=None, case_id="id", bins=bins
    )
    return [(item.bin, item.n) for item in count_cases(open_table(columns), need, Reading()).bins]


@pytest.mark.parametrize(
    ("probability", "at"),
    [(0.0, 0), (0.1, 1), (0.2, 2), (0.3, 3), (0.4, 4), (0.5, 5), (0.6, 6), (0.7, 7), (0.8, 8), (0.9, 9), (1.0, 9)],
)
def test_a_tenth_lands_in_the_bin_that_starts_there(probability, at):
    assert bins_of([probability]) == [(at, 1)]
    if 0 < probability < 1:
        assert bins_of([probability - 1e-6]) == [(at - 1, 1)]


def test_the_last_bin_is_closed():
    assert bins_of([0.95, 1.0, 0.999999999999]) == [(9, 3)]


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 10, 15, 100])
def test_every_edge_of_any_number_of_bins(bins):
    edges = [i / bins for i in range(bins)]
    assert bins_of(edges, bins) == [(i, 1) for i in range(bins)]


def test_the_error_by_hand():
    """Bin 0: 4 cases, mean label 1/4, mean probability 0.05; bin 7: 6 cases, mean label 1/2, mean probability 0.75."""
    rows = [("f", int(i == 0), 0.05) for i in range(4)] + [("f", i % 2, 0.75) for i in range(6)]
    found = errors_of([*rows, ("m", 1, 1.0)])
    assert found["sex=f"].n == 10
    assert found["sex=f"].ece == pytest.approx(0.4 * 0.20 + 0.6 * 0.25, rel=1e-12)
    assert (found["sex=m"].n, found["sex=m"].ece) == (1, 0.0)


def test_a_case_without_a_probability_is_out_and_counted():
    rows = [("f", 1, 0.95), ("f", 0, None), ("f", 0, None), ("f", 1, 0.15), ("m", 1, None)]
    found = errors_of(rows)
    assert (found["sex=f"].n, found["sex=f"].missing) == (2, 2)
    assert found["sex=f"].ece == pytest.approx((0.05 + 0.85) / 2)
    assert (found["sex=m"].n, found["sex=m"].missing, found["sex=m"].ece) == (0, 1, None)
    assert (found["sex=m"].noise_mean, found["sex=m"].noise_p95) == (None, None)
    kept = errors_of([row for row in rows if row[2] is not None])
    assert (kept["sex=f"].ece, kept["sex=f"].missing) == (found["sex=f"].ece, 0)


def test_every_attribute_and_every_declared_crossing():
    attributes = {"sex": ("f", "m"), "age": ("young", "old"), "town": ("x", "z")}
    columns = {
        "sex": ["f", "f", "m", None],
        "age": ["young", "old", "old", "old"],
        "town": ["x", "x", "z", "strange"],
        "y": [1, 0, 1, 0],
        "p": [1, 1, 1, 1],
        "q": [0.5, 0.25, 0.75, 0.25],
    }
    found = of_columns(columns, attributes, intersections=[["age", "sex"]])
    assert {label: item.n for label, item in found.items()} == {
        "sex=f": 2,
        "sex=m": 1,
        "age=young": 1,
        "age=old": 3,
        "town=x": 2,
        "town=z": 1,
        "age=young,sex=f": 1,
        "age=young,sex=m": 0,
        "age=old,sex=f": 1,
        "age=old,sex=m": 1,
    }
    assert found["age=old"].ece == pytest.approx((abs(0 - 0.5) + abs(1 - 0.75)) / 3)


def test_no_probability_column_no_calibration():
    stated = {"label": "y", "prediction": "p", "attributes": {"sex": ["f", "m"]}, "rules": [RULE]}
    need = GapNeeds(
        attributes={"sex": ("f", "m")}, label="y", prediction="p", probability=None, unit=None, case_id="id", bins=10
    )
    tally = count_cases(open_table({"sex": ["f"], "y": [1], "p": [1]}), need, Reading())
    assert calibration_errors(RateGaps(**stated), tally) is None


cases = st.tuples(st.sampled_from("fm"), st.integers(0, 1), st.floats(0, 1, allow_subnormal=False))


@given(st.lists(cases, min_size=1, max_size=60), st.randoms(use_true_random=False))
@FEW
def test_the_order_of_rows_changes_no_bit(rows, rng):
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert errors_of(shuffled) == errors_of(rows)


@given(st.lists(cases, min_size=1, max_size=60))
@FEW
def test_the_error_is_that_of_exact_sums(rows):
    """The definition, over Python's correctly rounded sums."""
    found = errors_of(rows)
    for sex in "fm":
        by_bin = {}
        for label, p in ((label, p) for mine, label, p in rows if mine == sex):
            by_bin.setdefault(min(math.floor(p * 10 + 1e-9), 9), []).append((label, p))
        n = sum(len(cases) for cases in by_bin.values())
        wanted = (
            math.fsum(
                len(same) / n * abs(sum(y for y, _ in same) / len(same) - math.fsum(p for _, p in same) / len(same))
                for same in by_bin.values()
            )
            if n
            else None
        )
        assert found[f"sex={sex}"].ece == (wanted if wanted is None else pytest.approx(wanted, rel=1e-9, abs=1e-12))


def spread(n):
    """Probabilities from 0 to 1 at equal distance; labels that the noise floor does not look at."""
    return [("f", i % 2, (i + 0.5) / n) for i in range(n)]


@pytest.mark.parametrize(("n", "floor"), [(30, 0.18), (100, 0.10)])
def test_the_noise_floor_of_a_calibrated_model(n, floor):
    """A perfectly calibrated model shows about 0.18 at n = 30 and 0.10 at n = 100 with ten bins."""
    found = errors_of(spread(n))["sex=f"]
    assert found.noise_mean == pytest.approx(floor, abs=0.02)
    assert found.noise_mean < found.noise_p95 < 2 * floor


def test_the_noise_floor_falls_as_one_over_the_root_of_n():
    small, large = (errors_of(spread(n))["sex=f"].noise_mean for n in (100, 10_000))
    assert small / large == pytest.approx(10, rel=0.1)


def test_the_noise_floor_is_what_drawn_labels_show():
    """95 of 100 calibrated samples lie under the 95th percentile: labels drawn with another generator."""
    rng = random.Random(20260101)
    n, above = 60, 0
    floor = errors_of(spread(n))["sex=f"].noise_p95
    for _ in range(200):
        by_bin = [0.0] * 10
        for i in range(n):
            p = (i + 0.5) / n
            by_bin[min(int(p * 10 + 1e-9), 9)] += (rng.random() < p) - p
        above += sum(map(abs, by_bin)) / n > floor
    assert 0 < above <= 20  # 10 expected; 21 or more has a chance of 0.001


def test_the_noise_floor_is_the_same_every_time_and_another_for_other_content():
    first, again, other = errors_of(spread(50)), errors_of(spread(50)), errors_of(spread(51))
    assert first == again
    assert first["sex=f"].noise_mean != other["sex=f"].noise_mean


def test_certain_probabilities_make_no_noise():
    found = errors_of([("f", 1, 1.0), ("f", 0, 0.0), ("f", 1, 0.0)])["sex=f"]
    assert (found.noise_mean, found.noise_p95) == (0.0, 0.0)
    assert found.ece == pytest.approx(1 / 3)
