"""``fairreport compare``: what changed between two packets, as text, JSON, HTML or PDF."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fairreport.cli.main import emit, say
from fairreport.cli.outputs import Outputs, check_outputs
from fairreport.writing import write_whole

if TYPE_CHECKING:
    from fairreport.report.compare_record import Comparison

GRAVER = 1


def compare(arguments: argparse.Namespace) -> int:
    """Print or write what changed, and return 0; with ``--exit-code`` 1 where a status got worse."""
    from fairreport.report.compare import compare as compared
    from fairreport.report.compare_drawing import comparison_text

    outputs = Outputs(html=arguments.html, pdf=arguments.pdf)
    check_outputs(outputs, inputs=[arguments.old, arguments.new])
    found = compared(arguments.old, arguments.new)
    if outputs:
        for place in _written(found, outputs):
            say(f"wrote {place}")
    if arguments.json:
        emit(json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    elif not outputs:
        emit(comparison_text(found))
    return GRAVER if arguments.exit_code and found.got_worse else 0


def _written(found: Comparison, outputs: Outputs) -> Iterator[Path]:
    """Write the documents that were asked for, and yield where each went."""
    from fairreport.report.compare_page import comparison_html, comparison_pdf

    if outputs.html:
        yield write_whole(outputs.html, comparison_html(found))
    if outputs.pdf:
        yield write_whole(outputs.pdf, comparison_pdf(found))
