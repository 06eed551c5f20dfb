"""Published tables and data sets: every figure that was asked for, from the public interface or the statistics floor.

Each value of an archive record names a metric and a place; `ANSWERS` says how it is computed. A figure without
an answer is a failure. Sources and licences stand in the records.
"""

import io
import math

import pandas as pd
import pytest

from fairreport import Audit
from fairreport.stats import contrast, multiplicity, proportion, ranking, significance, strata
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.quantiles import SortedSample, pooled_quantile

OUTCOME, SCORE, METRIC = "groupOutcomeDisparity", "groupScoreDisparity", "groupMetricParity"
NO_ATTRIBUTE = {
    "reference",
    "minus",
    "control",
    "outcome",
    "rows",
    "column",
    "score",
    "overall",
    "df",
    "group",
    "confidence",
}


class Question:
    """One figure of one table."""

    def __init__(self, table, value):
        question = table["question"]
        self.columns = question.get("columns", {})
        self.at = value["at"]
        frame = pd.read_csv(io.StringIO(table["data"]), dtype=str, keep_default_na=False)
        self.frame = _rows_asked_for(table["id"], frame, self.at)
        self.weight = self.columns.get("weight")
        outcome = self.at.get("column") or self.columns.get("outcome")
        self.outcome, self.favorable = outcome, self.columns.get("positive", 1)
        self.controls = self.at.get("control")
        self.attributes = [name for name in self.at if name not in NO_ATTRIBUTE | {"Dept", "step", "example"}]
        if "Dept" in self.at:
            self.frame = self.frame[self.frame["Dept"] == self.at["Dept"]]
        if "group" in self.at:
            self.attributes = [self.at["group"]] if self.at["group"] in self.frame else ["group"]
        if self.attributes == ["race_ethnicity / sex"]:
            both = self.frame["race_ethnicity"] + " / " + self.frame["sex"]
            self.frame = self.frame.assign(**{"race_ethnicity / sex": both})
        if self.at.get("Race") == "B+H":
            self.frame = self.frame.assign(Race=self.frame["Race"].replace({"B": "B+H", "H": "B+H"}))
        if not self.attributes:
            self.attributes = _listed(self.columns.get("group"))

    def audit(self):
        return Audit(self.frame, counts=self.weight)

    def entry(self, favorable=None, **parameters):
        """Run the outcome test that the question is about."""
        stated = {"min_group_size": 1, "min_group_share": 0} | parameters
        reference = self.at.get("reference", self.at.get("minus"))
        if reference is not None:
            stated |= {"reference_strategy": "named", "reference_value": reference}
        audit = self.audit().outcome_disparity(
            self.attributes,
            self.outcome,
            favorable or self.favorable,
            control_columns=self.controls,
            **stated,
        )
        return audit.run().to_dict()["results"][0]

    def group(self, favorable=None, **parameters):
        entry = self.entry(favorable, **parameters)
        label = {name: self.at[name] for name in self.attributes if name in self.at}
        found = [group for group in entry["groups"] if label.items() <= group["group"].items()]
        if not label or (label.keys() == {"group"} and "reference" not in self.at):
            found = [group for group in found if not group["is_reference"]]
        assert len(found) == 1, (label, entry["skip_reason"])
        return found[0]

    def counts(self):
        """Return favorable outcomes and rows, group then reference, for the statistics floor."""
        groups = self.entry()["evidence"]["groups"]
        by_label = {group["group"][0]: (group["favorable"], group["n"]) for group in groups}
        mine = self.at.get(self.attributes[0]) or self.frame[self.attributes[0]].iloc[0]
        theirs = self.at.get("reference") or next(label for label in by_label if label != mine)
        return (*by_label[mine], *by_label[theirs])

    def strata(self):
        cells = self.entry()["evidence"]["strata"]
        found = {}
        for cell in cells:
            found.setdefault(tuple(cell["stratum"]), {})[cell["group"][0]] = (cell["favorable"], cell["n"])
        mine, theirs = self.at[self.attributes[0]], self.at["reference"]
        empty = (0, 0)
        return zip(*((*g.get(mine, empty), *g.get(theirs, empty)) for g in found.values()), strict=True)


def _listed(columns):
    return [columns] if isinstance(columns, str) else [name for name in columns or () if isinstance(name, str)]


