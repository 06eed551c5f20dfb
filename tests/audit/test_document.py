"""The JSON document: complete, strict, the same bytes for the same counts."""

import datetime as dt
import json
import math
import stat

import pytest

from fairreport import Audit, ConfigError, DataError
from fairreport.audit.document import to_text


def table(**more):
    return {
        "g": ["F"] * 50 + ["M"] * 50 + ["X"] * 5 + [None],
        "c": (["p", "q", None] * 36)[:106],
        "o": ([1, 0, 0, 1, 1] * 30)[:106],
    } | more


def many_tests(data=None):
    audit = Audit(data or table(), title="Everything")
    audit.outcome_disparity("g", "o", 1, name="plain")
    audit.outcome_disparity("g", "o", 1, name="adjusted", control_columns="c", p_value_adjustment="holm")
    audit.outcome_disparity("g", "o", 1, name="no test", significance_test="none")
    audit.outcome_disparity("g", "o", 1, name="named", reference_strategy="named", reference_value="F")
    audit.outcome_disparity(
        "g", "o", 7, name="skipped", thresholds=[("failingGroupCount", "<=", 0), ("minImpactRatio", ">", 0.5)]
    )
    audit.outcome_disparity("absent", "o", 1, name="no column")
    audit.outcome_disparity(["g", "c"], "o", 1, name="small", min_group_size=1, min_group_share=0)
    return audit


def nulls(value, place=""):
    if value is None:
        yield place
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from nulls(item, f"{place}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from nulls(item, f"{place}/{i}")


def test_every_null_has_a_reason_and_every_reason_a_null():
    entries = many_tests().run().to_dict()["results"]
    assert len(entries) == 7
    for entry in entries:
        reasons = entry.pop("reasons")
        assert set(reasons) == set(nulls(entry))
        assert all(reasons.values())


def test_reasons_say_why():
    plain, adjusted, untested, _, skipped, absent, small = many_tests().run().to_dict()["results"]

    def reason(entry, label, field):
        place = next(i for i, group in enumerate(entry["groups"]) if group["group"]["g"] == label)
        assert entry["groups"][place][field] is None
        return entry["reasons"][f"/groups/{place}/{field}"]

    reference = plain["reference"]["g"]
    other = "F" if reference == "M" else "M"
    assert reason(plain, reference, "p_value") == "reference_group"
    assert reason(plain, reference, "ratio_ci_low") == "reference_group"
    assert reason(plain, "X", "p_value") == "not_enough_data"
    assert reason(plain, other, "adjusted_impact_ratio") == "no_control_columns"
    assert reason(untested, other, "p_value") == "no_significance_test"
    assert reason(adjusted, "X", "adjusted_impact_ratio") == "not_enough_data"
    assert untested["reasons"]["/measurements/significantDisparityCount"] == "no_significance_test"
    assert plain["reasons"]["/measurements/adjustedMinImpactRatio"] == "no_control_columns"
    assert plain["reasons"]["/skip_code"] == "not_skipped"
    assert skipped["reasons"]["/thresholds/1/actual"] == "test_skipped"
    assert absent["reasons"]["/evidence"] == absent["reasons"]["/rows_total"] == "test_skipped"
    assert small["reasons"]["/rationale"] == "not_stated"


def test_the_document_survives_json():
    run = many_tests().run()
    text = run.to_json()
    assert json.loads(text) == run.to_dict()
    assert text.endswith("}\n")

    def refuse(constant):
        raise AssertionError(constant)

    json.loads(text, parse_constant=refuse)
    for result in run:
        assert json.loads(result.to_json()) == result.to_dict()


def test_no_number_is_nan(monkeypatch):
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_text({"value": math.nan})


def test_the_parts_of_a_document():
    document = many_tests().run().to_dict()
    assert list(document) == [
        "schema_version",
        "title",
        "created",
        "about",
        "data",
        "assumptions",
        "results",
        "status",
        "exit_code",
    ]
    assert document["title"] == "Everything"
    entry = document["results"][1]
    promised = {"name", "analysis", "parameters", "method", "evidence", "reasons", "notes", "insights"}
    promised |= {
        "status",
        "skip_code",
        "measurements",
        "groups",
        "total_groups",
        "truncated",
        "thresholds",
        "test_status",
    }
    promised |= {"rows_total", "rows_with_inputs", "rows_evaluated", "reference"}
    assert promised <= entry.keys()
    assert entry["parameters"]["p_value_adjustment"] == {"value": "holm", "origin": "user"}
    assert entry["parameters"]["alpha"] == {"value": 0.05, "origin": "default"}
    assert entry["parameters"]["favorable_values"] == {"value": ["1"], "origin": "user"}
    assert entry["method"]["test"] == "fisher_exact"
    assert len(entry["evidence"]["groups"]) == 3


def test_evidence_adds_up():
    entry = many_tests().run()["adjusted"].to_dict()
    evidence = entry["evidence"]
    rows = evidence["rows"]
    assert rows["total"] == entry["rows_total"] == 106
    assert (
        rows["with_inputs"] - rows["missing_attribute"] - rows["undeclared"]
        == rows["evaluated"]
        == entry["rows_evaluated"]
    )
    assert sum(group["n"] for group in evidence["groups"]) == rows["evaluated"]
    in_strata = sum(cell["n"] for cell in evidence["strata"])
    assert in_strata + evidence["rows_without_controls"] == rows["evaluated"]


def test_the_order_of_tests_does_not_change_an_entry():
    data = table()
    one = Audit(data).outcome_disparity("g", "o", 1, name="a").outcome_disparity("c", "o", 1, name="b").run().to_dict()
    two = Audit(data).outcome_disparity("c", "o", 1, name="b").outcome_disparity("g", "o", 1, name="a").run().to_dict()
    assert one["results"] == two["results"][::-1]
    assert one["data"]["fingerprint"] == two["data"]["fingerprint"]


# ---- the date and the fingerprint ----


def created(**options):
    return Audit(table(), **options).outcome_disparity("g", "o", 1).run().to_dict()["created"]


def test_the_clock_is_never_asked(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert created() is None
    assert created(as_of="2026-11-01") == "2026-11-01"
    assert created(as_of=dt.date(2026, 11, 1)) == "2026-11-01"
    assert created(as_of=dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)) == "2026-11-01T12:00:00+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1793534400")
    assert created() == "2026-11-01T12:00:00Z"
    assert created(as_of="2026-11-02") == "2026-11-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    assert created() is None


