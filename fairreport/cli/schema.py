"""``fairreport schema``: the JSON Schemas, for editors and for programs that read results."""

from __future__ import annotations

import argparse
import json

from fairreport.audit.readers.config_schema import config_schema
from fairreport.audit.readers.result_schema import result_schema
from fairreport.cli.main import emit


def schema(arguments: argparse.Namespace) -> int:
    """Print a JSON Schema."""
    document = config_schema() if arguments.which == "config" else result_schema()
    emit(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    return 0
