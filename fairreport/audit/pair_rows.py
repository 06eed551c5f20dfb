"""A finding of named pairs as JSON, by the documented names."""

from __future__ import annotations

from typing import Any

from fairreport.analyses.pair_result import (
    Beside,
    ChiFigure,
    ConfusionRow,
    MeanRow,
    MetricRow,
    OddsRow,
    PairFinding,
    PairTable,
    PooledRow,
    RatioRow,
    Row,
)
from fairreport.analyses.result import PValue, Span

Json = dict[str, Any]

BELOW = "below_1e-300"
"""Why a p-value is null that is known, but too small for a number."""

_LOGARITHMS = {"p_value": "log10_p", "adjusted_p": "adjusted_log10_p"}


def document(finding: PairFinding) -> Json:
    """Return a finding of named pairs; every number as computed, every null with its reason.

    Parameters
    ----------
    finding : PairFinding
        What was found.
    """
    found: Json = {"status": finding.status}
    if finding.skip_code is not None:
        found["skip_code"] = finding.skip_code
    found |= {
        "rows_total": finding.rows.total,
        "rows_missing_weight": finding.rows.missing_weight,
        "weights": finding.weights.value,
        "measurements": dict(finding.measurements),
        "notes": [{"code": note.code, "text": note.text} for note in finding.notes],
    }
    if finding.rows.missing_segment is not None:
        return found | {
            "rows_missing_segment": finding.rows.missing_segment,
            "pooled": [_pooled(row) for row in finding.pooled],
            "segments": [{"segment": table.segment, "groups": _groups(finding, table)} for table in finding.tables],
        }
    if any(table.quantile is not None for table in finding.tables):
        return found | {
            "quantiles": [
                {"quantile": table.quantile, "cutoff": table.cutoff, "groups": _groups(finding, table)}
                for table in finding.tables
            ]
        }
    if any(table.category is not None for table in finding.tables):
        return found | {
            "categories": [{"category": table.category, "groups": _groups(finding, table)} for table in finding.tables]
        }
    return found | {"groups": _groups(finding, finding.tables[0])}


def _groups(finding: PairFinding, table: PairTable) -> list[Json]:
    return [row_document(finding, row) for row in table.rows]


def row_document(finding: PairFinding, row: Row) -> Json:
    """Return one row of a finding."""
    found: Json = {
        "group": row.group,
        "reference_group": row.reference_group,
        "group_category": row.group_category,
        "is_reference": row.is_reference,
        "observations": row.observations,
        "percent_missing": row.percent_missing,
    }
    if not isinstance(row, ConfusionRow):
        found["total"] = row.total
    found["n_eff"] = row.n_eff
    match row:
        case RatioRow():
            found |= _ratio(finding, row)
        case OddsRow():
            found |= _odds(row)
        case MeanRow():
            found |= {"mean": row.mean, "mean_difference": row.mean_difference, "sd": row.sd, "smd": row.smd}
        case ConfusionRow():
            found |= {
                "denominator": row.denominator,
                "numerator": row.numerator,
                "rate": row.rate,
                "rate_difference": row.rate_difference,
                "ratio": row.ratio,
            }
        case MetricRow():
            found |= _metric(row)
    found |= {
        "test": None if row.test is None else row.test.value,
        **_p("p_value", row.p_value),
        **_p("adjusted_p", row.adjusted_p),
        "practically_significant": row.practically_significant,
    }
    if isinstance(row, RatioRow):
        if finding.has_shortfall:
            found["shortfall"] = row.shortfall
        if row.beside is not None:
            found["beside"] = _beside(row.beside)
    return found | {"reasons": dict(row.reasons) | _too_small(found) | _too_small(found.get("beside", {}))}


def _ratio(finding: PairFinding, row: RatioRow) -> Json:
    counted, ratio = ("unfavorable", "relative_rate") if finding.analysis == "relative_rate" else ("favorable", "air")
    labels = {"total_label": row.total_label, "average_label": row.average_label} if finding.has_label else {}
    return {
        **labels,
        counted: row.counted,
        f"{counted}_rate": row.rate,
        **_ends("rate", row.rate_interval),
        "rate_difference": row.rate_difference,
        ratio: row.ratio,
        **_ends(ratio, row.ratio_interval),
    }


