"""The groups of a test of named pairs: where each stands, by its label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairreport.audit.pair_document import pair_tables
from fairreport.report.compare_record import Standing, standing
from fairreport.tables.pair_needs import WeightKind

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    """What a row calls its value, the counts that it is a share of, and its ratio; empty where there is none."""

    value: str
    hits: str = ""
    support: str = ""
    ratio: str = ""


_AIR = _Fields(value="favorable_rate", hits="favorable", support="total", ratio="air")
_CONFUSION = _Fields(value="rate", hits="numerator", support="denominator", ratio="ratio")
FIELDS: dict[str, _Fields] = {
    "adverse_impact_ratio": _AIR,
    "adverse_impact_ratio_by_quantile": _AIR,
    "categorical_adverse_impact_ratio": _AIR,
    "segmented_adverse_impact_ratio": _AIR,
    "relative_rate": _Fields(value="unfavorable_rate", hits="unfavorable", support="total"),
    "odds_ratio": _Fields(value="positive_rate", hits="positive", support="total"),
    "standardized_mean_difference": _Fields(value="mean"),
    "residual_standardized_mean_difference": _Fields(value="mean"),
    "true_positive_rate": _CONFUSION,
    "true_negative_rate": _CONFUSION,
    "false_positive_rate": _CONFUSION,
    "false_negative_rate": _CONFUSION,
    "precision": _CONFUSION,
    "false_discovery_rate": _CONFUSION,
    "custom_disparity_metric": _Fields(value="value", ratio="ratio"),
}
"""By analysis; ratios that mean worse where they are above 1 are left out."""


def pair_standings(entry: Json) -> Iterator[tuple[str, Standing]]:
    """Yield the label of each row of each table, and where it stands."""
    fields = FIELDS[entry["analysis"]]
    counted = entry.get("weights") != WeightKind.SAMPLING.value
    for key, rows in pair_tables(entry):
        before = "".join(f"{name} {value}: " for name, value in key.items() if name != "cutoff")
        for row in rows:
            hits, support = (row.get(name) if counted else None for name in (fields.hits, fields.support))
            is_share = isinstance(hits, int) and isinstance(support, int)
            yield (
                f"{before}{row['group_category']} = {row['group']}",
                standing(
                    n=row.get("denominator", row.get("total", row["observations"])),
                    hits=hits if is_share else None,
                    support=support if is_share else None,
                    value=row.get(fields.value),
                    ratio=row.get(fields.ratio),
                    verdict=_verdict(row),
                ),
            )


def _verdict(row: Json) -> str:
    if row["is_reference"]:
        return "reference"
    return {True: "failing", False: "not failing", None: "no verdict"}[row["practically_significant"]]
