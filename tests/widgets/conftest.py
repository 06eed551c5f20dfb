import random

import pytest

import fairreport as fr

RACES = {"A": 0.50, "B": 0.37, "C": 0.44, " B": 0.40}
SEXES = ("F", "M")
SITES = ("north", "south", None)


def people(n=400, seed=5):
    """Rows with what data is like: a missing cell here and there, two spellings of one group, a rare group."""
    chance = random.Random(seed)
    rows = {"race": [], "sex": [], "site": [], "hired": [], "score": [], "qualified": [], "chance": []}
    for i in range(n):
        race = chance.choice([*RACES, None, "A", "B"]) if i % 40 else "rare"
        sex, site = chance.choice(SEXES), chance.choice(SITES)
        rows["race"].append(race)
        rows["sex"].append(sex)
        rows["site"].append(site)
        rows["hired"].append(None if i % 53 == 0 else int(chance.random() < RACES.get(race, 0.3)))
        rows["qualified"].append(i % 2)
        rows["chance"].append(i * 7 % 100 / 100)
        rows["score"].append(round(chance.gauss(0, 1) + (0.3 if race == "A" else 0), 1))
    return rows


@pytest.fixture(scope="session")
def crowd():
    return people()


@pytest.fixture(scope="session")
def rows(crowd):
    return crowd


@pytest.fixture
def audit(rows):
    """An audit with a test of each kind."""
    made = fr.Audit(rows, title="Shortlist", as_of="2026-11-01", about={"system": "screen 3"})
    made.outcome_disparity(["race", "sex"], "hired", 1)
    made.outcome_disparity("race", "hired", 1, control_columns="site", name="within sites", rationale="stated")
    made.score_disparity("sex", "score", thresholds=[("minScoringRateImpactRatio", ">=", 0.7)])
    made.metric_parity("race", ["median", "rate"], value_column="score", positive_values=[0.3], higher_is_better=True)
    made.rate_gaps(
        {"sex": ["F", "M"]},
        "qualified",
        "hired",
        [{"id": "selection", "rate": "selection", "attribute": "sex", "max_group_gap": 0.5}],
        probability="chance",
    )
    groups = {"race": "A", "sex": "M"}
    made.adverse_impact_ratio(
        outcome="qualified", reference_values=groups, air_threshold=0.9, percent_difference_threshold=0.01
    )
    made.standardized_mean_difference(outcome="score", reference_values=groups, smd_threshold=-0.2)
    made.odds_ratio(outcome="hired", reference_values=groups, odds_ratio_threshold=0.8, percent_difference_threshold=0)
    return made
