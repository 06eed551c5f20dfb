"""``fairreport demo``: the packet of the real data that comes with the package."""

from __future__ import annotations

import argparse
from pathlib import Path

from fairreport.audit.audit import Audit
from fairreport.cli.main import emit, say
from fairreport.cli.outputs import Outputs
from fairreport.cli.progress import progress
from fairreport.cli.run import write_outputs
from fairreport.errors import DataError, PdfUnavailableError
from fairreport.report.packet_settings import PacketSettings
from fairreport.resources import resource_dir


def demo(arguments: argparse.Namespace) -> int:
    """Write the demo packet and return 0 where its HTML was written."""
    folder = arguments.out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None
    config = Path(str(resource_dir("assets") / "data" / "demo.yaml"))
    say("auditing 64,000 rankings of resumes by two language models (a few seconds)")
    with progress():
        result = Audit.from_config(config).run()
    outputs = Outputs(html=folder / "packet.html", pdf=folder / "packet.pdf", json=str(folder / "results.json"))
    written: list[str] = []
    try:
        written.extend(write_outputs(result, outputs, PacketSettings()))
    except PdfUnavailableError as error:
        say(f"no PDF was written: {error}")
    places = "".join(f"  {Path(place).resolve()}\n" for place in sorted(written))
    emit(f"{result!r}\n\nThe packet, and its numbers as JSON:\n{places}")
    return 0
