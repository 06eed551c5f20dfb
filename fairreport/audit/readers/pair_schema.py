"""The JSON Schema of a test of named pairs in a result."""

from __future__ import annotations

from collections.abc import Mapping

from fairreport.analyses.pair_parameters import PAIR_MEASUREMENTS, PairTest
from fairreport.analyses.pair_result import RowTest
from fairreport.analyses.pair_tests import (
    PAIR_TESTS,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    OddsRatio,
    RelativeRate,
)
from fairreport.audit.pair_rows import logarithm_of
from fairreport.audit.readers.schema_parts import (
    COUNT,
    COUNT_OR_NULL,
    FLAG,
    NUMBER,
    NUMBER_OR_NULL,
    RATIO_OR_NULL,
    SHARE,
    SHARE_OR_NULL,
    STATED,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Schema,
    array,
    evidence,
    object_of,
    or_null,
    told,
)
from fairreport.tables.pair_needs import WeightKind
from fairreport.tables.pair_tally import MeanTally, PairTally

_FLAG_OR_NULL: Schema = {"type": ["boolean", "null"]}
_AMOUNT: Schema = {"type": "number", "minimum": 0}
_REASONS = told({"type": "object", "additionalProperties": TEXT}, "Why a field is null.")
_TEST: Schema = {"enum": [*(test.value for test in RowTest), None]}


def pair_entries() -> dict[str, Schema]:
    """Return the schema of the entry of every test of named pairs, by name."""
    return {f"{kind.analysis}_entry": _entry(kind) for kind in PAIR_TESTS}


def _entry(kind: type[PairTest]) -> Schema:
    rows = array({"$ref": f"#/$defs/{_row_name(kind)}"})
    tables = {
        "groups": rows,
        "quantiles": array(object_of({"quantile": NUMBER, "cutoff": NUMBER_OR_NULL, "groups": rows})),
        "categories": array(object_of({"category": TEXT, "groups": rows})),
        "rows_missing_segment": COUNT,
        "pooled": array({"$ref": "#/$defs/pooled_row"}),
        "segments": array(object_of({"segment": TEXT, "groups": rows})),
    }
    tally = MeanTally if issubclass(kind, MeanDifferenceTest) else PairTally
    return object_of(
        {
            "name": TEXT,
            "analysis": {"const": kind.analysis},
            "subtype": {"const": kind.subtype},
            "description": TEXT_OR_NULL,
            "status": {"enum": ["ok", "skipped"]},
            "skip_code": TEXT_OR_NULL,
            "skip_reason": TEXT_OR_NULL,
            "test_status": {"$ref": "#/$defs/status"},
            "measurements": {
                "type": "object",
                "description": "By name; empty where the test was skipped.",
                "additionalProperties": False,
                "properties": dict.fromkeys(PAIR_MEASUREMENTS, NUMBER_OR_NULL),
            },
            "thresholds": array({"$ref": "#/$defs/threshold"}),
            "default_threshold": told(FLAG, "Whether none was stated, so that the test's own applies."),
            "threshold_source": TEXT_OR_NULL,
            "rationale": TEXT_OR_NULL,
            **STATED,
            "notes": array(object_of({"code": TEXT, "text": TEXT})),
            "evidence": {"type": "null"} if kind is CustomDisparityMetric else or_null(evidence(tally)),
        },
        {
            "rows_total": COUNT,
            "rows_missing_weight": COUNT,
            "weights": {"enum": [item.value for item in WeightKind]},
            **tables,
        },
    )


def pair_rows() -> dict[str, Schema]:
    """Return the schemas of the rows, by the names under which entries refer to them."""
    return {
        "air_row": _row({**_ratio("favorable", "air")}, {**_LABELS, "shortfall": NUMBER_OR_NULL, "beside": _beside()}),
        "relative_rate_row": _row(_ratio("unfavorable", "relative_rate"), _LABELS),
        "odds_row": _row(
            {
                "total": _AMOUNT,
                "positive": NUMBER_OR_NULL,
                "positive_rate": SHARE_OR_NULL,
                "odds": RATIO_OR_NULL,
                "rate_difference": NUMBER_OR_NULL,
                "odds_ratio": RATIO_OR_NULL,
                "odds_ratio_conditional": RATIO_OR_NULL,
                **_ends("odds_ratio"),
                "interval_test_disagree": _FLAG_OR_NULL,
            }
        ),
        "mean_row": _row({"total": _AMOUNT, **dict.fromkeys(("mean", "mean_difference", "sd", "smd"), NUMBER_OR_NULL)}),
        "confusion_row": _row(
            {
                "denominator": NUMBER_OR_NULL,
                "numerator": NUMBER_OR_NULL,
                "rate": SHARE_OR_NULL,
                "rate_difference": NUMBER_OR_NULL,
                "ratio": RATIO_OR_NULL,
            }
        ),
        "metric_row": _row(
            {
                "total": _AMOUNT,
                "value": NUMBER_OR_NULL,
                **_ends("value"),
                "difference": NUMBER_OR_NULL,
                **_ends("difference"),
                "ratio": NUMBER_OR_NULL,
                **_ends("ratio"),
                "undefined_draws": COUNT,
            }
        ),
        "pooled_row": _pooled(),
    }


