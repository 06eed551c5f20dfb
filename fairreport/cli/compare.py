"""``fairreport compare``: what changed between two packets."""

from __future__ import annotations

import argparse
import json

from fairreport.cli.main import emit

GRAVER = 1


def compare(arguments: argparse.Namespace) -> int:
    """Print what changed, and return 0; with ``--exit-code`` 1 where a status got worse."""
    from fairreport.report.compare import compare as compared
    from fairreport.report.compare_drawing import comparison_text

    found = compared(arguments.old, arguments.new)
    if arguments.json:
        emit(json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    else:
        emit(comparison_text(found))
    return GRAVER if arguments.exit_code and found.got_worse else 0
