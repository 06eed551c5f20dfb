"""A whole outcome test on a Parquet file against the bare GROUP BY of the same columns."""

import duckdb
from made_up import write_parquet
from measuring import Row, median_seconds, peak_megabytes

import fairreport as fr

ALONE = """
import sys
import fairreport as fr
result = fr.outcome_disparity(sys.argv[1], ["sex", "race"], "selected", 1)
assert len(result.to_dict()["groups"]) == 12
"""


def measure(place):
    path = write_parquet(place.folder / "people-10M.parquet", 10_000_000)
    connection = duckdb.connect()

    def bare():
        connection.execute(f"SELECT sex, race, selected, count(*) FROM '{path}' GROUP BY ALL").fetchall()

    def whole():
        fr.outcome_disparity(path, ["sex", "race"], "selected", 1).to_dict()

    yardstick = median_seconds(bare)
    yield Row(
        what="outcome test, 10 M Parquet rows",
        measured=median_seconds(whole),
        target=1.5 * yardstick + 0.3,
        yardstick=yardstick,
        yardstick_is="bare GROUP BY",
    )
    yield Row(what="peak memory, 10 M Parquet rows", measured=peak_megabytes(ALONE, path), target=200, unit="MB")
    if place.is_large:
        path = write_parquet(place.folder / "people-100M.parquet", 100_000_000)
        yield Row(what="peak memory, 100 M Parquet rows", measured=peak_megabytes(ALONE, path), target=250, unit="MB")
