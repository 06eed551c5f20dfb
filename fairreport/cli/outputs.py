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
    if outputs.csv is not None and outputs.csv.exists() and not outputs.csv.is_dir():
        message = f"wants a folder; {str(outputs.csv)!r} is a file"
        faults.append(Fault(code="bad_output", message=message, path="--csv"))
    if faults:
        raise ConfigError(faults)


def _place(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links; opening it says so
        return path.absolute()


def _fault_of_file(path: Path) -> str | None:
    if path.is_dir():
        return f"{str(path)!r} is a folder; wants the name of a file"
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r}"
    return None
