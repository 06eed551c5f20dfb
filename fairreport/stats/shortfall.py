"""How many more favourable outcomes a group lacks, decided on whole numbers."""

from __future__ import annotations

from fractions import Fraction

from fairreport.stats.contrast import is_ratio_below

FOUR_FIFTHS = Fraction(4, 5)


def shortfall_to(share: Fraction, a: int, n: int, b: int, m: int) -> int:
    """Return how many further favourable outcomes lift a group's rate to a share of the reference's.

    The reference stays as it is.

    Parameters
    ----------
    share : Fraction
        Wanted ratio: 4/5 for four-fifths, 1 for parity.
    a, n : int
        Favourable outcomes and total of the group, n > 0.
    b, m : int
        Favourable outcomes and total of the reference, m > 0.

    Returns
    -------
    int
        The smallest whole s >= 0 with (a + s) / n >= share * b / m.

    References
    ----------
    Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4 D.

    Examples
    --------
    >>> shortfall_to(FOUR_FIFTHS, 62, 240, 149, 322), shortfall_to(Fraction(1), 62, 240, 149, 322)
    (27, 50)
    """
    top, bottom = share.numerator * b * n - share.denominator * a * m, share.denominator * m
    return max(-(-top // bottom), 0)


def one_person_flips(a: int, n: int, b: int, m: int) -> bool:
    """Return whether one favourable outcome moved between group and reference changes the side of four-fifths.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.

    Returns
    -------
    bool
        Moves that the totals do not allow are not made.

    References
    ----------
    Questions and Answers on the Uniform Guidelines, 44 FR 11996 (1979), question 21.

    Examples
    --------
    >>> one_person_flips(11, 53, 8, 31), one_person_flips(62, 240, 149, 322)
    (True, False)
    """
    here = is_ratio_below(a, n, b, m, FOUR_FIFTHS)
    return any(
        is_ratio_below(a + step, n, b - step, m, FOUR_FIFTHS) != here
        for step in (1, -1)
        if 0 <= a + step <= n and 0 <= b - step <= m
    )
