"""Made-up people, the same every time: 2 sexes, 6 origins, an outcome and a score."""

import duckdb
import numpy as np
import pandas as pd

SEXES = ["Female", "Male"]
ORIGINS = ["Asian", "Black", "Hispanic", "Native", "Two or more", "White"]

PEOPLE = """
    SELECT
        ['Female', 'Male'][1 + (h % 2)::INT] AS sex,
        ['Asian', 'Black', 'Hispanic', 'Native', 'Two or more', 'White'][1 + ((h >> 8) % 6)::INT] AS race,
        ((h >> 16) % 100 < 40 + (h % 2) * 5 + ((h >> 8) % 6) * 2)::INT AS selected,
        ((h >> 24) % 1000000) / 1e6 AS score
    FROM (SELECT hash(i) AS h FROM range({rows}) AS t(i))
"""


def write_parquet(path, rows):
    """Write people to a Parquet file, in row groups, without holding them."""
    if not path.exists():
        with duckdb.connect(config={"preserve_insertion_order": False, "memory_limit": "1GB"}) as connection:
            connection.execute(f"COPY ({PEOPLE.format(rows=rows)}) TO '{path}' (FORMAT parquet)")
    return path


def write_csv(path, rows):
    """Write people to a CSV file."""
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({PEOPLE.format(rows=rows)}) TO '{path}' (FORMAT csv, HEADER)")
    return path


def frame(rows):
    """Return people as a pandas frame with text columns."""
    rng = np.random.default_rng(2026)
    sex, origin = rng.integers(0, 2, rows), rng.integers(0, 6, rows)
    selected = rng.random(rows) < 0.4 + 0.05 * sex + 0.02 * origin
    return pd.DataFrame({
        "sex": pd.Series(np.array(SEXES, dtype=object)[sex], dtype="str"),
        "race": pd.Series(np.array(ORIGINS, dtype=object)[origin], dtype="str"),
        "selected": selected.astype(np.int64),
    })  # fmt: skip
