"""What a test of named pairs is judged from: its tally, what is wrong with the columns, or the rows themselves."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.errors import ConfigError, DataError, Fault
from fairreport.tables.needs import Reading
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.source import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScan:
    """The tally of named pairs, or everything that is wrong with their columns."""

    tally: PairTally | MeanTally | None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowNeeds:
    """What a test by a function of the user's own needs: whole columns."""

    columns: tuple[str, ...]
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowScan:
    """The rows themselves, for a function of the user's own; no tally stands for them."""

    table: Table
    reading: Reading
    tally: None = None


def scan_pairs(table: Table, need: PairNeeds, reading: Reading) -> PairScan:
    """Return the scan of a test of named pairs."""
    from fairreport.tables.pair_means import gather_means  # noqa: PLC0415 - only who compares pairs waits for it
    from fairreport.tables.pairs import gather_pairs  # noqa: PLC0415 - the same

    gather = gather_means if need.kind is OutcomeKind.NUMBER else gather_pairs
    try:
        return PairScan(tally=gather(table, need, reading))
    except ConfigError as error:
        return PairScan(tally=None, faults=error.errors)
    except DataError as error:
        return PairScan(tally=None, faults=(Fault(code="not_readable", message=str(error)),))
