"""Selection rates and counts by group against fairlearn's MetricFrame."""

from fairlearn.metrics import MetricFrame, count, selection_rate
from made_up import frame
from measuring import Row, median_seconds

import fairreport as fr


def measure(_place):
    people = frame(1_000_000)
    as_categories = people.astype({"sex": "category", "race": "category"})

    def theirs():
        frame_of_metrics = MetricFrame(
            metrics={"selection_rate": selection_rate, "count": count},
            y_true=people["selected"],
            y_pred=people["selected"],
            sensitive_features=people[["sex", "race"]],
        )
        return frame_of_metrics.by_group

    yardstick = median_seconds(theirs)
    for what, data in (("text columns", people), ("categories", as_categories)):

        def whole(data=data):
            fr.outcome_disparity(data, ["sex", "race"], "selected", 1).to_dict()

        yield Row(
            what=f"1 M rows, {what}: rates, tests and intervals",
            measured=median_seconds(whole),
            target=yardstick / 100,
            yardstick=yardstick,
            yardstick_is="MetricFrame, rates only",
        )
