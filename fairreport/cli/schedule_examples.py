"""``fairreport schedule examples``: files to start from, which run where they are saved."""

from __future__ import annotations

import argparse
import json
from pathlib import Path, PurePosixPath

from fairreport.cli.main import emit
from fairreport.cli.schedule_options import EXAMPLES, NOTEBOOK
from fairreport.errors import DataError
from fairreport.resources import resource_dir, scheduled_notebook
from fairreport.writing import write_whole

CONFIG = "audit.yaml"
_STATED = "../data/weekly_decisions.csv.gz"
"""How the configuration names its data, in the folder of the package."""


def examples(arguments: argparse.Namespace) -> int:
    """List the examples, print one, or write them into a folder."""
    if arguments.out is not None:
        _write(arguments.out, [*EXAMPLES, NOTEBOOK] if arguments.name is None else [arguments.name])
    elif arguments.name is None:
        whole = {**EXAMPLES, NOTEBOOK: "the notebook for papermill"}
        emit("".join(f"{name.ljust(20)}{what}\n" for name, what in whole.items()))
    else:
        emit(_text(arguments.name, str(_data())))
    return 0


def _write(folder: Path, names: list[str]) -> None:
    files: dict[str, str | bytes] = {}
    for name in names:
        files[scheduled_notebook().name if name == NOTEBOOK else name] = _text(name, _data().name)
        if name == CONFIG:
            files[_data().name] = _data().read_bytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = [str(folder / name) for name in files if (folder / name).exists()]
    except OSError as error:
        raise DataError(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None
    if taken:
        raise DataError(f"{taken[0]!r} exists already; give --out another folder")
    for name, content in files.items():
        emit(f"{write_whole(folder / name, content)}\n")


def _text(name: str, data: str) -> str:
    """Return an example; a configuration names its data where that lies, seen from where it is saved."""
    if name == NOTEBOOK:
        return scheduled_notebook().read_text(encoding="utf-8")
    text = (resource_dir("assets") / "schedule" / name).read_text(encoding="utf-8")
    return text.replace(_STATED, json.dumps(data, ensure_ascii=False)) if name == CONFIG else text


def _data() -> Path:
    return Path(str(resource_dir("assets") / "data" / PurePosixPath(_STATED).name))
