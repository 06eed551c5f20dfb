"""The groups of one test in two audits: who came and went, and how far the rates moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any

from fairreport.report.compare_pairs import FIELDS, pair_standings
from fairreport.report.compare_record import GroupChange, Standing, standing
from fairreport.stats.contrast import newcombe_difference

Json = dict[str, Any]
Standings = dict[str, Standing]


def compare_groups(old: Json, new: Json, *, level: float, same_data: bool) -> tuple[GroupChange, ...]:
    """Return the groups that changed between two entries of one kind, worst first.

    Parameters
    ----------
    old, new : dict
        Entries of the results.
    level : float
        Level of the intervals of changes.
    same_data : bool
        Whether both were judged from the same counts; then a change is no matter of chance and has no interval.
    """
    before, after = standings(old), standings(new)
    found = [
        _change(label, before.get(label), after.get(label), None if same_data else level)
        for label in dict.fromkeys((*after, *before))
    ]
    return tuple(sorted((change for change in found if change.is_changed), key=_worst_first))


def standings(entry: Json) -> Standings:
    """Return where each group of an entry stands, by its label."""
    reader = _READERS.get(str(entry.get("analysis")))
    return dict(reader(entry)) if reader else {}


def _worst_first(change: GroupChange) -> tuple[bool, float, float, str]:
    return not change.got_worse, -change.ratio_drop, -abs(change.difference or 0.0), change.group


def _change(label: str, old: Standing | None, new: Standing | None, level: float | None) -> GroupChange:
    if old is None or new is None or old.value is None or new.value is None:
        return GroupChange(group=label, old=old, new=new)
    difference = new.value - old.value
    low, high = _interval(old, new, level)
    return GroupChange(
        group=label,
        old=old,
        new=new,
        difference=difference,
        low=low,
        high=high,
        level=None if low is None else level,
    )


def _interval(old: Standing, new: Standing, level: float | None) -> tuple[float | None, float | None]:
    counts = [old.hits, old.support, new.hits, new.support]
    if level is None or None in counts or not old.support or not new.support:
        return None, None
    found = newcombe_difference(new.hits or 0, new.support, old.hits or 0, old.support, level=level)
    low, high = float(found.low[0]), float(found.high[0])
    return (low, high) if isfinite(low) and isfinite(high) else (None, None)


def _label(group: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {level}" for name, level in group.items())


def _verdict(row: Json) -> str:
    if row.get("is_reference"):
        return "reference"
    if not row.get("sufficient"):
        return "not enough data"
    return "failing" if row.get("failing") else "not failing"


def _rates(value: str, hits: str) -> Callable[[Json], Iterator[tuple[str, Standing]]]:
    """Return the reader of a kind of test whose groups have a rate under `value` and its count under `hits`."""

    def read(entry: Json) -> Iterator[tuple[str, Standing]]:
        listed = set()
        for row in entry["groups"]:
            label = _label(row["group"])
            listed.add(label)
            yield (
                label,
                standing(
                    n=row["n"],
                    hits=row[hits],
                    support=row["n"],
                    value=row[value],
                    ratio=row["ratio"],
                    verdict=_verdict(row),
                ),
            )
        yield from _unlisted(entry, listed)

    return read


def _metrics(entry: Json) -> Iterator[tuple[str, Standing]]:
    shares = {_label_of(entry, group): group for group in _evidence_groups(entry) if "hits" in group}
    listed = set()
    for row in entry["groups"]:
        label = _label(row["group"])
        listed.add(label)
        share, value = shares.get(label), row["value"]
        hits = support = None
        if share is not None and value is not None:
            support = share["support"]
            hits = share["hits"] if share["hits"] == round(value * support) else support - share["hits"]
        found = standing(n=row["n"], hits=hits, support=support, value=value, ratio=row["ratio"], verdict=_verdict(row))
        yield label, found
    yield from _unlisted(entry, listed)


def _rules(entry: Json) -> Iterator[tuple[str, Standing]]:
    for rule in entry["rules"]:
        for label, group in rule["groups"].items():
            yield (
                f"{rule['id']}: {label}",
                standing(
                    n=group["observed"] + group["missing"],
                    hits=group["events"],
                    support=group["observed"],
                    value=group["rate"],
                    verdict="not enough data" if group["below_min_cell"] else "",
                ),
            )


def _evidence_groups(entry: Json) -> list[Json]:
    evidence = entry.get("evidence") or {}
    groups: list[Json] = evidence.get("groups") or []
    return groups


def _label_of(entry: Json, group: Json) -> str:
    return _label(dict(zip(entry["evidence"]["attributes"], group["group"], strict=True)))


def _unlisted(entry: Json, listed: set[str]) -> Iterator[tuple[str, Standing]]:
    """Yield the groups that only the evidence holds, because the test was skipped or has more than are stored."""
    for group in _evidence_groups(entry):
        label = _label_of(entry, group)
        if label not in listed:
            yield label, standing(n=group["n"], verdict="not listed" if entry["groups"] else "")


_READERS: dict[str, Callable[[Json], Iterator[tuple[str, Standing]]]] = {
    "outcome_disparity": _rates("rate", "favorable"),
    "score_disparity": _rates("scoring_rate", "scoring"),
    "metric_parity": _metrics,
    "rate_gaps": _rules,
    **dict.fromkeys(FIELDS, pair_standings),
}
"""A further kind of test is one more row; of a kind without one, no groups are compared."""
