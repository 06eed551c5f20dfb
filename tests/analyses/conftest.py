"""Tables of counts, judged."""

import pytest

from fairreport import Audit


def columns_of(groups):
    """Return a table of counts with one row for each group and outcome."""
    rows = [(label, 1, a) for label, (a, n) in groups.items()] + [(label, 0, n - a) for label, (a, n) in groups.items()]
    return dict(zip(("g", "o", "n"), map(list, zip(*rows, strict=True)), strict=True))


@pytest.fixture
def judge():
    """Return the entry of an outcome test over {label: (favorable, rows)}; all groups are judged unless stated."""

    def run(groups, *, favorable=1, **parameters):
        stated = {"min_group_size": 1, "min_group_share": 0} | parameters
        audit = Audit(columns_of(groups), counts="n").outcome_disparity("g", "o", favorable, **stated)
        return audit.run().to_dict()["results"][0]

    return run


@pytest.fixture
def by_label():
    return lambda entry: {group["group"]["g"]: group for group in entry["groups"]}