def _rows_asked_for(name, frame, at):
    if name == "adult_income_by_sex" and at.get("rows") != "train+test":
        return frame[frame["split"] == "train"]
    if name == "dcwp_rule_selection":
        combined = "race_ethnicity / sex" in at
        return frame[frame["table"] == ("intersectional" if combined else next(iter(at)))]
    if name == "teal_examination":
        return frame[frame["step"] == at.get("step", "examination")]
    if name == "fisher_documentation":
        return frame[frame["example"] == at["example"]]
    return frame


def _p(group, name="p_value"):
    log10 = group.get("log10_p" if name == "p_value" else "adjusted_log10_p")
    return 10.0**log10 if group[name] is None else group[name]


def _ends(group, name):
    return [group[f"{name}_low"], group[f"{name}_high"]]


def _interval(found):
    return [found.low.item(), found.high.item()]


def _p_values(question, adjust, at):
    frame = question.frame
    found = adjust([float(p) for p in frame["p"]]).p
    return dict(zip(frame["test"].astype(int), found.tolist(), strict=True))[at["test"]]


def _rejected(question, at):
    p = [float(p) for p in question.frame["p"]]
    adjust = {
        "bonferroni": multiplicity.bonferroni,
        "holm": multiplicity.holm,
        "bh": multiplicity.benjamini_hochberg,
    }
    return int((adjust[at["method"]](p).p <= at["alpha"]).sum())


def _omnibus(question):
    groups = question.entry()["evidence"]["groups"]
    found = significance.omnibus_chi_square([g["favorable"] for g in groups], [g["n"] for g in groups])
    assert found.df == question.at["df"]
    return found.statistic


def _exact_interval(question):
    cells = question.frame[question.frame["example"] == question.at["example"]].astype({"n": int})
    a, n = cells.loc[cells["event"] == "1", "n"].sum(), cells["n"].sum()
    return _interval(proportion.clopper_pearson(a, n, level=question.at["confidence"]))


def _overall(question):
    groups = question.entry()["evidence"]["groups"]
    return sum(g["favorable"] for g in groups) / sum(g["n"] for g in groups)


def _score(question, field):
    audit = question.audit().score_disparity(
        question.attributes, question.at["column"], min_group_size=1, min_group_share=0
    )
    label = {name: question.at[name] for name in question.attributes}
    return next(g[field] for g in audit.run().to_dict()["results"][0]["groups"] if g["group"] == label)


def _metric(question, metric, **parameters):
    attributes = question.attributes or ["everybody"]
    question.frame = question.frame.assign(everybody="all", other="none")
    audit = question.audit().metric_parity(attributes, metric, min_group_size=1, min_group_share=0, **parameters)
    label = {name: question.at[name] for name in attributes if name in question.at}
    entry = audit.run().to_dict()["results"][0]
    return next(g["value"] for g in entry["groups"] if label.items() <= g["group"].items())


def _classes(question):
    """Return the scores of the positive and of the negative rows of a table without groups."""
    frame, columns = question.frame, question.columns
    scores = frame[columns["score"]].astype(float)
    positive = frame[columns["label"]] == "1"
    return SortedSample(scores[positive].to_numpy()), SortedSample(scores[~positive].to_numpy())


def _auc(question):
    columns = question.columns
    if not columns.get("group"):
        return ranking.auc(ranking.dominance(*_classes(question)))
    score = question.at.get("score") or columns["probability"]
    return _metric(question, "auc", score_column=score, ground_truth_column=columns["label"], positive_values=[1])


def _hanley_mcneil_se(question):
    positive, negative = _classes(question)
    return ranking.hanley_mcneil_se(_auc(question), positive.n, negative.n)


def _delong_interval(question):
    half_width = proportion.critical_value(0.95) * ranking.delong_se(*_classes(question))
    return [_auc(question) - half_width, _auc(question) + half_width]


def _quantile(question, share):
    unit = question.frame.loc[question.frame["unit"] == question.at["unit"], question.columns["p95"]]
    return pooled_quantile([SortedSample(unit.to_numpy(dtype=float))], share)


def _of_probability(question, metric):
    columns = question.columns
    labels = {"ground_truth_column": columns["label"], "positive_values": [1]}
    return _metric(question, metric, probability_column=columns["probability"], **labels)


