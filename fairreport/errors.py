"""Every exception that fairreport raises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


class FairreportError(Exception):
    """Base class: catch this to catch them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with a configuration.

    Attributes
    ----------
    code : str
        Machine-readable code, for example ``"out_of_range"``.
    message : str
        What was found and what was wanted, in one line.
    path : str
        Dotted path of the setting, ``""`` for the whole.
    line : int or None
        Line in the configuration file, counted from 1, where there is a file.
    """

    code: str
    message: str
    path: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        where = f" (line {self.line})" if self.line else ""
        return f"{place}{self.message}{where}"


class ConfigError(FairreportError, ValueError):
    """A parameter or a configuration file is wrong; no data was read.

    Attributes
    ----------
    errors : tuple of Fault
        All faults that were found.
    code : str
        The code of the first of them.
    """

    def __init__(self, errors: Sequence[Fault] | Fault, *, source: str | None = None) -> None:
        self.errors: tuple[Fault, ...] = (errors,) if isinstance(errors, Fault) else tuple(errors)
        self.source = source
        text = "; ".join(str(fault) for fault in self.errors)
        super().__init__(f"{source}: {text}" if source else text)

    @property
    def code(self) -> str:
        """The code of the first fault."""
        return self.errors[0].code


class DataError(FairreportError, ValueError):
    """A table cannot be read as the audit needs it."""


class RefusedDataError(DataError):
    """A table cannot be judged at all; `errors` holds everything that is wrong with it.

    Attributes
    ----------
    errors : tuple of Fault
        All faults that were found.
    source : str
        What was opened.
    """

    def __init__(self, errors: Sequence[Fault], *, source: str) -> None:
        self.errors = tuple(errors)
        self.source = source
        super().__init__(f"{source}: {'; '.join(str(fault) for fault in self.errors)}")


class PdfUnavailableError(FairreportError, RuntimeError):
    """PDF cannot be written on this machine; the message says what to install."""


class ExtraMissingError(FairreportError, ImportError):
    """What was asked for needs a package that is not installed; the message says which extra brings it."""


class ResourceMissingError(FairreportError, FileNotFoundError):
    """The installed package lacks its templates or assets."""


def nearest_name(name: str, known: Iterable[str], *, fold: bool = False) -> str | None:
    """Return the known name that is nearest to what was typed, if one is near; see `nearest`.

    Examples
    --------
    >>> nearest_name("rac", ["race", "sex"])
    'race'
    """
    names = {str(k).casefold() if fold else str(k): str(k) for k in known}
    typed = name.casefold() if fold else name
    near = [key for key in names if sorted(key) == sorted(typed)] or get_close_matches(typed, list(names), n=1)
    return names[near[0]] if near else None


def nearest(name: str, known: Iterable[str], *, fold: bool = False) -> str:
    """Return a hint such as `` Did you mean 'race'?``, or an empty text.

    Parameters
    ----------
    name : str
        What was typed.
    known : iterable of str
        What there is.
    fold : bool
        Whether letter case is passed over.

    Examples
    --------
    >>> nearest("rac", ["race", "sex"])
    " Did you mean 'race'?"
    >>> nearest("=>", [">", ">=", "<="])
    " Did you mean '>='?"
    """
    near = nearest_name(name, known, fold=fold)
    return "" if near is None else f" Did you mean {near!r}?"
