"""A whole outcome test on a pandas frame against pandas' own groupby of the same columns."""

import numpy as np
import pandas as pd
from made_up import frame
from measuring import Row, median_seconds

import fairreport as fr

ROWS, MIXED_ROWS = 5_000_000, 1_000_000


def measure(_place):
    people = frame(ROWS)
    yield _compared("pandas, 5 M rows, text columns", people, 1.2)
    yield _compared("pandas, 5 M rows, categories", people.astype({"sex": "category", "race": "category"}), 0.5)
    cells = np.array([1, 1.0, True, "1", "x", None], dtype=object)
    mixed = people.head(MIXED_ROWS).assign(
        race=pd.Series(cells[np.random.default_rng(7).integers(0, len(cells), MIXED_ROWS)], dtype=object)
    )
    yield _compared("pandas, 1 M rows, one column of mixed objects", mixed, 2.0)


def _compared(what, people, factor):
    def bare():
        people.groupby(["sex", "race"], observed=True)["selected"].agg(["sum", "count"])

    def whole():
        fr.outcome_disparity(people, ["sex", "race"], "selected", 1).to_dict()

    yardstick = median_seconds(bare)
    return Row(
        what=what,
        measured=median_seconds(whole),
        target=factor * yardstick,
        yardstick=yardstick,
        yardstick_is="pandas groupby-agg",
    )
