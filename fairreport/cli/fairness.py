"""``fairreport fairness``: the rate-gap rules of a `fairness.yaml`, answered."""

from __future__ import annotations

import argparse
import json

from fairreport.audit.fairness import REFUSED, answer_document, judge_fairness, refusal_document
from fairreport.cli.main import emit, say
from fairreport.cli.progress import progress
from fairreport.cli.run import refuse_absent
from fairreport.errors import ConfigError, DataError


def fairness(arguments: argparse.Namespace) -> int:
    """Answer the rules and return the exit code; with ``--json`` a refusal is an answer, too."""
    try:
        for path in (arguments.config, arguments.policy):
            if path is not None:
                refuse_absent(path)
        with progress():
            answer = judge_fairness(arguments.config, arguments.policy)
    except (ConfigError, DataError) as error:
        if not arguments.json:
            raise
        _write_json(refusal_document(arguments.config, error))
        return REFUSED
    if arguments.json:
        _write_json(answer_document(answer))
    else:
        from fairreport.render.gap_text import gap_text  # only who reads it waits for it

        emit(gap_text(answer))
    if answer.ignored:
        say(f"the policy's {', '.join(map(repr, answer.ignored))} mean nothing here and are ignored")
    return answer.exit_code


def _write_json(document: dict[str, object]) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    emit(f"{text}\n")
