"""What a run would ask of the table, before it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fairreport.display import Displayable
from fairreport.tables.build import AnyNeeds
from fairreport.tables.needs import Reading
from fairreport.tables.plan import Step, plan_of
from fairreport.tables.source import Table


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Displayable):
    """What a run would ask of the table; `print` shows it, and so does a notebook.

    Attributes
    ----------
    origin, engine : str
        What would be audited, and which engine holds its rows.
    is_remote : bool
        Whether the rows stay in an engine of their own; else they are counted here.
    tests : tuple of str
        Names of the tests.
    steps : tuple of Step
        What is asked, in its order.
    """

    origin: str
    engine: str
    is_remote: bool
    tests: tuple[str, ...]
    steps: tuple[Step, ...]
    display_kind: ClassVar[str] = "plan"


def plan_audit(table: Table, names: Sequence[str], needs: Sequence[AnyNeeds], reading: Reading) -> Plan:
    """Return the plan of tests, by their names, with what each needs of the table."""
    return Plan(
        origin=table.origin,
        engine=table.engine,
        is_remote=table.elsewhere is not None,
        tests=tuple(names),
        steps=plan_of(table, needs, reading),
    )
