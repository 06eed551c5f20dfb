"""``fairreport verify``: a packet held against its own evidence."""

from __future__ import annotations

import argparse
import json

from fairreport.cli.main import emit
from fairreport.cli.progress import progress


def verify(arguments: argparse.Namespace) -> int:
    """Print what agrees and what differs, and return the exit code."""
    from fairreport.report.verify import verify as verified
    from fairreport.report.verify_drawing import verification_text

    with progress():
        found = verified(arguments.packet, data=arguments.data, table=arguments.table)
    if arguments.json:
        emit(json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    else:
        emit(verification_text(found))
    return found.exit_code
