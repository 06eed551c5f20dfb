"""One SQL for every engine: what fairreport asks in DuckDB's words, said in those of the engine that holds the rows.

Statements are parsed, rewritten where an engine lacks a form or means something else by it, and written in its
dialect. Names in them are fairreport's own (``c0``, ``k1``); what a user brings stands in quoted literals, which the
writer of the dialect quotes, and in `fr_source`, the user's own table.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import inf
from sys import float_info
from typing import Any

from sqlglot import exp, parse_one

from fairreport.tables.sql_products import guarded_product

SOURCE = "fr_source"
"""The name under which statements refer to the rows."""

_ASIDE = "fr_aside"
_LARGEST = f"{float_info.max!r}"
_INFINITE = {"snowflake": "inf", "bigquery": "inf"}
_NO_GROUPING_SETS = {"sqlite", "mysql"}
_NO_NAMED_VALUES = {"sqlite", "bigquery", "mysql", "snowflake"}
_NO_NAN = {"sqlite", "mysql"}
_CAST_TYPES = exp.DataType.REAL_TYPES | exp.DataType.INTEGER_TYPES | exp.DataType.TEMPORAL_TYPES
_READ_TWO_WAYS = "'\\\\$"
"""Characters of a literal that Spark reads by its settings: a backslash may escape, and a variable may be meant."""


def in_dialect(sql: str, dialect: str, *, is_guarded: bool = False, is_lateral: bool = False) -> str:
    """Return a statement of fairreport's in the SQL of an engine.

    Parameters
    ----------
    sql : str
        In DuckDB's SQL, of the forms that this package uses.
    dialect : str
        What sqlglot calls the engine's SQL: ``postgres``, ``sqlite``, ``spark``, ``snowflake``, ...
    is_guarded : bool
        Whether products too small for a double are written as 0, for an engine that refuses to round them to it.
    is_lateral : bool
        Whether numbers that are used several times are worked out beside the rows, for an engine that would work
        them out each time.

    Examples
    --------
    >>> in_dialect("SELECT k0, count(*) FILTER (w > 0) FROM (SELECT c0 AS k0 FROM t) AS s GROUP BY k0", "postgres")
    'SELECT k0, COUNT(CASE WHEN w > 0 THEN 1 END) FROM (SELECT c0 AS k0 FROM t) AS s GROUP BY k0'
    """
    return sql if dialect == "duckdb" else _written(sql, dialect, is_guarded, is_lateral)


@lru_cache(maxsize=256)
def _written(sql: str, dialect: str, is_guarded: bool, is_lateral: bool) -> str:  # noqa: FBT001 - cached
    tree: Any = parse_one(sql, read="duckdb")
    for node in reversed(list(tree.walk())):  # parts before the whole
        other = guarded_product(node) if is_guarded and isinstance(node, exp.Mul) else _rewritten(node, dialect)
        if node is tree:
            tree = other
        elif other is not node:
            node.replace(other)
    if dialect in _NO_GROUPING_SETS:
        tree = _without_grouping_sets(tree)
    if is_lateral:
        for select in list(tree.find_all(exp.Select)):
            _work_out_once(select)
    text: str = tree.sql(dialect=dialect, unsupported_level=None)
    return text


def _rewritten(node: Any, dialect: str) -> Any:
    """Return a part of a statement in a form that every engine understands alike."""
    match node:
        case exp.Filter():
            return _case_inside(node)
        case exp.Grouping() if len(node.expressions) > 1:
            return _bits(node.expressions)
        case exp.Anonymous() if node.name.lower() == "isfinite":
            return _between(node.expressions[0])
        case exp.IsInf():
            return _is_infinite(node.this, dialect)
        case exp.Cast() if dialect == "spark" and node.to.this == exp.DataType.Type.TIMESTAMPTZ:
            return exp.cast(node.this.copy(), exp.DataType.Type.TIMESTAMPLTZ)  # its settings say what TIMESTAMP is
        case exp.Cast() if node.to.this in _CAST_TYPES:
            return _cast(node, dialect)
        case exp.Literal() if node.is_string and dialect == "spark":
            return _spelled_out(node)
        case exp.Least() | exp.Greatest():
            node.set("ignore_nulls", None)  # no argument is null where fairreport asks for them
            return node
        case exp.Values() if dialect in _NO_NAMED_VALUES:
            return _selected(node, dialect)
        case exp.Unhex() if dialect == "postgres":
            return exp.func("decode", node.this.copy(), exp.Literal.string("hex"))
        case exp.Unhex() if dialect in {"sqlite", "mysql"}:
            return exp.HexString(this=node.this.this)
        case _:
            return node


def _work_out_once(select: Any) -> None:
    """Let a select from another one take what that works out, and it uses several times, from beside the rows.

    PostgreSQL writes a nested select into the one around it, and works out everything as often as it is named there;
    not so what an outer join gives, and with nothing but numbers of the same row on its other side it joins nothing.
    """
    inner = getattr(_rows_of(select), "this", None)
    if not isinstance(inner, exp.Select) or not isinstance(_rows_of(inner), exp.Table):
        return
    used = Counter(column.name for column in select.find_all(exp.Column) if column.find_ancestor(exp.Select) is select)
    aside = [
        item
        for item in inner.expressions
        if isinstance(item, exp.Alias) and not isinstance(item.this, exp.Column | exp.Null) and used[item.alias] > 1
    ]
    if not aside:
        return
    inner.append(
        "joins",
        exp.Join(
            this=exp.Lateral(
                this=exp.Subquery(this=exp.select(*(item.copy() for item in aside))),
                alias=exp.TableAlias(this=exp.to_identifier(_ASIDE)),
            ),
            side="LEFT",
            on=exp.true(),
        ),
    )
    for item in aside:
        item.set("this", exp.column(item.alias, table=_ASIDE))


def _rows_of(select: Any) -> Any:
    source = select.find(exp.From)  # the nearest
    return source.this if source else None


def _case_inside(node: Any) -> Any:
    """Return an aggregate over some rows as one over all, null elsewhere."""
    aggregate, condition = node.this.copy(), node.expression.this
    counted = aggregate.this
    value = exp.Literal.number(1) if isinstance(counted, exp.Star) else counted
    aggregate.set("this", exp.Case().when(condition.copy(), value.copy()))
    return aggregate


def _bits(columns: Any) -> Any:
    """Return the bit mask of several columns from what GROUPING says of each."""
    total: Any = None
    for place, column in enumerate(reversed(columns)):
        bit = exp.Grouping(expressions=[column.copy()])
        term = bit if place == 0 else exp.Mul(this=exp.Literal.number(1 << place), expression=bit)
        total = term if total is None else exp.Add(this=total, expression=term)
    return exp.Paren(this=total)


def _between(number: Any) -> Any:
    low, high = (exp.cast(exp.Literal.string(sign + _LARGEST), "double") for sign in ("-", ""))
    return exp.Paren(this=exp.Between(this=number.copy(), low=low, high=high))


def _is_infinite(number: Any, dialect: str) -> Any:
    ends = [_number(sign + "inf", dialect) for sign in ("", "-")]
    return exp.Paren(this=exp.In(this=number.copy(), expressions=ends))


def _cast(node: Any, dialect: str) -> Any:
    """Return a cast to a number: of a condition by cases, of text that spells infinity as the engine spells it.

    SQLite keeps times as text, and takes the name of a type that it does not know for a number.
    """
    operand = node.this
    if node.to.this in exp.DataType.TEMPORAL_TYPES:
        return operand if dialect == "sqlite" and _is_text(operand) else node
    if _is_text(operand) and node.to.this in exp.DataType.REAL_TYPES:
        return _number(operand.this, dialect, node.to)
    if _is_condition(operand.unnest()):
        # One that is null stays null: neither it nor its contrary holds.
        negated = exp.Not(this=exp.Paren(this=operand.copy()))
        cases = exp.Case().when(operand.copy(), exp.Literal.number(1)).when(negated, exp.Literal.number(0))
        return exp.cast(cases, node.to)
    return node


def _spelled_out(text: Any) -> Any:
    """Return a literal by its bytes where Spark might read another text from it."""
    if text.this.isprintable() and not any(mark in text.this for mark in _READ_TWO_WAYS):
        return text
    return exp.cast(exp.HexString(this=text.this.encode("utf-8", "surrogatepass").hex()), "text")


def _is_text(node: Any) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_string)


def _is_condition(node: Any) -> bool:
    if isinstance(node, exp.Case):
        branches = [*(branch.args["true"] for branch in node.args["ifs"]), node.args.get("default")]
        return any(branch is not None and _is_condition(branch.unnest()) for branch in branches)
    return isinstance(node, exp.Predicate | exp.Boolean | exp.Not | exp.And | exp.Or | exp.Between | exp.In)


def _number(text: str, dialect: str, kind: Any = None) -> Any:
    """Return a double that its shortest text spells, be it finite or not."""
    number = float(text)
    if number != number and dialect in _NO_NAN:  # noqa: PLR0124 - nan
        return exp.cast(exp.Null(), "double")
    if abs(number) == inf:
        if dialect in _NO_NAN:
            return exp.Literal.number("-9e999" if number < 0 else "9e999")
        text = ("-" if number < 0 else "") + _INFINITE.get(dialect, "Infinity")
    elif number != number:  # noqa: PLR0124 - nan
        text = "NaN"
    return exp.cast(exp.Literal.string(text), "double" if kind is None else kind)


def _selected(node: Any, dialect: str) -> Any:
    """Return listed rows as selects put together, which bear their own names in every engine.

    SQLite puts no more than 500 selects together, but names the columns of any number of listed rows itself.
    """
    alias = node.args.get("alias")
    names = [column.name for column in alias.columns] if alias else []
    if dialect == "sqlite":
        listed = (exp.alias_(exp.column(f"column{place}"), name) for place, name in enumerate(names, start=1))
        rows = exp.Subquery(this=exp.Values(expressions=[row.copy() for row in node.expressions]))
        both: Any = exp.select(*listed).from_(rows)
        return exp.Subquery(this=both, alias=exp.TableAlias(this=exp.to_identifier(alias.name)))
    selects = []
    for row in node.expressions:
        cells = row.expressions if isinstance(row, exp.Tuple) else [row]
        selects.append(exp.select(*(exp.alias_(c.copy(), n) for c, n in zip(cells, names, strict=True))))
    both = selects[0]
    for other in selects[1:]:
        both = exp.Union(this=both, expression=other, distinct=False)
    return exp.Subquery(this=both, alias=exp.TableAlias(this=exp.to_identifier(alias.name)))


def _without_grouping_sets(tree: Any) -> Any:
    """Return one grouping a set, put together, where an engine has no grouping sets."""
    for select in list(tree.find_all(exp.Select)):
        group = select.args.get("group")
        sets = group.args.get("grouping_sets") if group else None
        if not sets:
            continue
        parts = [_one_set(select, keys) for listed in sets for keys in listed.expressions]
        both: Any = parts[0]
        for other in parts[1:]:
            both = exp.Union(this=both, expression=other, distinct=False)
        if select is tree:
            tree = both
        else:
            select.replace(both)
    return tree


def _one_set(select: Any, keys: Any) -> Any:
    listed = keys.unnest().expressions if isinstance(keys.unnest(), exp.Tuple) else [keys.unnest()]
    kept = {column.name for column in listed}
    part = select.copy()
    every = {column.name for sets in part.args["group"].args["grouping_sets"] for column in sets.find_all(exp.Column)}
    for bit in list(part.find_all(exp.Grouping)):
        bit.replace(exp.Literal.number(int(bit.expressions[0].name not in kept)))
    projections = [
        exp.alias_(exp.Null(), item.name) if isinstance(item, exp.Column) and item.name in every - kept else item
        for item in part.expressions
    ]
    part.set("expressions", projections)
    part.set("group", exp.Group(expressions=[column.copy() for column in listed]) if listed else None)
    return part
