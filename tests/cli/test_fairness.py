"""`fairreport fairness`: what is printed, where, and with which exit code."""

import json
import re

import pytest
import yaml

ALL = ["FAIL", "MANUAL_REVIEW", "INSUFFICIENT_EVIDENCE", "PASS"]
HARSH = re.compile(r"\b(un)?fair\b|bias|violat|certif|compliant|discriminat|Traceback", re.IGNORECASE)
RULE = {"id": "fnr", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
HOSTILE = 'x\x1b[31m\u202e<script>alert(1)</script>\n"; DROP TABLE cases; --'


def cases_of(groups, header="label,prediction,sex"):
    """Return CSV of cases labelled 1: {group: (wrong, judged)}."""
    lines = [
        f"1,{p},{g}"
        for g, (wrong, judged) in groups.items()
        for p, n in ((0, wrong), (1, judged - wrong))
        for _ in range(n)
    ]
    return "\n".join([header, *lines]) + "\n"


ALIKE = cases_of({"f": (100, 2000), "m": (104, 2000)})
APART = cases_of({"f": (100, 2000), "m": (400, 2000)})
FEW = cases_of({"f": (10, 200), "m": (24, 200)})


@pytest.fixture
def write(tmp_path):
    def run(cases=ALIKE, *rules, **changed):
        stated = {
            "name": "screen",
            "cases": "cases.csv",
            "label": "label",
            "prediction": "prediction",
            "attributes": {"sex": ["f", "m"]},
            "rules": list(rules) or [RULE],
        } | changed
        path = tmp_path / "fairness.yaml"
        path.write_text(yaml.safe_dump({"fairness": stated}, sort_keys=False, allow_unicode=True), encoding="utf-8")
        (tmp_path / "cases.csv").write_text(cases, encoding="utf-8")
        return path

    return run


def refusal(command, *arguments):
    """Return the one JSON object of a refusal; the text of the same refusal says the same."""
    done = command("fairness", *arguments, "--json")
    assert (done.code, done.err) == (2, "")
    document = json.loads(done.out)
    assert (document["kind"], document["exit_code"]) == ("refusal", 2)
    text = command("fairness", *arguments)
    assert (text.code, text.out) == (2, "")
    assert len(text.faults) == len(document["errors"])
    for line, fault in zip(text.faults, document["errors"], strict=True):
        assert fault["message"] in line
        assert fault["path"] in line
        assert fault["line"] is None or line.endswith(f"(line {fault['line']})")
    return document


@pytest.mark.parametrize(
    ("cases", "rule", "code", "state"),
    [
        (ALIKE, RULE, 0, "PASS"),
        (APART, RULE, 1, "FAIL"),
        (FEW, RULE, 3, "INSUFFICIENT_EVIDENCE"),
        (ALIKE, RULE | {"manual_review": "board sign-off"}, 4, "MANUAL_REVIEW"),
    ],
)
def test_the_exit_code_is_the_state(command, write, cases, rule, code, state):
    path = write(cases, rule)
    text = command("fairness", path)
    assert (text.code, text.err) == (code, "")
    assert text.out.startswith("screen: ")
    assert state in text.out.splitlines()[0]
    done = command("fairness", path, "--json")
    document = json.loads(done.out)
    assert (done.code, document["exit_code"], document["state"]) == (code, code, state)
    assert done.err == ""
    assert done.out.endswith("}\n")


def test_the_text_of_a_pass(command, write):
    """Bounds: 100/2000 in 0.0397-0.0620, 104/2000 in 0.0415-0.0642 (Clopper-Pearson, 97.5%)."""
    assert command("fairness", write()).out == (
        "screen: ● PASS (4,000 cases, 95% confidence)\n"
        "\n"
        "● PASS  fnr: false negative rate by sex, no gap above 0.05\n"
        "    every interval is within the bar; widest pair f and m, gap within 0.000–0.025\n"
        "\n"
        "Taken as given: Cases are independent of each other.\n"
        "Taken as given: Groups were declared before the file was read.\n"
        "Taken as given: Each rule is about the cases in which its attributes are recorded.\n"
        "Taken as given: Rates are measured against the labels that were brought.\n"
        "Taken as given: Neither a gap nor a floor settles by itself how a system treats people.\n"
        "Taken as given: What was left out is to be read before the verdict.\n"
        "Taken as given: Each case is taken to be a different person; the file does not say who is who.\n"
        "Taken as given: The guarantee holds for the rule at one look; over more looks the error may add up.\n"
        "Not told: which rate ought to be equal between groups; anything about undeclared groups, or people who stand "
        "in the file more than once; whether calibration differs by more than chance; whether the labels are right.\n"
    )


def test_the_reason_of_a_review_is_printed(command, write):
    assert "board sign-off" in command("fairness", write(ALIKE, RULE | {"manual_review": "board sign-off"})).out


def test_the_pair_that_keeps_a_rule_from_passing_is_named(command, write):
    """a and b are surely a little apart; c is what nothing is known about."""
    cases = cases_of({"a": (100, 4000), "b": (180, 4000), "c": (3, 40)})
    path = write(cases, RULE, attributes={"sex": ["a", "b", "c"]})
    out = command("fairness", path).out
    gaps = json.loads(command("fairness", path, "--json").out)["rules"][0]["gaps"]
    assert max(gaps, key=lambda gap: gap["gap_lower"])["b"] == "b"
    assert "widest pair a and c" in out


def test_the_pair_that_fails_a_rule_is_named(command, write):
    cases = cases_of({"a": (100, 4000), "b": (600, 4000), "c": (3, 10)})
    out = command("fairness", write(cases, RULE, attributes={"sex": ["a", "b", "c"]})).out
    assert "▼ FAIL  fnr" in out
    assert "widest pair a and b" in out
    assert "too few cases: c has 10" in out


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (RULE, "they could bring the widest gap, of f and m, to 0."),
        (RULE | {"max_group_gap": None, "worst_group": 0.2}, "they could bring the worst group, m, to 0."),
    ],
)
def test_what_was_left_out_is_printed(command, write, rule, words):
    cases = ALIKE + "1,1,\n" * 30 + "1,1,other\n" * 20
    out = command("fairness", write(cases, {k: v for k, v in rule.items() if v is not None})).out
    assert "left out: 50 cases (1.2%): 30 without the attribute, 20 with an undeclared value" in out
    assert words in out


