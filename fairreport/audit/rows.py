"""One group of a test as JSON, by the documented names."""

from __future__ import annotations

from typing import Any

from fairreport.analyses.result import Finding, MetricRow, OutcomeGroup, PValue, ScoreRow, Span

Json = dict[str, Any]
Row = OutcomeGroup | ScoreRow | MetricRow


def group_document(finding: Finding, row: Row) -> Json:
    """Return one group of a test; the label stands under ``group``, one text per attribute."""
    label = dict(zip(finding.attributes, row.group, strict=True))
    if isinstance(row, OutcomeGroup):
        return {"group": label} | _outcome(row)
    return {"group": label} | (_score(row) if isinstance(row, ScoreRow) else _metric(row))


def _outcome(row: OutcomeGroup) -> Json:
    return {
        "n": row.n,
        "share": row.share,
        "favorable": row.favorable,
        "rate": row.rate,
        **_compared_rate(row),
        "adjusted_impact_ratio": row.adjusted_impact_ratio,
        **_ends("adjusted_impact_ratio_ci", row.adjusted_ratio_interval),
        "adjusted_odds_ratio": row.adjusted_odds_ratio,
        **_ends("adjusted_odds_ratio_ci", row.adjusted_odds_interval),
        "strata_used": row.strata_used,
        **_logarithms(row.p_value, row.adjusted_p),
    }


def _score(row: ScoreRow) -> Json:
    return {
        "n": row.n,
        "share": row.share,
        "scoring": row.scoring,
        "scoring_rate": row.rate,
        **_compared_rate(row),
        "mean": row.mean,
        "median": row.median,
        "mean_difference": row.mean_difference,
        "median_difference": row.median_difference,
        "standardized_mean_difference": row.standardized_mean_difference,
        "probability_of_superiority": row.probability_of_superiority,
        "cliffs_delta": row.cliffs_delta,
        "ks_distance": row.ks_distance,
        **_logarithms(row.p_value, row.adjusted_p),
    }


def _compared_rate(row: OutcomeGroup | ScoreRow) -> Json:
    return {
        **_ends("ci", row.rate_interval),
        "ratio": row.ratio,
        **_ends("ratio_ci", row.ratio_interval),
        "difference": row.difference,
        **_ends("difference_ci", row.difference_interval),
        **_p_values(row.p_value, row.adjusted_p),
        "p_all_pairs": row.p_all_pairs,
        "significant": row.significant,
        "four_fifths_flag": row.four_fifths_flag,
        "sufficient": row.sufficient,
        "failing": row.failing,
        "is_reference": row.is_reference,
    }


def _metric(row: MetricRow) -> Json:
    document = {
        "n": row.n,
        "share": row.share,
        "support": row.support,
        "value": row.value,
        **_ends("ci", row.interval),
        "ratio": row.ratio,
        **_ends("ratio_ci", row.ratio_interval),
        "difference": row.difference,
        **_ends("difference_ci", row.difference_interval),
        "gap": row.gap,
        "worse": row.worse,
        **_p_values(row.p_value, row.adjusted_p),
        "significant": row.significant,
        "sufficient": row.sufficient,
        "failing": row.failing,
        "is_reference": row.is_reference,
        **_logarithms(row.p_value, row.adjusted_p),
    }
    if row.delong_interval is not None:
        document |= _ends("delong_ci", row.delong_interval)
    return document


def _p_values(p_value: PValue | None, adjusted: PValue | None) -> Json:
    return {"p_value": p_value.p if p_value else None, "adjusted_p": adjusted.p if adjusted else None}


def _ends(name: str, span: Span | None) -> Json:
    return {f"{name}_low": span.low if span else None, f"{name}_high": span.high if span else None}


def _logarithms(p_value: PValue | None, adjusted: PValue | None) -> Json:
    """Return the decimal logarithms where a p-value is too small for a number."""
    found = {}
    if p_value and p_value.p is None:
        found["log10_p"] = p_value.log10
    if adjusted and adjusted.p is None:
        found["adjusted_log10_p"] = adjusted.log10
    return found
