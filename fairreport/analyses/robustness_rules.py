"""How far rules on rate gaps hang on their bars: read again with others, from the same bounds."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.analyses.gap_parameters import GapRule, Rate
from fairreport.analyses.rate_gaps import RuleFinding, RuleState, read_again

GAP_FACTORS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""What the largest gap that a rule allows is multiplied by."""
GAP_STEPS = (0.01, 0.02, 0.05)
"""Gaps that are tried in the place of none at all."""
RATE_STEPS = (-0.10, -0.05, 0.0, 0.05, 0.10)
"""What is added to the floor or ceiling of a rate."""
_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVariant:
    """A rule with its bar moved, and what it reads."""

    bar: float
    is_stated: bool
    state: RuleState


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBars:
    """One rule under several bars.

    Attributes
    ----------
    id : str
        Its name.
    tried : tuple of RuleVariant
        In the order of their bars.
    within, beyond : float
        The bar from which on all bounds are within it, and that up to which some whole interval is beyond it: for a
        floor downwards, else upwards. Too few cases, and cases left out, can keep a rule from passing all the same.
    is_floor : bool
        Whether the bar is one that rates are to reach.
    """

    id: str
    tried: tuple[RuleVariant, ...]
    within: float
    beyond: float
    is_floor: bool

    @property
    def changing(self) -> tuple[RuleVariant, ...]:
        """The bars under which the rule reads something else than as stated."""
        stated = next(it.state for it in self.tried if it.is_stated)
        return tuple(it for it in self.tried if it.state is not stated)


def under_bars(found: RuleFinding) -> RuleBars:
    """Return what a rule reads with other bars.

    Parameters
    ----------
    found : RuleFinding
        The rule as stated, with the bounds of its groups and gaps.
    """
    rule = found.rule
    bars = bars_of(rule)
    states = read_again(found, [_with_bar(rule, bar) for bar in bars])
    tried = tuple(
        RuleVariant(bar=bar, is_stated=bar == rule.bar, state=state) for bar, state in zip(bars, states, strict=True)
    )
    within, beyond = _turning_points(found)
    return RuleBars(id=found.id, tried=tried, within=within, beyond=beyond, is_floor=_is_floor(rule))


def bars_of(rule: GapRule) -> tuple[float, ...]:
    """Return the bars that are tried, the stated one among them, in order.

    Examples
    --------
    >>> bars_of(GapRule(id="a", rate="error", attribute="sex", max_group_gap=0.1))
    (0.05, 0.075, 0.1, 0.15, 0.2)
    >>> bars_of(GapRule(id="a", rate="selection", attribute="sex", worst_group=0.95))
    (0.85, 0.9, 0.95, 1.0)
    """
    if rule.max_group_gap is None:
        moved = [rule.bar + step for step in RATE_STEPS]
    elif rule.bar:
        moved = [rule.bar * factor for factor in GAP_FACTORS]
    else:
        moved = list(GAP_STEPS)
    rounded = {round(bar, _DIGITS) for bar in moved} - {round(rule.bar, _DIGITS)}
    return tuple(sorted({rule.bar, *(bar for bar in rounded if 0 <= bar <= 1)}))


def _with_bar(rule: GapRule, bar: float) -> GapRule:
    return rule.model_copy(update={"worst_group" if rule.max_group_gap is None else "max_group_gap": bar})


def _is_floor(rule: GapRule) -> bool:
    return rule.max_group_gap is None and rule.rate is Rate.SELECTION


def _turning_points(found: RuleFinding) -> tuple[float, float]:
    """Return where all bounds are within a bar, and where some whole interval is beyond it."""
    if found.rule.max_group_gap is not None:
        return float(found.gaps.gap_upper.max()), float(found.gaps.gap_lower.max())
    lows, highs = [group.lower for group in found.groups], [group.upper for group in found.groups]
    return (min(lows), min(highs)) if _is_floor(found.rule) else (max(highs), max(lows))