def _row_name(kind: type[PairTest]) -> str:
    for base, name in (
        (RelativeRate, "relative_rate_row"),
        (OddsRatio, "odds_row"),
        (MeanDifferenceTest, "mean_row"),
        (ConfusionRateTest, "confusion_row"),
        (CustomDisparityMetric, "metric_row"),
    ):
        if issubclass(kind, base):
            return name
    return "air_row"


_LABELS: dict[str, Schema] = {"total_label": NUMBER_OR_NULL, "average_label": NUMBER_OR_NULL}
_LOGARITHM = told(NUMBER, "Decimal logarithm of a p-value below 1e-300, where the p-value is null.")


def _logarithms(*names: str) -> dict[str, Schema]:
    return {logarithm_of(name): _LOGARITHM for name in names}


def _ends(name: str, kind: Schema = NUMBER_OR_NULL) -> dict[str, Schema]:
    return {f"{name}_ci_low": kind, f"{name}_ci_high": kind}


def _ratio(counted: str, ratio: str) -> dict[str, Schema]:
    return {
        "total": told(_AMOUNT, "Sum of membership x weight."),
        counted: NUMBER_OR_NULL,
        f"{counted}_rate": SHARE_OR_NULL,
        **_ends("rate", SHARE_OR_NULL),
        "rate_difference": NUMBER_OR_NULL,
        ratio: RATIO_OR_NULL,
        **_ends(ratio, RATIO_OR_NULL),
    }


def _row(own: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of a row: what every row has, and what its kind adds."""
    return object_of(
        {
            "group": TEXT,
            "reference_group": TEXT_OR_NULL,
            "group_category": TEXT,
            "is_reference": FLAG,
            "observations": COUNT,
            "percent_missing": SHARE,
            "n_eff": _AMOUNT,
            **own,
            "test": _TEST,
            "p_value": SHARE_OR_NULL,
            "adjusted_p": SHARE_OR_NULL,
            "practically_significant": _FLAG_OR_NULL,
            "reasons": _REASONS,
        },
        {**_logarithms("p_value", "adjusted_p"), **(optional or {})},
    )


def _beside() -> Schema:
    values = ("fisher_two_sided", "fisher_directional", "mid_p_two_sided", "mid_p_directional")
    return object_of(
        {
            "four_fifths_flag": _FLAG_OR_NULL,
            **dict.fromkeys(values, SHARE_OR_NULL),
            "z": told(NUMBER_OR_NULL, "Group minus reference, in standard deviations."),
            **_ends("difference"),
            "shortfall_to_four_fifths": COUNT_OR_NULL,
            "shortfall_to_parity": COUNT_OR_NULL,
            "one_person_flip": _FLAG_OR_NULL,
            "air_missing_low": RATIO_OR_NULL,
            "air_missing_high": RATIO_OR_NULL,
        },
        _logarithms(*values),
    )


def _pooled() -> Schema:
    p_values = ("p_value", "adjusted_p", "cmh_corrected_p", "ratio_q_p", "breslow_day_tarone_p")
    return object_of(
        {
            "group": TEXT,
            "reference_group": TEXT,
            "group_category": TEXT,
            **dict.fromkeys(("segments_used", "segments_dropped", "segments_uninformative"), TEXTS),
            "air": RATIO_OR_NULL,
            **_ends("air", RATIO_OR_NULL),
            "rate_difference": NUMBER_OR_NULL,
            "test": _TEST,
            **dict.fromkeys(p_values, SHARE_OR_NULL),
            "practically_significant": _FLAG_OR_NULL,
            "z": NUMBER_OR_NULL,
            **dict.fromkeys(("cmh_statistic", "cmh_corrected_statistic", "ratio_q"), NUMBER_OR_NULL),
            "ratio_q_df": COUNT_OR_NULL,
            "odds_ratio": RATIO_OR_NULL,
            **_ends("odds_ratio", RATIO_OR_NULL),
            "breslow_day_tarone_statistic": NUMBER_OR_NULL,
            "breslow_day_tarone_df": COUNT_OR_NULL,
            "crude_air": RATIO_OR_NULL,
            "direction_reverses": _FLAG_OR_NULL,
            "reasons": _REASONS,
        },
        _logarithms(*p_values),
    )