def _odds(row: OddsRow) -> Json:
    return {
        "positive": row.positive,
        "positive_rate": row.positive_rate,
        "odds": row.odds,
        "rate_difference": row.rate_difference,
        "odds_ratio": row.odds_ratio,
        "odds_ratio_conditional": row.odds_ratio_conditional,
        **_ends("odds_ratio", row.odds_interval),
        "interval_test_disagree": row.interval_test_disagree,
    }


def _metric(row: MetricRow) -> Json:
    return {
        "value": row.value,
        **_ends("value", row.value_interval),
        "difference": row.difference,
        **_ends("difference", row.difference_interval),
        "ratio": row.ratio,
        **_ends("ratio", row.ratio_interval),
        "undefined_draws": row.undefined_draws,
    }


def _beside(beside: Beside) -> Json:
    return {
        "four_fifths_flag": beside.four_fifths_flag,
        **_p("fisher_two_sided", beside.fisher_two_sided),
        **_p("fisher_directional", beside.fisher_directional),
        **_p("mid_p_two_sided", beside.mid_p_two_sided),
        **_p("mid_p_directional", beside.mid_p_directional),
        "z": beside.z,
        **_ends("difference", beside.difference_interval),
        "shortfall_to_four_fifths": beside.shortfall_to_four_fifths,
        "shortfall_to_parity": beside.shortfall_to_parity,
        "one_person_flip": beside.one_person_flip,
        "air_missing_low": beside.air_missing_low,
        "air_missing_high": beside.air_missing_high,
    }


def _pooled(row: PooledRow) -> Json:
    found = {
        "group": row.group,
        "reference_group": row.reference_group,
        "group_category": row.group_category,
        "segments_used": list(row.segments_used),
        "segments_dropped": list(row.segments_dropped),
        "segments_uninformative": list(row.segments_uninformative),
        "air": row.air,
        **_ends("air", row.air_interval),
        "rate_difference": row.rate_difference,
        "test": None if row.test is None else row.test.value,
        **_p("p_value", row.p_value),
        **_p("adjusted_p", row.adjusted_p),
        "practically_significant": row.practically_significant,
        "z": row.z,
        "cmh_statistic": row.cmh.statistic,
        "cmh_corrected_statistic": row.cmh_corrected.statistic,
        **_p("cmh_corrected_p", row.cmh_corrected.p_value),
        **_figure("ratio_q", "ratio_q", row.ratio_q),
        "odds_ratio": row.odds_ratio,
        **_ends("odds_ratio", row.odds_interval),
        **_figure("breslow_day_tarone", "breslow_day_tarone_statistic", row.breslow_day_tarone),
        "crude_air": row.crude_air,
        "direction_reverses": row.direction_reverses,
    }
    return found | {"reasons": dict(row.reasons) | _too_small(found)}


def _figure(name: str, statistic: str, figure: ChiFigure) -> Json:
    return {statistic: figure.statistic, f"{name}_df": figure.df, **_p(f"{name}_p", figure.p_value)}


def _ends(name: str, span: Span) -> Json:
    return {f"{name}_ci_low": span.low, f"{name}_ci_high": span.high}


def _p(name: str, value: PValue | None) -> Json:
    """Return a p-value; where it is too small for a number, its logarithm beside the null."""
    if value is None or value.p is not None:
        return {name: None if value is None else value.p}
    return {name: None, logarithm_of(name): value.log10}


def logarithm_of(name: str) -> str:
    """Return the field that holds the decimal logarithm of a p-value too small for a number.

    Examples
    --------
    >>> logarithm_of("adjusted_p"), logarithm_of("mid_p_two_sided")
    ('adjusted_log10_p', 'mid_p_two_sided_log10')
    """
    return _LOGARITHMS.get(name, f"{name}_log10")


def _too_small(fields: Json) -> dict[str, str]:
    """Return why a p-value is null that is known, but too small for a number."""
    return {name: BELOW for name, value in fields.items() if value is None and logarithm_of(name) in fields}
