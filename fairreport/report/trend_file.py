"""The file of trends that travels inside a packet: all that is printed of them is judged from it."""

from __future__ import annotations

import json
from dataclasses import asdict

from fairreport.audit.from_json import from_json
from fairreport.audit.trend import Trends, judge_trends
from fairreport.audit.trend_evidence import TrendEvidence
from fairreport.tables.history_schema import SCHEMA_VERSION


def trends_text(trends: Trends) -> str:
    """Return the evidence of trends as JSON text, the file that travels inside a packet."""
    document = {"history_schema": SCHEMA_VERSION, "trends": asdict(trends.evidence)}
    return json.dumps(document, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"


def trends_from(document: object) -> Trends:
    """Return the trends of such a file, judged again.

    Raises
    ------
    MisfitError
        If it holds anything else.
    """
    held = document.get("trends") if isinstance(document, dict) else None
    evidence: TrendEvidence = from_json(TrendEvidence, held, "/trends")
    return judge_trends(evidence)