def test_bounds_with_left_out_cases_in_the_document(command, write):
    cases = ALIKE + "1,0,other\n" * 30
    (rule,) = json.loads(command("fairness", write(cases), "--json").out)["rules"]
    for label, group in rule["groups"].items():
        placed = rule["groups_with_left_out_anywhere"][label]
        assert placed["lower"] == group["lower"]  # 30 wrong decisions make no rate lower
        assert placed["upper"] > group["upper"]
    (gap,) = rule["gaps"]
    assert gap["with_left_out_anywhere"]["gap_upper"] > gap["gap_upper"]


def test_how_many_more_cases_would_decide(command, write):
    path = write(FEW)
    more = json.loads(command("fairness", path, "--json").out)["rules"][0]["more_cases"]
    assert more["size"] > 200
    assert more["further"] == {"f": more["size"] - 200, "m": more["size"] - 200}
    assert f"{more['further']['f']:,} more of f and" in command("fairness", path).out


def test_calibration_is_printed_and_decides_nothing(command, write):
    header = "label,prediction,sex,score\n"
    cases = header + "".join(f"1,1,{sex},{score}\n" for sex in "fm" for score in ["0.05", "", "0.05"] * 200)
    path = write(cases, RULE, probability="score")
    done = command("fairness", path)
    assert done.code == 0
    assert "calibration error of sex=f: 0.950 over 400 cases, 200 without a probability" in done.out
    assert "Calibration never decides a rule." in done.out
    document = json.loads(command("fairness", path, "--json").out)
    assert document["calibration"]["sex=m"]["missing"] == 200
    assert document["calibration"]["sex=m"]["ece"] == pytest.approx(0.95)


def test_the_policy(command, write, tmp_path):
    policy = tmp_path / "release.yaml"
    policy.write_text("confidence_level: 0.8\nversion: 3\nblock_on: [FAIL]\n")
    done = command("fairness", write(), "--policy", policy, "--json")
    document = json.loads(done.out)
    assert document["confidence_level"] == 0.8
    assert document["rules"][0]["alpha_per_group"] == pytest.approx(0.1)
    assert done.err == "fairreport: the policy's 'block_on', 'version' mean nothing here and are ignored\n"


def test_the_same_bytes_every_time(command, write):
    path = write(FEW)
    assert command("fairness", path, "--json").out == command("fairness", path, "--json").out


REFUSALS = {
    "missing column": ({"cases": "label,sex\n1,f\n"}, "missing_column", "prediction"),
    "empty file": ({"cases": ""}, "unreadable", ""),
    "header alone": ({"cases": "label,prediction,sex\n"}, "no_rows", ""),
    "label": ({"cases": "label,prediction,sex\nyes,1,f\n"}, "label_not_binary", "label"),
    "no label": ({"cases": "label,prediction,sex\n,1,f\n"}, "label_not_binary", "label"),
    "prediction": ({"cases": "label,prediction,sex\n1,2,f\n"}, "prediction_not_binary", "prediction"),
    "case twice": ({"cases": "id,label,prediction,sex\n7,1,1,f\n7,1,1,m\n"}, "duplicate_case", "id"),
    "person twice": (
        {"cases": "who,label,prediction,sex\n7,1,1,f\n7,1,1,m\n", "unit": "who"},
        "repeated_unit",
        "who",
    ),
    "probability": (
        {"cases": "q,label,prediction,sex\n7,1,1,f\n", "probability": "q"},
        "probability_out_of_range",
        "q",
    ),
    "probability in words": (
        {"cases": "q,label,prediction,sex\nhigh,1,1,f\n", "probability": "q"},
        "not_numeric",
        "q",
    ),
    "unknown key": ({"min_cel": 3}, "unknown_parameter", "fairness.min_cel"),
    "one group": ({"attributes": {"sex": ["f"]}}, "too_few_groups", "fairness.attributes"),
    "unknown rate": ({"rules": [RULE | {"rate": "fnr"}]}, "bad_enum", "fairness.rules.0.rate"),
    "two bars": ({"rules": [RULE | {"worst_group": 0.5}]}, "one_bar", "fairness.rules.0"),
}


