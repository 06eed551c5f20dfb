"""Every metric's value, interval and p-value against scikit-learn, numpy and scipy."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from statsmodels.stats.multitest import multipletests

from fairreport import Audit

EVERY = {"min_group_size": 1, "min_group_share": 0}
N = 240


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(2026)
    truth = rng.integers(0, 2, N)
    return pd.DataFrame(
        {
            "g": rng.choice(["A", "B", "C"], N, p=[0.5, 0.3, 0.2]),
            "y": truth,
            "p": np.clip(np.round(0.3 * truth + 0.7 * rng.random(N), 2), 0, 1),
            "d": rng.integers(0, 2, N),
            "real": rng.normal(50, 10, N),
            "said": rng.normal(50, 12, N),
        }
    )


PARAMETERS = {
    "auc": {"score_column": "p", "ground_truth_column": "y", "positive_values": [1]},
    "log_loss": {"probability_column": "p", "ground_truth_column": "y", "positive_values": [1]},
    "brier": {"probability_column": "p", "ground_truth_column": "y", "positive_values": [1]},
    "npv": {"prediction_column": "d", "ground_truth_column": "y", "positive_values": [1]},
    "false_omission_rate": {"prediction_column": "d", "ground_truth_column": "y", "positive_values": [1]},
    "mae": {"prediction_column": "said", "ground_truth_column": "real"},
    "rmse": {"prediction_column": "said", "ground_truth_column": "real"},
    "r2": {"prediction_column": "said", "ground_truth_column": "real", "max_difference": 9},
    "mean": {"value_column": "real", "higher_is_better": True},
    "median": {"value_column": "real", "higher_is_better": True},
    "p95": {"value_column": "real", "higher_is_better": False},
    "rate": {"value_column": "y", "positive_values": [1], "higher_is_better": True},
}

THEIRS = {
    "auc": lambda f: metrics.roc_auc_score(f["y"], f["p"]),
    "log_loss": lambda f: metrics.log_loss(f["y"], f["p"], labels=[0, 1]),
    "brier": lambda f: metrics.brier_score_loss(f["y"], f["p"]),
    "npv": lambda f: metrics.precision_score(f["y"], f["d"], pos_label=0),
    "false_omission_rate": lambda f: 1 - metrics.precision_score(f["y"], f["d"], pos_label=0),
    "mae": lambda f: metrics.mean_absolute_error(f["real"], f["said"]),
    "rmse": lambda f: metrics.root_mean_squared_error(f["real"], f["said"]),
    "r2": lambda f: metrics.r2_score(f["real"], f["said"]),
    "mean": lambda f: np.mean(f["real"]),
    "median": lambda f: np.median(f["real"]),
    "p95": lambda f: np.quantile(f["real"], 0.95),
    "rate": lambda f: np.mean(f["y"]),
}


def entry_of(data, metric, **parameters):
    audit = Audit(data).metric_parity("g", metric, **(PARAMETERS[metric] | EVERY | parameters))
    entry = audit.run().to_dict()["results"][0]
    assert entry["skip_code"] is None, entry["skip_reason"]
    return entry


def rows_of(entry):
    return {group["group"]["g"]: group for group in entry["groups"]}


@pytest.mark.parametrize("metric", THEIRS)
def test_values_are_those_of_scikit_learn_and_numpy(people, metric):
    # scikit-learn 1.7 and numpy 2, on the rows of each group and on all rows.
    entry = entry_of(people, metric)
    for label, rows in people.groupby("g"):
        assert rows_of(entry)[label]["value"] == pytest.approx(THEIRS[metric](rows), rel=1e-12)
    assert entry["overall_value"] == pytest.approx(THEIRS[metric](people), rel=1e-12)


def losses(rows, metric):
    """Return the numbers per row that a metric averages."""
    if metric == "log_loss":
        given = np.clip(np.where(rows["y"] == 1, rows["p"], 1 - rows["p"]), 2.0**-52, 1 - 2.0**-52)
        return -np.log(given)
    return {
        "brier": (rows["p"] - rows["y"]) ** 2,
        "mae": (rows["said"] - rows["real"]).abs(),
        "rmse": (rows["said"] - rows["real"]) ** 2,
        "mean": rows["real"],
    }[metric].to_numpy()


AVERAGES = ["log_loss", "brier", "mae", "rmse", "mean"]


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("metric", AVERAGES)
def test_averages_are_tested_like_scipy(people, metric, comparison):
    # scipy.stats.ttest_ind(equal_var=False): group against reference, or against all other rows.
    entry = entry_of(people, metric, comparison=comparison)
    reference = None if entry["reference"] is None else entry["reference"]["g"]
    for label, row in rows_of(entry).items():
        others = people["g"] == reference if reference else people["g"] != label
        if label == reference:
            assert row["p_value"] is None
            continue
        wanted = stats.ttest_ind(
            losses(people[people["g"] == label], metric), losses(people[others], metric), equal_var=False
        ).pvalue
        assert row["p_value"] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("metric", AVERAGES)
def test_averages_have_student_intervals(people, metric):
    # The interval of scipy.stats.ttest_1samp
    for label, row in rows_of(entry_of(people, metric, alpha=0.1)).items():
        values = losses(people[people["g"] == label], metric)
        low, high = stats.ttest_1samp(values, 0).confidence_interval(0.9)
        if metric == "rmse":
            low, high = math.sqrt(max(low, 0)), math.sqrt(high)
        assert (row["ci_low"], row["ci_high"]) == (pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))


def shares(rows, metric):
    """Return hits and support."""
    if metric == "rate":
        return int(rows["y"].sum()), len(rows)
    negative = rows[rows["d"] == 0]
    wanted = 0 if metric == "npv" else 1
    return int((negative["y"] == wanted).sum()), len(negative)


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("metric", ["npv", "false_omission_rate", "rate"])
def test_shares_are_tested_like_scipy(people, metric, comparison):
    # Fisher: scipy.stats.fisher_exact. Wilson: the interval of scipy.stats.binomtest
    entry = entry_of(people, metric, comparison=comparison)
    reference = None if entry["reference"] is None else entry["reference"]["g"]
    for label, row in rows_of(entry).items():
        hits, support = shares(people[people["g"] == label], metric)
        assert row["support"] == support
        interval = stats.binomtest(hits, support).proportion_ci(method="wilson")
        assert (row["ci_low"], row["ci_high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))
        others = people["g"] == reference if reference else people["g"] != label
        if label != reference:
            b, m = shares(people[others], metric)
            wanted = stats.fisher_exact([[hits, support - hits], [b, m - b]]).pvalue
            assert row["p_value"] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize(("metric", "q"), [("median", 0.5), ("p95", 0.95)])
def test_quantiles_are_tested_at_the_pooled_quantile(people, metric, q, comparison):
    # numpy.quantile of both together, then scipy.stats.fisher_exact on the counts strictly above it.
    entry = entry_of(people, metric, comparison=comparison)
    reference = None if entry["reference"] is None else entry["reference"]["g"]
    for label, row in rows_of(entry).items():
        if label == reference:
            continue
        mine = people.loc[people["g"] == label, "real"]
        theirs = people.loc[people["g"] == reference if reference else people["g"] != label, "real"]
        pooled = np.quantile(np.concatenate([mine, theirs]), q)
        a, b = int((mine > pooled).sum()), int((theirs > pooled).sum())
        wanted = stats.fisher_exact([[a, len(mine) - a], [b, len(theirs) - b]]).pvalue
        assert row["p_value"] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(("metric", "q"), [("median", 0.5), ("p95", 0.95)])
def test_quantiles_have_order_statistic_intervals(people, metric, q):
    # The interval of scipy.stats.quantile_test
    for label, row in rows_of(entry_of(people, metric)).items():
        values = people.loc[people["g"] == label, "real"]
        wanted = stats.quantile_test(values, p=q).confidence_interval(0.95)
        found = [math.nan if row[end] is None else row[end] for end in ("ci_low", "ci_high")]
        assert found == pytest.approx([wanted.low, wanted.high], nan_ok=True)


def test_auc_is_tested_by_hanley_and_mcneil(people):
    # The formulas of Hanley and McNeil (1982) on scikit-learn's areas; p from scipy.stats.norm.
    entry = entry_of(people, "auc")
    reference = entry["reference"]["g"]

    def area(label):
        rows = people[people["g"] == label]
        a, m = metrics.roc_auc_score(rows["y"], rows["p"]), int(rows["y"].sum())
        n, q1, q2 = len(rows) - m, a / (2 - a), 2 * a * a / (1 + a)
        return a, math.sqrt((a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n))

    best, best_error = area(reference)
    for label, row in rows_of(entry).items():
        value, error = area(label)
        z = stats.norm.ppf(0.975)
        assert row["ci_low"] == pytest.approx(max(0, value - z * error))
        assert row["ci_high"] == pytest.approx(min(1, value + z * error))
        if label != reference:
            wanted = 2 * stats.norm.sf(abs(value - best) / math.hypot(error, best_error))
            assert row["p_value"] == pytest.approx(wanted, rel=1e-9)


def test_confident_and_wrong_probabilities(people):
    # scikit-learn's log_loss clips at the float64 epsilon as well.
    sure = people.assign(p=people["d"].astype(float))
    for label, row in rows_of(entry_of(sure, "log_loss")).items():
        rows = sure[sure["g"] == label]
        assert row["value"] == pytest.approx(metrics.log_loss(rows["y"], rows["p"], labels=[0, 1]), rel=1e-12)


def test_adjusted_p_values_are_those_of_statsmodels(people):
    # multipletests of statsmodels, over the groups that were tested
    for ours, theirs in (("holm", "holm"), ("benjamini_hochberg", "fdr_bh")):
        entry = entry_of(people, "mean", comparison="overall", p_value_adjustment=ours)
        raw = [row["p_value"] for row in entry["groups"]]
        wanted = multipletests(raw, method=theirs)[1]
        assert [row["adjusted_p"] for row in entry["groups"]] == pytest.approx(wanted, rel=1e-12)
