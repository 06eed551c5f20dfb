"""Whole processes: the command line and the import, beside what an interpreter needs anyway."""

import json

from made_up import write_csv, write_parquet
from measuring import Row, median_process_seconds

TEST = {
    "outcome_disparity": {
        "protected_attribute_columns": ["sex", "race"],
        "outcome_column": "selected",
        "favorable_values": ["1"],
    }
}


def measure(place):
    config = place.folder / "audit.yaml"
    config.write_text(json.dumps({"tests": [TEST]}))
    output = place.folder / "result.json"
    million = write_parquet(place.folder / "people-10M.parquet", 10_000_000)
    thousand = write_csv(place.folder / "people-1k.csv", 1_000)
    engines = median_process_seconds("-c", "import numpy, duckdb")
    bare = median_process_seconds("-c", "pass")

    def against_engines(what, seconds, target):
        return Row(what=what, measured=seconds, target=target, yardstick=engines, yardstick_is="import numpy, duckdb")

    def command(data):
        return median_process_seconds(
            "-m", "fairreport", "run", config, "--data", data, "--json", output, allowed=(0, 1, 3)
        )

    yield against_engines("fairreport run --json, 10 M Parquet rows", command(million), 1.2)
    yield against_engines("fairreport run --json, 1,000 CSV rows", command(thousand), 0.8)
    yield against_engines("fairreport --help", median_process_seconds("-m", "fairreport", "--help"), 0.3)
    yield Row(
        what="import fairreport",
        measured=median_process_seconds("-c", "import fairreport"),
        target=bare + 0.1,
        yardstick=bare,
        yardstick_is="bare interpreter",
    )
