"""The text of a configuration file, small and UTF-8."""

from __future__ import annotations

from pathlib import Path

from fairreport.audit.readers.yaml_text import LARGEST_FILE
from fairreport.errors import ConfigError, DataError, Fault


def read_text(path: Path) -> str:
    """Return the text of a configuration file.

    Raises
    ------
    ConfigError
        If the file is larger than 1 MB.
    DataError
        If it cannot be read, or is no UTF-8 text.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigError(Fault(code="too_large", message="the file is larger than 1 MB"), source=path.name)
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path.name!r} is not UTF-8 text") from None
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
