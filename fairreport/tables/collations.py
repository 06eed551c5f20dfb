"""Texts that are equal only if they are the same: an engine may hold several spellings equal, by its collations.

It would then count them as one group, under whichever it met first. Mostly no type tells of a collation, so text is
put under that of its bytes where it enters a statement.
"""

from __future__ import annotations

_BY_BYTES = {
    "duckdb": 'CAST({} AS VARCHAR) COLLATE "C"',
    "postgres": 'CAST({} AS TEXT) COLLATE "C"',
    "sqlite": "{} COLLATE BINARY",
    "pyspark": "CAST({} AS STRING)",
    "spark": "CAST({} AS STRING)",
    "databricks": "CAST({} AS STRING)",
}


def by_bytes(text: str, engine: str) -> str:
    """Return SQL of a text that equals no other spelling.

    Parameters
    ----------
    text : str
        SQL of the text.
    engine : str
        Who reads the SQL; of one that is not known here the text stays as it is.

    Examples
    --------
    >>> by_bytes("c0", "postgres")
    'CAST(c0 AS TEXT) COLLATE "C"'
    """
    return _BY_BYTES.get(engine, "{}").format(text)
