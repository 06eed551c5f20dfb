"""Where the results go, checked before any data is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fairreport.errors import ConfigError, Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What was asked for; `json` may be ``"-"``, standard output."""

    json: str | None = None
    html: Path | None = None
    pdf: Path | None = None
    csv: Path | None = None

    def __bool__(self) -> bool:
        return any((self.json, self.html, self.pdf, self.csv))

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the option and the path of each output that is a file."""
        if self.json is not None and self.json != "-":
            yield "--json", Path(self.json)
        if self.html is not None:
            yield "--html", self.html
        if self.pdf is not None:
            yield "--pdf", self.pdf


def check_outputs(outputs: Outputs, *, inputs: Iterable[Path]) -> None:
    """Raise where an output cannot be meant.

    Raises
    ------
    ConfigError
        If a folder is absent, two outputs share a file, or an output would overwrite an input.
    """
    faults = []
    taken: dict[Path, str] = {_place(path): "what is read" for path in inputs}
    for option, path in outputs.files():
        message = _fault_of_file(path)
        place = _place(path)
        if place in taken:
            message = f"{str(path)!r} is {taken[place]} already; give another name"
        taken[place] = option
        if option == "--pdf" and path.suffix.lower() != ".pdf":
            message = f"wants a name that ends in .pdf, got {str(path)!r}"
        if message:
            faults.append(Fault(code="bad_output", message=message, path=option))
    if outputs.csv is not None and (message := _fault_of_folder(outputs.csv)):
        faults.append(Fault(code="bad_output", message=message, path="--csv"))
    if faults:
        raise ConfigError(faults)


def _place(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links; opening it says so
        return path.absolute()


def _fault_of_file(path: Path) -> str | None:
    try:
        if path.is_dir():
            return f"{str(path)!r} is a folder; wants the name of a file"
        if not path.parent.is_dir():
            return f"there is no folder {str(path.parent)!r}"
    except (OSError, ValueError) as error:
        return no_place(path, error)
    return None


def _fault_of_folder(path: Path) -> str | None:
    try:
        return f"wants a folder; {str(path)!r} is a file" if path.exists() and not path.is_dir() else None
    except (OSError, ValueError) as error:
        return no_place(path, error)


def no_place(path: Path, error: Exception) -> str:
    """Say that a folder is closed, or that a name is too long."""
    name = str(path) if len(str(path)) < 500 else f"{str(path)[:60]}..."
    return f"cannot write {name!r}: {getattr(error, 'strerror', error)}"
