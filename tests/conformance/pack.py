"""Pack worked cases into the four archives of this folder, the same bytes for the same cases.

    python pack.py FOLDER_OF_CASES FOLDER_OF_TABLES FOLDER_OF_RATE_GAPS FOLDER_OF_ADVERSE_IMPACT

A case is a folder with data.csv, tests.json, expected.json, meta.json and sometimes dtypes.json; a table a
folder with input.csv, question.json and truth.json; a case of rate gaps one with fairness.yaml, policy.yaml,
expected.json and cases.csv or cases.jsonl; a case of adverse impact one with data.csv, params.json, expected.json
and meta.json. Tables whose data may not be copied stay out.
"""

import json
import lzma
import sys
from pathlib import Path

HERE = Path(__file__).parent
NOT_OURS_TO_COPY = ("compas", "hmda", "resume")


def pack_cases(folder: Path) -> list[dict]:
    return [
        {
            "id": case.name,
            "about": _json(case / "meta.json")["about"],
            "data": (case / "data.csv").read_bytes().decode("utf-8"),
            "dtypes": _json(case / "dtypes.json") if (case / "dtypes.json").exists() else None,
            "test": _json(case / "tests.json")[0],
            "expected": _json(case / "expected.json"),
        }
        for case in sorted(folder.iterdir())
        if (case / "expected.json").exists()
    ]


def pack_tables(folder: Path) -> list[dict]:
    return [
        {
            "id": table.name,
            "data": (table / "input.csv").read_bytes().decode("utf-8"),
            "question": _json(table / "question.json"),
            "truth": {
                key: value
                for key, value in _json(table / "truth.json").items()
                if key in {"source", "licence", "verified_with", "notes", "values"}
            },
        }
        for table in sorted(folder.iterdir())
        if (table / "truth.json").exists() and not table.name.startswith(NOT_OURS_TO_COPY)
    ]


def pack_rate_gaps(folder: Path) -> list[dict]:
    records = []
    for case in sorted(folder.iterdir()):
        if (case / "expected.json").exists():
            expected = _json(case / "expected.json")
            (cases,) = case.glob("cases.*")
            records.append({
                "id": case.name,
                "about": expected.pop("about"),
                "refused_for": expected.pop("reason", None),
                "fairness": (case / "fairness.yaml").read_bytes().decode("utf-8"),
                "policy": (case / "policy.yaml").read_bytes().decode("utf-8"),
                "cases_name": cases.name,
                "cases": cases.read_bytes().decode("utf-8"),
                "expected": expected,
            })  # fmt: skip
    return records


def pack_adverse_impact(folder: Path) -> list[dict]:
    return [
        {
            "id": case.name,
            "about": _json(case / "meta.json")["about"],
            "data": (case / "data.csv").read_bytes().decode("utf-8"),
            "params": _json(case / "params.json"),
            "expected": _json(case / "expected.json"),
        }
        for case in sorted(folder.iterdir())
        if (case / "expected.json").exists()
    ]


def _json(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def lines(records: list[dict]) -> bytes:
    """Write one record a line, keys in their order."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode("utf-8")


def compressed(content: bytes) -> bytes:
    return lzma.compress(content, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)


if __name__ == "__main__":
    cases, tables, rate_gaps, adverse_impact = (Path(argument) for argument in sys.argv[1:5])
    (HERE / "cases.jsonl.xz").write_bytes(compressed(lines(pack_cases(cases))))
    (HERE / "tables.jsonl.xz").write_bytes(compressed(lines(pack_tables(tables))))
    (HERE / "rate_gaps.jsonl.xz").write_bytes(compressed(lines(pack_rate_gaps(rate_gaps))))
    (HERE / "adverse_impact.jsonl.xz").write_bytes(compressed(lines(pack_adverse_impact(adverse_impact))))
