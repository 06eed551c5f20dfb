"""Twenty tests of all kinds in one audit against the slowest of them alone."""

from made_up import write_parquet
from measuring import Row, median_seconds

from fairreport import Audit

LABELS = {"ground_truth_column": "selected", "positive_values": 1}
VALUE = {"value_column": "score", "higher_is_better": True}
ERRORS = {"prediction_column": "score", "ground_truth_column": "selected", "max_difference": 1}
METRICS = {
    "auc": {"score_column": "score"} | LABELS,
    "log_loss": {"probability_column": "score"} | LABELS,
    "brier": {"probability_column": "score"} | LABELS,
    "npv": {"prediction_column": "selected"} | LABELS,
    "mae": ERRORS,
    "rmse": ERRORS,
    "r2": ERRORS,
    "mean": VALUE,
    "median": VALUE,
    "p95": VALUE,
    "rate": {"value_column": "selected", "positive_values": 1, "higher_is_better": True},
}


def tests():
    """Return one function a test, which adds it to an audit."""
    added = [lambda audit, m=m, p=p: audit.metric_parity("race", m, **p) for m, p in METRICS.items()]
    added += [lambda audit, g=g: audit.outcome_disparity(g, "selected", 1) for g in ("race", "sex", ["race", "sex"])]
    added += [
        lambda audit, h=h: audit.score_disparity("race", "score", higher_is_favorable=h, name=f"score {h}")
        for h in (True, False)
    ]
    added += [
        lambda audit, a=a: audit.metric_parity("race", "mean", **VALUE, alpha=a, name=f"mean at {a}")
        for a in (0.01, 0.1)
    ]
    added += [
        lambda audit, c=c: audit.metric_parity("race", "median", **VALUE, comparison=c, name=f"median, {c}")
        for c in ("reference", "overall")
    ]
    return added  # fmt: skip


def measure(place):
    path = write_parquet(place.folder / "people-10M.parquet", 10_000_000)

    def seconds(listed, runs):
        def whole():
            audit = Audit(path)
            for add in listed:
                add(audit)
            audit.run().to_json()

        return median_seconds(whole, runs=runs)

    every = tests()
    slowest = max(seconds([add], 3) for add in every)
    yield Row(
        what=f"audit of {len(every)} tests, 10 M Parquet rows",
        measured=seconds(every, 5),
        target=2.5 * slowest,
        yardstick=slowest,
        yardstick_is="the slowest test alone",
    )
