"""What stands beside every adverse impact ratio, for information."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from fairreport.analyses.comparison import spans
from fairreport.analyses.pair_draft import DuelTest, columns, each, null_reasons
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import Beside
from fairreport.analyses.pair_sides import Duel, is_beyond
from fairreport.analyses.result import PValue, Span
from fairreport.stats.contrast import is_ratio_below, newcombe_difference
from fairreport.stats.fisher import Alternative, fisher_exact
from fairreport.stats.mid_p import mid_p
from fairreport.stats.shortfall import FOUR_FIFTHS, one_person_flips, shortfall_to
from fairreport.stats.significance import pooled_z
from fairreport.tables.pair_tally import Amount

if TYPE_CHECKING:
    from fairreport.analyses.pair_ratio import RatioRules

_EXACT_FIELDS = (
    "fisher_two_sided",
    "fisher_directional",
    "mid_p_two_sided",
    "mid_p_directional",
    "difference_ci_low",
    "difference_ci_high",
    "shortfall_to_four_fifths",
    "shortfall_to_parity",
    "one_person_flip",
)
BESIDE_FIELDS = ("four_fifths_flag", "z", "air_missing_low", "air_missing_high", *_EXACT_FIELDS)

Place = tuple[int, int]
Found = tuple[Beside, dict[str, str]]


def beside_rows(
    duels: Mapping[Place, Duel],
    tested: Mapping[Place, DuelTest | None],
    missing: Mapping[Place, Amount],
    rules: RatioRules,
) -> dict[Place, Found]:
    """Return what stands beside each pair, and why some of it is null.

    Parameters
    ----------
    duels : mapping of place to Duel
        All pairs of all tables.
    tested : mapping of place to DuelTest or None
        Their tests, None where a side is empty.
    missing : mapping of place to number
        Weight of the rows without a membership in the pair's category.
    rules : RatioRules
        The parameters.
    """
    found: dict[Place, Found] = {}
    exact = [place for place, duel in duels.items() if tested[place] is not None and duel.linearised is None]
    figures = _exact_figures([duels[place] for place in exact], rules.confidence_level) if exact else []
    by_place = dict(zip(exact, figures, strict=True))
    for place, duel in duels.items():
        test = tested[place]
        if test is None:
            found[place] = Beside(), {}
            continue
        low, high = _missing_bounds(duel, missing[place])
        reasons = {} if low is not None else null_reasons(("air_missing_low", "air_missing_high"), _ZERO)
        if place in by_place:
            beside = _beside(duel, by_place[place], low, high)
        else:
            beside = Beside(four_fifths_flag=_is_flagged(duel), z=test.z, air_missing_low=low, air_missing_high=high)
            reasons |= null_reasons(_EXACT_FIELDS, str(duel.linearised))
        if beside.z is None:
            reasons["z"] = Reason.ZERO_VARIANCE.value
        found[place] = beside, reasons
    return found


_ZERO = Reason.REFERENCE_RATE_ZERO

_Figures = tuple[PValue, PValue, PValue, PValue, float, Span]


def _exact_figures(duels: list[Duel], level: float) -> list[_Figures]:
    counts = columns(duels)
    return list(
        zip(
            each(fisher_exact(*counts)),
            each(fisher_exact(*counts, alternative=Alternative.LESS)),
            each(mid_p(*counts)),
            each(mid_p(*counts, alternative=Alternative.LESS)),
            pooled_z(*counts).z.tolist(),
            spans(newcombe_difference(*counts, level=level)),
            strict=True,
        )
    )


def _beside(duel: Duel, figures: _Figures, low: float | None, high: float | None) -> Beside:
    two_sided, directional, mid_two_sided, mid_directional, z, gap = figures
    a, n, b, m = duel.counts
    varies = 0 < a + b < n + m
    return Beside(
        four_fifths_flag=is_ratio_below(a, n, b, m, FOUR_FIFTHS),
        fisher_two_sided=two_sided,
        fisher_directional=directional,
        mid_p_two_sided=mid_two_sided,
        mid_p_directional=mid_directional,
        z=z if varies else None,
        # The interval is of reference minus group: the other way round.
        difference_interval=Span(
            low=None if gap.high is None else -gap.high, high=None if gap.low is None else -gap.low
        ),
        shortfall_to_four_fifths=shortfall_to(FOUR_FIFTHS, a, n, b, m),
        shortfall_to_parity=shortfall_to(Fraction(1), a, n, b, m),
        one_person_flip=one_person_flips(a, n, b, m),
        air_missing_low=low,
        air_missing_high=high,
    )


def _is_flagged(duel: Duel) -> bool:
    ratio = duel.ratio()
    return ratio is not None and is_beyond(ratio, 0.8, above=False)


def _missing_bounds(duel: Duel, missing: Amount) -> tuple[float | None, float | None]:
    """Return the ratio with all missing rows in the group, unfavorable and favorable, the reference fixed."""
    a, n, b, m = duel.protected.hits, duel.protected.total + missing, duel.reference.hits, duel.reference.total
    if not b:
        return None, None
    return a * m / (n * b), (a + missing) * m / (n * b)
