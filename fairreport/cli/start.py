"""``fairreport init``: a first audit.yaml for a file, or for a table of a database."""

from __future__ import annotations

import argparse

from fairreport.audit.readers.starter import starter
from fairreport.cli.data_options import files_of
from fairreport.cli.main import emit, say
from fairreport.cli.outputs import no_place
from fairreport.cli.run import refuse_absent
from fairreport.errors import DataError
from fairreport.tables.places import place_of
from fairreport.writing import write_whole


def start(arguments: argparse.Namespace) -> int:
    """Write a commented audit.yaml; what could not be guessed is said."""
    place = place_of(arguments.data, arguments.table)
    for file in files_of(place):
        refuse_absent(file)
    out = arguments.out
    try:
        taken = out.exists()
    except OSError as error:
        raise DataError(no_place(out, error)) from None
    if taken and not arguments.force:
        raise DataError(f"{str(out)!r} exists already; give --out another name, or --force to overwrite it")
    found = starter(place, out.parent)
    write_whole(out, found.text)
    for doubt in found.doubts:
        say(doubt)
    emit(f"{out}\n")
    say(f"every line of it is a guess: read it, correct it, then run  fairreport run {out}")
    return 0
