"""Which table of a database is meant; where there is none of that name, what is near it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from fairreport.errors import DataError, nearest, nearest_name
from fairreport.tables.places import table_name

_LISTED = 5
_SCHEMAS = 20
"""So many schemas are looked into for a table that is not where it was sought."""
_SYSTEM = ("pg_", "information_schema", "sys", "mysql", "performance_schema")

Names = tuple[str, ...]


def table_of(backend: Any, parts: Names, engine: str) -> Any:
    """Return a table or view that ibis finds.

    Parameters
    ----------
    backend : ibis backend
        The connection.
    parts : tuple of str
        Catalog and schema, where they are stated, then the table.
    engine : str
        What holds it, for people.

    Raises
    ------
    DataError
        If there is none; what is nearest is told.
    """
    import ibis.common.exceptions as ibis_errors  # noqa: PLC0415 - the connection is one of ibis

    above, name = parts[:-1], parts[-1]
    if backend.name == "sqlite":  # which looks for the table in every schema, and then reads from the one stated
        _refuse_schema(backend, parts, engine)
    missing = getattr(ibis_errors, "TableNotFound", ibis_errors.IbisError)
    try:
        return backend.table(name, database=_database(above))
    except missing:
        pass
    _refuse_schema(backend, parts, engine)
    raise DataError(f"{engine} has no table {table_name(parts)!r}.{_near(backend, above, name)}")


def _database(above: Names) -> str | Names | None:
    """Return catalog and schema as ibis takes them: it splits a text at its dots."""
    return above[0] if len(above) == 1 and "." not in above[0] else above or None


def _refuse_schema(backend: Any, parts: Names, engine: str) -> None:
    schema = parts[-2] if len(parts) > 1 else ""
    known = _names(backend.list_databases) if schema else []
    if known and schema not in known:
        hint = _with_dots(backend, parts, known) or nearest(schema, known, fold=True)
        raise DataError(f"{engine} has no schema {schema!r}.{hint}")


def _with_dots(backend: Any, parts: Names, schemas: Sequence[str]) -> str:
    """Return a hint where a name that holds a dot was not quoted."""
    for at in range(len(parts) - 1, -1, -1):
        schema, table = ".".join(parts[:at]), ".".join(parts[at:])
        above = (schema,) if schema else ()
        if (not schema or schema in schemas) and (at == len(parts) - 1 or table in _tables(backend, above)):
            return f" A part with a dot stands in double quotes: {table_name((*above, table))}"
    return ""


def _near(backend: Any, above: Names, name: str) -> str:
    """Return where such a table is, or what is nearest to it, or some tables that there are."""
    own = _tables(backend, above)
    others = _elsewhere(backend, above)
    held = [place for place in others if place[1] == name]
    if held:
        schemas = ", ".join(repr(schema) for schema, _ in held[:_LISTED])
        found = ", ".join(map(table_name, held[:_LISTED]))
        return f" It is in {'schema' if len(held) == 1 else 'schemas'} {schemas}: {found}"
    for places in ([(*above, table) for table in own], others):
        near = nearest_name(name, [place[-1] for place in places], fold=True)
        if near is not None:
            return f" Did you mean {table_name(next(p for p in places if p[-1] == near))!r}?"
    return _some([table_name((*above, table)) for table in own] or list(map(table_name, others)))


def _elsewhere(backend: Any, above: Names) -> list[tuple[str, str]]:
    """Return the schema and name of the tables of other schemas of the same catalog."""
    if len(above) > 1:
        return []
    schemas = [name for name in _names(backend.list_databases) if not name.lower().startswith(_SYSTEM)]
    sought = [schema for schema in sorted(set(schemas)) if (schema,) != above][:_SCHEMAS]
    return [(schema, table) for schema in sought for table in _tables(backend, (schema,))]


def _tables(backend: Any, above: Names) -> list[str]:
    return _names(lambda: backend.list_tables(database=_database(above)))


def _names(listed: Callable[[], Any]) -> list[str]:
    with suppress(Exception):  # who may not list tables learns only that there is none
        return sorted(str(name) for name in listed())
    return []


def _some(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return f" It has {', '.join(map(repr, names[:_LISTED]))}{more}"
