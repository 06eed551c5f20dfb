"""What an audit is called in a history, and what a record is found by."""

from __future__ import annotations

import re
from pathlib import Path

from fairreport.audit.audit import DEFAULT_TITLE
from fairreport.audit.audit_id import id_faults
from fairreport.audit.provenance import canonical_hash
from fairreport.errors import ConfigError

_LONGEST_SLUG = 80


def audit_id_of(*, stated: str | None = None, title: str = DEFAULT_TITLE, file: str | Path | None = None) -> str:
    """Return the id of an audit in a history.

    Parameters
    ----------
    stated : str, optional
        `audit.id` of the configuration; it wins.
    title : str
        The title of the audit; it counts where one was stated.
    file : path, optional
        The configuration file, whose name counts where nothing else tells audits apart.

    Raises
    ------
    ConfigError
        If the stated id is empty, too long, or holds control characters.

    Examples
    --------
    >>> audit_id_of(title="Resume screen, third quarter")
    'resume-screen-third-quarter'
    >>> audit_id_of(file="weekly/tests.json")
    'tests'
    """
    if stated is not None:
        return check_audit_id(stated)
    named = title if title != DEFAULT_TITLE or file is None else Path(file).stem
    return _slug(named) or _slug(DEFAULT_TITLE)


def check_audit_id(text: str) -> str:
    """Return a stated id without outer white space.

    Raises
    ------
    ConfigError
        If it is empty, too long, or holds control characters.
    """
    faults = id_faults(text)
    if faults:
        raise ConfigError(faults)
    return text.strip()


def record_id_of(audit_id: str, start: str | None, end: str | None, test: str) -> str:
    """Return the key of a record: a hash of audit, window and test."""
    return canonical_hash([audit_id, start, end, test])


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")[:_LONGEST_SLUG].strip("-")
