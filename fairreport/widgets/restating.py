"""From a test of any kind to its settings, and back to the test that changed settings make."""

from __future__ import annotations

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest
from fairreport.analyses.pair_parameters import PairTest
from fairreport.errors import ConfigError, Fault
from fairreport.widgets.gap_settings import GapSettings, restate_gaps
from fairreport.widgets.pair_settings import PairSettings, restate_pairs
from fairreport.widgets.settings import Settings, restate

AnySettings = Settings | GapSettings | PairSettings
"""The settings of one test, of any kind."""

_WITHOUT_SUBJECT = ("must ", "is ", "takes ", "needs ", "leaves ", "names ")


def settings_of(test: AnyTest) -> AnySettings:
    """Return the settings that a test states."""
    if isinstance(test, RateGaps):
        return GapSettings.of(test)
    return PairSettings.of(test) if isinstance(test, PairTest) else Settings.of(test)


def restate_any(test: AnyTest, settings: AnySettings) -> AnyTest:
    """Return a test under other settings of its kind.

    Raises
    ------
    ConfigError
        If the settings do not stand together.
    TypeError
        If they are of another kind.
    """
    match test, settings:
        case RateGaps(), GapSettings():
            return restate_gaps(test, settings)
        case PairTest(), PairSettings():
            return restate_pairs(test, settings)
        case _, Settings() if not isinstance(test, (RateGaps, PairTest)):
            return restate(test, settings)
    raise TypeError(f"{type(settings).__name__} are no settings of a {type(test).__name__}")


def told(error: ConfigError) -> str:
    """Return the faults of an error in one line; those that say nothing of their parameter begin with it."""
    return "; ".join(map(_told, error.errors))


def _told(fault: Fault) -> str:
    if fault.path and fault.message.startswith(_WITHOUT_SUBJECT):
        return f"{fault.path} {fault.message}"
    return fault.message