def _of_prediction(question, metric):
    columns = question.columns
    stated = {
        "prediction_column": columns["prediction"],
        "ground_truth_column": columns["actual"],
        "max_difference": 100,
    }
    return _metric(question, metric, **stated)


def _of_value(question, metric):
    return _metric(question, metric, value_column=question.at["column"], higher_is_better=True)


ANSWERS = {
    "n": lambda q: q.entry()["rows_evaluated"] if "overall" in q.at else q.group()["n"],
    "selection_rate": lambda q: q.group()["rate"],
    "rate": lambda q: _overall(q) if "overall" in q.at else q.group()["rate"],
    "impact_ratio": lambda q: q.group()["ratio"],
    "impact_ratio_in_stratum": lambda q: q.group()["ratio"],
    "impact_ratio_of_passing": lambda q: q.group("0")["ratio"],
    "rate_ratio_unfavourable": lambda q: q.group()["ratio"],
    "rate_ratio_inverse": lambda q: q.group()["ratio"],
    "denial_rate": lambda q: q.group("0")["rate"],
    "rate_difference": lambda q: q.group()["difference"],
    "below_four_fifths": lambda q: (
        q.group()["adjusted_impact_ratio"] < 0.8 if q.controls else q.group()["four_fifths_flag"]
    ),
    "below_four_fifths_of_passing": lambda q: q.group("0")["four_fifths_flag"],
    "fisher_p_two_sided": lambda q: _p(q.group()),
    "fisher_p_holm": lambda q: _p(q.group(p_value_adjustment="holm"), "adjusted_p"),
    "fisher_p_bh": lambda q: _p(q.group(p_value_adjustment="benjamini_hochberg"), "adjusted_p"),
    "fisher_p_less": lambda q: fisher_exact(*q.counts(), alternative="less").p.item(),
    "fisher_p_greater": lambda q: fisher_exact(*q.counts(), alternative="greater").p.item(),
    "z_pooled": lambda q: significance.pooled_z(*q.counts()).z.item(),
    "z_p_two_sided": lambda q: _p(q.group(significance_test="z_test")),
    "chi2_pearson": lambda q: significance.chi_square(*q.counts(), yates=False).statistic.item(),
    "chi2_yates": lambda q: significance.chi_square(*q.counts(), yates=True).statistic.item(),
    "chi2_p": lambda q: significance.chi_square(*q.counts(), yates=False).p.item(),
    "chi2_omnibus": _omnibus,
    "odds_ratio": lambda q: contrast.odds_ratio(*q.counts()),
    "odds_ratio_in_stratum": lambda q: contrast.odds_ratio(*q.counts()),
    "odds_ratio_ci95": lambda q: _interval(contrast.woolf_odds_ratio(*q.counts(), level=0.95)),
    "impact_ratio_ci95_katz": lambda q: _interval(contrast.katz_ratio(*q.counts(), level=0.95)),
    "mh_rate_ratio": lambda q: q.group()["adjusted_impact_ratio"],
    "mh_rate_ratio_ci95": lambda q: _ends(q.group(), "adjusted_impact_ratio_ci"),
    "mh_odds_ratio": lambda q: q.group()["adjusted_odds_ratio"],
    "mh_odds_ratio_ci95": lambda q: _ends(q.group(), "adjusted_odds_ratio_ci"),
    "mh_rate_difference": lambda q: strata.mantel_haenszel_difference(*q.strata()),
    "cmh_chi2_no_correction": lambda q: strata.cochran_mantel_haenszel(*q.strata(), continuity=False).statistic,
    "cmh_p_no_correction": lambda q: strata.cochran_mantel_haenszel(*q.strata(), continuity=False).p,
    "cmh_chi2_continuity": lambda q: strata.cochran_mantel_haenszel(*q.strata(), continuity=True).statistic,
    "cmh_p_continuity": lambda q: strata.cochran_mantel_haenszel(*q.strata(), continuity=True).p,
    "breslow_day_chi2": lambda q: strata.breslow_day(*q.strata(), tarone=False).statistic,
    "breslow_day_p": lambda q: strata.breslow_day(*q.strata(), tarone=False).p,
    "rate_ci_clopper_pearson": _exact_interval,
    "p_holm": lambda q: _p_values(q, multiplicity.holm, q.at),
    "p_bh": lambda q: _p_values(q, multiplicity.benjamini_hochberg, q.at),
    "rejected_count": lambda q: _rejected(q, q.at),
}

