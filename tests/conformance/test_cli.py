"""Every worked case that needs no column types through the command line, reading the CSV file."""

import json

from fairreport.cli.main import main

EXIT_CODES = {"passing": 0, "failing": 1, "skipped": 3}


def test_case(untyped_case, csv_file, compare, tmp_path, capsys):
    config = tmp_path / "tests.json"
    config.write_text(json.dumps([untyped_case["test"]]), encoding="utf-8")
    code = main(["run", str(config), "--data", str(csv_file(untyped_case)), "--json", "-"])
    printed = capsys.readouterr()
    expected = untyped_case["expected"]
    if expected["status"] == "config_error":
        assert (code, printed.out) == (2, "")
        assert printed.err.startswith("fairreport: tests.json: 0")
        assert printed.err.count("\n") == 1
        return
    document = json.loads(printed.out)
    assert compare(expected, document["results"][0]) == []
    assert (code, document["exit_code"]) == (EXIT_CODES[expected["test_status"]],) * 2
