"""Runs that packets are made of, each made once."""

import io
import re
from functools import wraps

import pypdf
import pytest

import fairreport as fr
from fairreport.report import gap_figure, pair_figure, test_results

FIGURES = (
    (test_results, "figure_svg"),
    (test_results, "distribution_svg"),
    (gap_figure, "gap_figure_svg"),
    (pair_figure, "pair_figure_svg"),
)


def _remembering(draw):
    drawn = {}

    @wraps(draw)
    def recall(*arguments, **named):
        key = repr((arguments, named))
        if key not in drawn:
            drawn[key] = draw(*arguments, **named)
        return drawn[key]

    return recall


@pytest.fixture(scope="session")
def recalled():
    return [(module, name, _remembering(getattr(module, name))) for module, name in FIGURES]


@pytest.fixture(scope="module", autouse=True)
def drawn_once(recalled):
    """Draw a figure of the same records once, since figures take most of the time of a page."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, draw in recalled:
            patch.setattr(module, name, draw)
        yield


@pytest.fixture
def drawn_anew(recalled, monkeypatch):
    """Draw every figure as often as it is asked for, as where no test runs."""
    for module, name, draw in recalled:
        monkeypatch.setattr(module, name, draw.__wrapped__)


def _rows(groups, column="sex", outcome="hired"):
    """Columns with so many favorable of so many rows in each group."""
    cells = [(name, 1 if i < favorable else 0) for name, favorable, n in groups for i in range(n)]
    return {column: [name for name, _ in cells], outcome: [hired for _, hired in cells]}


@pytest.fixture(scope="session")
def make_rows():
    return _rows


@pytest.fixture(scope="session")
def small_run():
    """A test with a finding, a group too small, an intersection with a control, and one that is skipped."""
    columns = {"sex": [], "site": [], "age": [], "hired": []}
    for sex, site, age, favorable, n in (
        ("F", "north", "old", 20, 90),
        ("F", "south", "young", 11, 60),
        ("M", "north", "young", 60, 120),
        ("M", "south", "old", 30, 70),
        ("X", "north", "old", 2, 9),
        (None, "north", "old", 3, 7),
    ):
        columns["sex"] += [sex] * n
        columns["site"] += [site] * n
        columns["age"] += [age] * n
        columns["hired"] += [1] * favorable + [0] * (n - favorable)
    audit = fr.Audit(
        columns,
        title="Shortlist, third quarter",
        as_of="2026-11-01",
        about={"system": "screen 3.1", "decision": "shortlist", "origin": "test", "notes": ["Made for a test."]},
    )
    audit.outcome_disparity(["age", "sex"], "hired", 1, p_value_adjustment="holm", control_columns="site")
    audit.outcome_disparity("sex", "hired", 1, name="by sex", rationale="what people feel", threshold_source="policy 4")
    audit.outcome_disparity("race", "hired", 1, name="by race")
    return audit.run()


@pytest.fixture(scope="session")
def many_run():
    """45 groups, with long names and names in several scripts."""
    names = [
        "Ελληνική ομάδα με ένα αρκετά μακρύ όνομα που συνεχίζεται",
        "Группа с очень длинным названием для проверки переносов",
        "Tiếng Việt có dấu",
        "עברית",
        "日本語グループ",
        "<b>bold</b> & co",
        "$x^2$ _under_ =1+1",
        "A" * 120,
        *(f"Department number {i:02d} with a long name, its division and subdivision" for i in range(37)),
    ]
    rows = _rows([(name, 8 + i, 60 + i) for i, name in enumerate(names)], column="team")
    return fr.Audit(rows, title="Many").outcome_disparity("team", "hired", 1, min_group_share=0).run()


@pytest.fixture(scope="session")
def mixed_run():
    """Scores and metrics of every kind; one group where a metric is not defined, one too small, one test skipped."""
    columns = {name: [] for name in ("team", "score", "paid", "said", "label", "fit")}
    for team, n, shift in (("alder", 90, 0), ("birch", 70, 9), ("cedar", 60, 4), ("dogwood", 9, 2)):
        for i in range(n):
            score = (i * 37 + shift * 11) % 101 + shift
            columns["team"].append(team)
            columns["score"].append(score)
            columns["paid"].append(20 + (i * 53) % 97 * (shift + 5) / 7)
            columns["said"].append(1 if team == "cedar" or score > 60 else 0)
            columns["label"].append(1 if (score + (i * 29) % 60) > 80 else 0)
            columns["fit"].append(20 + (i * 53 + i % 7) % 97 * (shift + 5) / 8)
    audit = fr.Audit(columns, title="Scores and metrics", as_of="2026-11-01")
    labels = {"ground_truth_column": "label", "positive_values": 1}
    audit.metric_parity("team", "auc", score_column="score", name="area", p_value_adjustment="holm", **labels)
    audit.score_disparity("team", "score", higher_is_favorable=False, name="low score", p_value_adjustment="holm")
    audit.metric_parity("team", "false_omission_rate", prediction_column="said", name="omission", **labels)
    audit.metric_parity("team", "mean", value_column="paid", higher_is_better=True, name="mean pay")
    audit.metric_parity("team", "p95", value_column="paid", higher_is_better=True, name="high pay")
    audit.metric_parity(
        "team",
        "rate",
        value_column="label",
        positive_values=1,
        higher_is_better=True,
        comparison="overall",
        name="all rows",
        max_difference=0.25,
    )
    audit.metric_parity("team", "r2", prediction_column="fit", ground_truth_column="paid", name="explained")
    audit.metric_parity("team", "brier", probability_column="chance", name="no such column", **labels)
    return audit.run()


@pytest.fixture(scope="session")
def mixed_html(mixed_run):
    return fr.Report(mixed_run).html()


@pytest.fixture(scope="session")
def mixed_pdf(mixed_run):
    return fr.Report(mixed_run).pdf()


@pytest.fixture(scope="session")
def small_html(small_run):
    return fr.Report(small_run).html()


@pytest.fixture(scope="session")
def small_pdf(small_run):
    return fr.Report(small_run).pdf()


@pytest.fixture(scope="session")
def many_pdf(many_run):
    return fr.Report(many_run).pdf()


@pytest.fixture(scope="session")
def words_of():
    """The words of a PDF in the order in which they stand, white space and soft breaks left out."""

    def read(pdf):
        pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
        return re.sub(r"\s+", "", "".join(page.extract_text() for page in pages))

    return read


def _cases(groups, columns=("sex", "age")):
    """Rows of rate gaps: levels, then cases labelled 1 and 0, how many of each are predicted wrong, and without prediction."""
    rows = {name: [] for name in (*columns, "label", "said", "chance")}
    for levels, positives, missed, negatives, raised, silent in groups:
        for label, n, wrong in ((1, positives, missed), (0, negatives, raised)):
            for i in range(n):
                said = 1 - label if i < wrong else label
                rows["label"].append(label)
                rows["said"].append(None if n - i <= silent else said)
                rows["chance"].append(None if i == n - 1 else round(0.1 + 0.8 * (i % 9) / 9, 3))
                for name, level in zip(columns, levels, strict=True):
                    rows[name].append(level)
    return rows


@pytest.fixture(scope="session")
def make_cases():
    return _cases


@pytest.fixture(scope="session")
def gap_rows():
    return _cases(
        [
            (("female", "young"), 240, 72, 200, 20, 3),
            (("female", "old"), 220, 66, 210, 24, 0),
            (("male", "young"), 260, 13, 230, 25, 0),
            (("male", "old"), 250, 12, 190, 22, 5),
            (("other", "young"), 60, 9, 60, 8, 0),
            (("other", "old"), 9, 1, 8, 1, 0),
            ((None, "young"), 12, 2, 10, 1, 0),
            (("not asked", "old"), 20, 3, 15, 1, 1),
            (("male", "30-ish"), 6, 1, 5, 0, 0),
        ]
    )


def _gap_audit(rows, **more):
    audit = fr.Audit(rows, title="Loan screen", as_of="2026-11-01", about={"system": "screen 3.1", "origin": "test"})
    return audit.rate_gaps(
        {"sex": ["female", "male", "other"], "age": ["young", "old"]},
        "label",
        "said",
        [
            {"id": "missed-by-sex", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05},
            {
                "id": "served",
                "rate": "selection",
                "attribute": "age",
                "worst_group": 0.2,
                "manual_review": "contract 7 asks for a person",
            },
            {"id": "wrong", "rate": "error", "attribute": ["sex", "age"], "max_group_gap": 0.5, "max_left_out": 0.2},
            {"id": "raised", "rate": "false_positive", "attribute": "age", "worst_group": 0.5},
            {"id": "tight", "rate": "error", "attribute": "age", "max_group_gap": 0.03, "max_left_out": 0.005},
        ],
        intersections=[["sex", "age"]],
        probability="chance",
        threshold_source="contract 7, annex B",
        rationale="refusals weigh most",
        name="Error rates",
        **more,
    )


@pytest.fixture(scope="session")
def make_gap_audit():
    return _gap_audit


@pytest.fixture(scope="session")
def gap_run(gap_rows):
    """Rate gaps only: one rule of each state, one with too few cases, one with too many left out."""
    return _gap_audit(gap_rows).run()


@pytest.fixture(scope="session")
def gap_html(gap_run):
    return fr.Report(gap_run).html()


@pytest.fixture(scope="session")
def gap_pdf(gap_run):
    return fr.Report(gap_run).pdf()


@pytest.fixture(scope="session")
def crossed_run():
    """A crossing of 40 groups, 780 pairs, of which some have few cases."""
    shops = [f"shop {i:02d}" for i in range(20)]
    groups = [((shop, sex), 20 + 3 * i, 3 + i, 40, 4, i % 3) for i, shop in enumerate(shops) for sex in ("f", "m")]
    rows = _cases(groups, columns=("shop", "sex"))
    audit = fr.Audit(rows, title="Forty groups").outcome_disparity("sex", "said", 1)
    rules = [{"id": "wide", "rate": "error", "attribute": ["shop", "sex"], "max_group_gap": 0.1}]
    audit.rate_gaps(
        {"shop": shops, "sex": ["f", "m"]},
        "label",
        "said",
        rules,
        intersections=[["shop", "sex"]],
        interval="pairwise",
        min_cell=70,
    )
    return audit.run()


def _pair_rows(n=420):
    """Rows for named pairs: groups as values and as memberships, some missing; scores, grades, sites and weights."""
    rows = {
        name: [] for name in ("race", "sex", "hired", "score", "grade", "site", "said", "weight", "times", "pb", "pw")
    }
    rates = {"Black": 3, "White": 6, "Asian": 5, "Unknown": 4, None: 5}
    for i in range(n):
        race = ("Black", "White", "White", "Asian", "White", "Black", "Asian", "Unknown", None)[i % 9]
        hired = int((i * 7) % 11 < rates[race] + (i % 2))
        rows["race"].append(race)
        rows["sex"].append("FM"[i % 2])
        rows["hired"].append(hired)
        rows["score"].append(40 + (i * 37) % 31 + 6 * hired)
        rows["grade"].append(("low", "mid", "high")[(i * 5 + hired) % 3])
        rows["site"].append(("north", "south", "west", None)[(i * 3) % 20 % 4 if i % 50 else 3])
        rows["said"].append(int((i * 13) % 10 < 3 + 4 * hired))
        rows["weight"].append(None if i % 60 == 0 else 0.5 + (i % 7) / 4)
        rows["times"].append(i % 4)
        rows["pb"].append(round((i * 17 % 100) / 160, 4))
        rows["pw"].append(round(1 - (i * 17 % 100) / 130, 4))
    return rows


def _pair_audit(rows, **more):
    named = {"reference_values": {"race": "White", "sex": "M"}, "outcome": "hired", "percent_difference_threshold": 0}
    air = named | {"air_threshold": 0.8}
    labels = {
        "reference_values": {"race": "White"},
        "outcome": "said",
        "label": "hired",
        "ratio_threshold": 0.8,
        "percent_difference_threshold": 0,
    }
    audit = fr.Audit(rows, title="Named pairs", as_of="2026-11-01", **more)
    audit.adverse_impact_ratio(
        **air,
        name="Hiring",
        label="said",
        p_value_adjustment="holm",
        shortfall_method="to_combined_mean",
        thresholds=[("minImpactRatio", ">=", 0.9), ("undefinedGroupCount", "<=", 0)],
        threshold_source="policy 4",
        rationale="largest group",
    )
    audit.relative_rate(**named, relative_rate_threshold=1.25, name="Refusals")
    audit.odds_ratio(**named, odds_ratio_threshold=0.8, name="Odds")
    audit.standardized_mean_difference(
        reference_values={"race": "White"}, outcome="score", smd_threshold=-0.3, sd="pooled", welch=True, name="Scores"
    )
    audit.residual_standardized_mean_difference(
        reference_values={"sex": "M"}, label="hired", prediction="said", smd_threshold=-0.3, name="Residuals"
    )
    audit.adverse_impact_ratio_by_quantile(
        **(air | {"outcome": "score"}), quantiles=[0.25, 0.5, 0.9], adjust_over_quantiles=True, name="Quantiles"
    )
    audit.categorical_adverse_impact_ratio(
        **(air | {"outcome": "grade"}), category_order=["low", "mid", "high"], shortfall_method=None, name="Grades"
    )
    audit.segmented_adverse_impact_ratio(**air, segment="site", p_value_adjustment="holm", name="Within sites")
    audit.true_positive_rate(**labels, name="Found")
    audit.false_positive_rate(**labels, name="Raised")
    proxies = {"protected_groups": ["pb"], "reference_groups": ["pw"], "group_categories": ["race"]}
    audit.adverse_impact_ratio(
        **proxies,
        outcome="hired",
        air_threshold=0.8,
        percent_difference_threshold=0,
        sample_weight="weight",
        name="Weighted",
    )
    audit.adverse_impact_ratio(**air, sample_weight="times", weight_kind="frequency", name="Counted")
    return audit


@pytest.fixture(scope="session")
def pair_rows():
    return _pair_rows()


@pytest.fixture(scope="session")
def make_pair_audit():
    return _pair_audit


@pytest.fixture(scope="session")
def pair_run(pair_rows):
    """Nearly the whole family of named pairs in one audit."""
    return _pair_audit(pair_rows).run()


@pytest.fixture(scope="session")
def pair_html(pair_run):
    return fr.Report(pair_run).html()


@pytest.fixture(scope="session")
def pair_pdf(pair_run):
    return fr.Report(pair_run).pdf()