SCORE_ANSWERS = {
    "scoring_rate_above_median": lambda q: _score(q, "scoring_rate"),
}

METRIC_ANSWERS = {
    "mean": lambda q: _of_value(q, "mean"),
    "p95": lambda q: _of_value(q, "p95"),
    "auc": _auc,
    "brier": lambda q: _of_probability(q, "brier"),
    "log_loss": lambda q: _of_probability(q, "log_loss"),
    "mae": lambda q: _of_prediction(q, "mae"),
    "rmse": lambda q: _of_prediction(q, "rmse"),
    "mse": lambda q: _of_prediction(q, "rmse") ** 2,
    "r2": lambda q: _of_prediction(q, "r2"),
    "median": lambda q: _quantile(q, 0.5),
    "p90_linear_type7": lambda q: _quantile(q, 0.9),
    "p95_linear_type7": lambda q: _quantile(q, 0.95),
    "auc_se_hanley_mcneil": _hanley_mcneil_se,
    "auc_se_delong": lambda q: ranking.delong_se(*_classes(q)),
    "auc_ci95_delong": _delong_interval,
}

KIND_OF = dict.fromkeys(SCORE_ANSWERS, SCORE) | dict.fromkeys(METRIC_ANSWERS, METRIC)
METRIC_ONLY = {"metric", "score"}
OTHER_CONVENTION = {"p90_weibull_type6", "p95_weibull_type6"}
"""Percentiles are interpolated linearly here (type 7), not by Weibull's rule."""


def close(found, wanted, relative, absolute):
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(
            close(f, w, relative, absolute) for f, w in zip(found, wanted, strict=True)
        )
    if isinstance(wanted, bool) or wanted is None:
        return found is wanted
    return found is not None and abs(found - wanted) <= absolute + relative * abs(wanted)


def faults_of(table, subtypes):
    """Yield every figure of a table that is absent or wrong, and check each published one on the way."""
    answers = ANSWERS | SCORE_ANSWERS | METRIC_ANSWERS
    for value in table["truth"]["values"]:
        metric = value["metric"]
        kind = METRIC if table["question"]["analysis"] in METRIC_ONLY else KIND_OF.get(metric, OUTCOME)
        if kind not in subtypes or metric in OTHER_CONVENTION:
            continue
        if metric not in answers:
            yield f"{metric} {value['at']}: no answer"
            continue
        found = answers[metric](Question(table, value))
        tolerances = max(value.get("rtol", 0), 1e-9), max(value.get("atol", 0), 1e-12)
        if not close(found, value["value"], *tolerances):
            yield f"{metric} {value['at']}: wanted {value['value']!r}, found {found!r}"


def test_figures_of(table, subtypes):
    assert list(faults_of(table, subtypes)) == []


def test_published_figures(table, subtypes):
    """What the source prints, where it is right, is the value rounded as the source rounds."""
    for value in table["truth"]["values"]:
        if not value.get("reproduces") or value["value"] is None:
            continue
        printed, exacts, tolerances = (
            item if isinstance(item, list) else [item]
            for item in (value["published"], value["value"], value["published_tol"])
        )
        if len(tolerances) == 1:
            tolerances = tolerances * len(exacts)
        for text, exact, allowed in zip(printed, exacts, tolerances, strict=True):
            if not isinstance(exact, bool):
                assert abs(float(text) / value["published_scale"] - exact) <= allowed * (1 + 1e-9), value


@pytest.mark.parametrize(
    ("found", "wanted", "is_close"),
    [
        (1.0, 1.0, True),
        (1.0 + 1e-8, 1.0, False),
        (None, None, True),
        (None, 0.0, False),
        (0.0, None, False),
        (True, True, True),
        (1, True, False),
        ([1.0, 2.0], [1.0, 2.0], True),
        ([1.0, 2.1], [1.0, 2.0], False),
        ([1.0], [1.0, 2.0], False),
        (math.nan, 1.0, False),
    ],
)
def test_what_counts_as_close(found, wanted, is_close):
    assert close(found, wanted, 1e-9, 1e-12) is is_close
