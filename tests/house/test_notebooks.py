"""Notebooks are stored executed, as ``python3 run.py notebooks`` leaves them; nbval compares what they show."""

from __future__ import annotations

import json


def books(root):
    found = sorted((root / "notebooks").glob("*.ipynb"))
    assert found
    return [json.loads(path.read_text(encoding="utf-8")) for path in found]


def code_of(book):
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def test_every_cell_was_executed_in_order(root):
    for book in books(root):
        counts = [cell["execution_count"] for cell in code_of(book)]
        assert counts == list(range(1, len(counts) + 1))


def test_no_cell_failed_or_warned(root):
    for book in books(root):
        outputs = [output for cell in code_of(book) for output in cell["outputs"]]
        assert outputs
        assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in outputs)


def test_nothing_of_the_machine_is_stored(root):
    for book in books(root):
        assert book["metadata"]["kernelspec"]["name"] == "python3"
        assert all("execution" not in cell["metadata"] for cell in book["cells"])


def test_no_output_is_left_out_of_the_comparison(root):
    for book in books(root):
        for cell in book["cells"]:
            assert not {"nbval-skip", "nbval-ignore-output", "skip"} & set(cell["metadata"].get("tags", []))
            assert "NBVAL" not in "".join(cell["source"])
