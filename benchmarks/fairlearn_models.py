"""Metrics of a model by group against fairlearn's MetricFrame over scikit-learn."""

import numpy as np
from fairlearn.metrics import MetricFrame
from made_up import frame
from measuring import Row, median_seconds
from sklearn.metrics import precision_score, roc_auc_score

import fairreport as fr

ROWS = 1_000_000


def measure(_place):
    rng = np.random.default_rng(2026)
    people = frame(ROWS).astype({"race": "category"})
    people["score"] = np.clip(0.2 * people["selected"] + 0.8 * rng.random(ROWS), 0, 1)
    people["decided"] = (people["score"] > 0.5).astype(np.int64)
    labels = {"ground_truth_column": "selected", "positive_values": 1}
    predicted = {"prediction_column": "decided"} | labels
    value = {"value_column": "score", "higher_is_better": True}
    for what, theirs, column, metric, parameters in (
        ("AUC", roc_auc_score, "score", "auc", {"score_column": "score"} | labels),
        ("false omission rate", _false_omission_rate, "decided", "false_omission_rate", predicted),
        ("mean", lambda _, scores: np.mean(scores), "score", "mean", value),
    ):

        def yardstick(theirs=theirs, column=column):
            found = MetricFrame(
                metrics=theirs, y_true=people["selected"], y_pred=people[column], sensitive_features=people["race"]
            )
            return found.by_group, found.overall

        def whole(metric=metric, parameters=parameters):
            return fr.metric_parity(people, "race", metric, **parameters).to_dict()

        seconds = median_seconds(yardstick)
        yield Row(
            what=f"1 M rows, {what} by group: values, tests and intervals",
            measured=median_seconds(whole),
            target=seconds / 50,
            yardstick=seconds,
            yardstick_is="MetricFrame, values only",
        )


def _false_omission_rate(truth, predicted):
    return 1 - precision_score(truth, predicted, pos_label=0)