@pytest.mark.parametrize("wrong", ["yesterday", "2026-13-01", "", 20261101.5])
def test_dates_that_are_none(wrong):
    with pytest.raises(ConfigError, match=r"as_of must be a date such as 2026-11-01"):
        created(as_of=wrong)


@pytest.mark.parametrize("wrong", ["soon", "1e9", "9" * 30])
def test_epochs_that_are_none(monkeypatch, wrong):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
    with pytest.raises(ConfigError, match="SOURCE_DATE_EPOCH must be whole seconds since 1970"):
        created()


def test_the_date_is_no_part_of_the_fingerprint(monkeypatch):
    documents = [
        Audit(table(), as_of=as_of, title=as_of).outcome_disparity("g", "o", 1).run().to_dict()
        for as_of in ("2026-01-01", "2026-01-02")
    ]
    assert documents[0]["data"]["fingerprint"] == documents[1]["data"]["fingerprint"]
    assert documents[0]["results"] == documents[1]["results"]


def fingerprint(data, **parameters):
    return Audit(data).outcome_disparity("g", "o", 1, **parameters).run().to_dict()["data"]["fingerprint"]


def test_the_fingerprint_is_of_the_counts():
    base = fingerprint(table())
    assert len(base) == 64
    assert int(base, 16)
    reversed_rows = {name: cells[::-1] for name, cells in table().items()}
    assert fingerprint(reversed_rows) == base
    assert fingerprint(dict(reversed(table().items()))) == base
    assert fingerprint(table(unused=list(range(106)))) == base
    assert fingerprint(table(), alpha=0.01, min_group_size=1, significance_test="none") == base
    spaced = table()
    spaced["g"] = [None if cell is None else f" {cell} " for cell in spaced["g"]]
    assert fingerprint(spaced) == base


def test_one_changed_cell_changes_the_fingerprint():
    base = fingerprint(table())
    for name, cell in (("g", "M"), ("o", 0), ("g", None), ("o", None), ("o", 2)):
        changed = table()
        changed[name][0] = cell
        assert fingerprint(changed) != base, (name, cell)


# ---- files ----


def test_files_are_written_whole(tmp_path, monkeypatch):
    run = many_tests().run()
    target = tmp_path / "result.json"
    assert run.to_json(target) == target.read_text(encoding="utf-8")
    assert stat.S_IMODE(target.stat().st_mode) & 0o600 == 0o600
    before = target.read_bytes()

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", fail)
        with pytest.raises(KeyboardInterrupt):
            Audit(table()).outcome_disparity("g", "o", 1).run().to_json(target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_place_that_cannot_be_written(tmp_path):
    run = many_tests().run()
    with pytest.raises(DataError, match="cannot write"):
        run.to_json(tmp_path / "no such folder" / "result.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="cannot write"):
        run.to_json(tmp_path / "folder")
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot make the folder"):
        run.to_csv(tmp_path / "file")