@pytest.mark.parametrize(("changed", "code", "path"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_in_text_and_as_json(command, write, changed, code, path):
    cases = {"cases": ALIKE} | changed
    document = refusal(command, write(cases.pop("cases"), **cases))
    assert [(fault["code"], fault["path"]) for fault in document["errors"]] == [(code, path)]


def test_every_fault_of_the_cases_at_once(command, write):
    cases = "id,label,prediction,sex,q\na,1,1,f,0.5\na,3,1,f,0.5\nb,1,no,m,4\n"
    document = refusal(command, write(cases, probability="q"))
    assert document["file"] == "cases.csv"
    assert [fault["code"] for fault in document["errors"]] == [
        "label_not_binary",
        "prediction_not_binary",
        "duplicate_case",
        "probability_out_of_range",
    ]


def test_bad_yaml_names_the_line(command, tmp_path):
    path = tmp_path / "fairness.yaml"
    path.write_text("fairness:\n  label: [a\n  b: c\n")
    (fault,) = refusal(command, path)["errors"]
    assert (fault["code"], fault["line"]) == ("bad_syntax", 3)


def test_files_that_are_not_there(command, write, tmp_path):
    path = write()
    assert "Did you mean 'fairness.yaml'?" in refusal(command, tmp_path / "fairnes.yaml")["errors"][0]["message"]
    assert "policy.yaml" in refusal(command, path, "--policy", tmp_path / "policy.yaml")["errors"][0]["message"]
    (tmp_path / "cases.csv").unlink()
    assert "cases.csv" in refusal(command, path)["errors"][0]["message"]


def test_a_wrong_policy_is_named(command, write, tmp_path):
    policy = tmp_path / "release.yaml"
    policy.write_text("version: 1\nconfidence_level: 95\n")
    document = refusal(command, write(), "--policy", policy)
    assert document["file"] == "release.yaml"
    assert [(fault["path"], fault["line"]) for fault in document["errors"]] == [("confidence_level", 2)]


def test_a_policy_that_is_no_text(command, write, tmp_path):
    policy = tmp_path / "release.yaml"
    policy.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refusal(command, write(), "--policy", policy)["errors"][0]["message"]


def controls(text):
    """Return what a terminal would obey."""
    return [c for c in text if (ord(c) < 32 and c != "\n") or c in "\u202e\x7f\x9b"]


def test_hostile_names(command, write):
    """Groups, rules, reasons and the audit's name come from files: shown, never obeyed."""
    groups = {"f": (100, 2000), f'"{HOSTILE.replace(chr(34), chr(34) * 2)}"': (104, 2000)}
    attributes = {"sex": ["f", HOSTILE]}
    for rule in (RULE, RULE | {"manual_review": HOSTILE}, RULE | {"max_group_gap": 0.001}):
        path = write(cases_of(groups), rule | {"id": HOSTILE}, name=HOSTILE, attributes=attributes)
        text = command("fairness", path)
        assert text.code in {0, 3, 4}
        assert controls(text.out) == []
        assert "[U+001B]" in text.out
        document = json.loads(command("fairness", path, "--json").out)
        assert HOSTILE in document["rules"][0]["groups"]
        assert document["rules"][0]["id"] == HOSTILE


def test_hostile_columns(command, write):
    columns = [f"{part}{HOSTILE}" for part in ("label", "prediction", "sex", "who", "q")]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in columns)
    cases = header + "\n" + "".join(f"1,1,{'fm'[i % 2]},{i},0.5\n" for i in range(200))
    names = dict(zip(("label", "prediction", "sex", "unit", "probability"), columns, strict=True))
    sex = names.pop("sex")
    path = write(cases, RULE | {"attribute": sex}, attributes={sex: ["f", "m"]}, **names)
    text = command("fairness", path)
    assert text.code == 0
    assert controls(text.out) == []
    assert json.loads(command("fairness", path, "--json").out)["rules"][0]["attribute"] == [sex]


def test_hostile_cells_in_refusals(command, write):
    quoted = '"' + HOSTILE.replace('"', '""') + '"'
    text = command("fairness", write(f"label,prediction,sex\n{quoted},{quoted},f\n"))
    assert text.code == 2
    assert controls(text.err) == []
    assert len(text.faults) == 2


@pytest.mark.parametrize(("cases", "state"), [(ALIKE, "PASS"), (APART, "FAIL"), (FEW, "INSUFFICIENT_EVIDENCE")])
def test_calm_words(command, write, cases, state):
    path = write(cases + "1,1,\n" * 5, RULE, RULE | {"id": "again"})
    text = command("fairness", path).out
    assert state in text
    assert HARSH.findall(text) == []
    assert HARSH.findall(command("fairness", path, "--json").out) == []


def test_help_names_every_state(command):
    out = command("fairness", "--help").out
    assert all(state in out for state in ALL)
