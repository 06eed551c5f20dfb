"""Why a test was not computed, where the data may be wrong in several ways at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.errors import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The code of the first thing that hinders a test, and all of them in words."""

    code: str
    reason: str

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Refusal:
        """Return the refusal of data that have these faults; there is at least one.

        Examples
        --------
        >>> Refusal.of([Fault(code="no_rows", message="there are no rows to judge")]).reason
        'there are no rows to judge'
        """
        return cls(code=faults[0].code, reason="; ".join(fault.message for fault in faults))
