"""What the user states about an audit; nothing here is guessed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from fairreport.analyses.parameters import fault, faults
from fairreport.errors import ConfigError


class Origin(StrEnum):
    """Where the audited decisions come from."""

    PRODUCTION = "PRODUCTION"
    TEST = "TEST"
    SYNTHETIC = "SYNTHETIC"
    NOT_STATED = "NOT STATED"


class DocumentStatus(StrEnum):
    """Whether a document is still being worked on."""

    DRAFT = "draft"
    FINAL = "final"


def _origin(value: Any) -> Origin:
    text = str(value).strip().upper().replace("_", " ") or Origin.NOT_STATED
    if text not in [member.value for member in Origin]:
        raise fault("bad_enum", f"must be one of production, test, synthetic; got {value!r}")
    return Origin(text)


def _status(value: Any) -> DocumentStatus:
    text = str(value).strip().lower()
    if text not in [member.value for member in DocumentStatus]:
        raise fault("bad_enum", f"must be one of draft, final; got {value!r}")
    return DocumentStatus(text)


def _line(value: Any) -> str | None:
    if isinstance(value, (dict, list, tuple, bool)):
        raise fault("bad_type", f"must be text, got {value!r}")
    return str(value).strip() or None


def _lines(value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise fault("bad_type", f"must be a list of texts, got {value!r}")
    return tuple(items)


Line = Annotated[str | None, BeforeValidator(_line, json_schema_input_type=str)]


class About(BaseModel):
    """What was audited, for whom, over which period; whatever is absent prints as "not stated".

    Raises
    ------
    ConfigError
        If a field is unknown or of the wrong kind.

    Examples
    --------
    >>> About(system="resume screen 3.1", decision="shortlist", origin="test").origin.value
    'TEST'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: Line = Field(default=None, description="What was audited, with its version.")
    decision: Line = Field(default=None, description="The decision that people receive.")
    period: Line = Field(default=None, description="The window that the data covers.")
    prepared_by: Line = Field(default=None, description="Who made the audit.")
    prepared_for: Line = Field(default=None, description="For whom it was made.")
    issued: Line = Field(default=None, description="Date of issue.")
    valid_until: Line = Field(default=None, description="Date until which it is meant to be used.")
    status: Annotated[DocumentStatus, BeforeValidator(_status, json_schema_input_type=DocumentStatus)] = Field(
        default=DocumentStatus.DRAFT, description="draft or final."
    )
    origin: Annotated[Origin, BeforeValidator(_origin, json_schema_input_type=str)] = Field(
        default=Origin.NOT_STATED, description="production, test or synthetic; never guessed."
    )
    notes: Annotated[tuple[str, ...], BeforeValidator(_lines, json_schema_input_type=list[str])] = Field(
        default=(), description="Anything else that a reader should know."
    )

    def __init__(self, /, **data: Any) -> None:
        given = {key: value for key, value in data.items() if value is not None}
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise ConfigError(faults(error, type(self).model_fields)) from None
