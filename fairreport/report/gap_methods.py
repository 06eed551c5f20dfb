"""How rate gaps are bounded and what each state means, for the methods section."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.report.used import Used

GAP_INTRO = (
    "A group has k events among n cases with a prediction, and m cases whose prediction is missing; G groups are "
    "declared for the rule. Everything is computed from these whole numbers."
)

GAP_METHODS: tuple[tuple[Callable[[Used], bool], str, str, str, str], ...] = (
    (
        lambda used: bool(used.gaps),
        "Rate of a group",
        "k / n",
        "Error rate: predictions other than the label among all cases. False positive rate: predicted 1 among those "
        "labelled 0. False negative rate: predicted 0 among those labelled 1. Selection rate: predicted 1 among all.",
        "",
    ),
    (
        lambda used: bool(used.gaps),
        "Error budget",
        "α = (1 − confidence) / (looks × rules that share it × G)",
        "The budget of a rule is divided by its declared groups, empty ones included, so that the intervals of all "
        "groups hold at once.",
        "Bonferroni; Dunn (1961), JASA 56, 52–64",
    ),
    (
        lambda used: bool(used.gaps),
        "Exact interval of a rate",
        "quantile α/2 of Beta(k, n + m − k + 1) to quantile 1 − α/2 of Beta(k + m + 1, n − k)",
        "Clopper-Pearson, half of α in each tail. A missing prediction stays in its group: no event for the lower end, "
        "an event for the upper one.",
        "Clopper and Pearson (1934), Biometrika 26, 404–413",
    ),
    (
        lambda used: used.bounds_at_once,
        "Bounds of a gap",
        "d from l₁ − u₂ to u₁ − l₂; gap from max(0, d₁, −d₂) to max(d₂, −d₁)",
        "From the intervals l₁ to u₁ and l₂ to u₂ of both groups. Where all group intervals hold, so do the bounds of "
        "all pairs; no further correction.",
        "",
    ),
    (
        lambda used: used.bounds_pairs,
        "Bounds of a gap, pair by pair",
        "d − √((p − l₁)² + (u₂ − q)²) to d + √((u₁ − p)² + (q − l₂)²)",
        "Newcombe’s hybrid of two Wilson intervals, the error budget divided by the G (G − 1) / 2 pairs. Missing "
        "predictions are placed at their worst for either end. It is approximate where the intervals of groups are "
        "exact, and usually narrower. Floors and ceilings are held against the exact intervals all the same.",
        "Newcombe (1998), Statistics in Medicine 17, 873–890, method 10",
    ),
    (
        lambda used: bool(used.gaps),
        "Left-out cases anywhere",
        "k of n + m + those without an event, for the lower end; k + m + those with one, for the upper",
        "The left-out cases that the rate is about join each group as would move its ends furthest; one without a "
        "prediction counts at its worst for either end. It decides no rule.",
        "",
    ),
    (
        lambda used: bool(used.gaps),
        "States, and their order",
        "",
        "The first that holds. More left out than the rule allows: INSUFFICIENT_EVIDENCE. Some interval wholly beyond "
        "the bar: FAIL. A group "
        "with too few cases, or an interval that reaches over the bar: INSUFFICIENT_EVIDENCE. Else all are within it: "
        "MANUAL_REVIEW where the rule asks for a person, PASS where it does not. A test reads as its worst rule: FAIL, "
        "then MANUAL_REVIEW, INSUFFICIENT_EVIDENCE, PASS.",
        "",
    ),
    (
        lambda used: bool(used.gaps),
        "More cases that would decide",
        "smallest size of every group at which its present rate decides",
        "Groups below it are grown at their present rates, missing predictions as many as they are; searched by "
        "halving. It is a plan for one further look, and no result.",
        "",
    ),
    (
        lambda used: used.calibrates,
        "Calibration error",
        "Σ (n of the bin / n) |mean label − mean probability|",
        "Over bins of equal width; a probability on the edge of two stands in the upper one, 1 in the last. It never "
        "decides a rule.",
        "Naeini, Cooper and Hauskrecht (2015), AAAI, 2901–2907",
    ),
    (
        lambda used: used.calibrates,
        "Noise of the calibration error",
        "mean and 95th percentile over 1,000 draws",
        "What a perfectly calibrated model would show: labels drawn from the mean probability of each bin, with a seed "
        "made from the content.",
        "",
    ),
)

GAP_RULES: tuple[tuple[Callable[[Used], bool], str], ...] = (
    (
        lambda used: bool(used.gaps),
        "A bound within 1e-12 of a bar is on it, and on the bar is within the bar.",
    ),
    (
        lambda used: bool(used.gaps),
        "A declared group without a case of the rate has no rate and the interval 0 to 1. It stays among the G groups.",
    ),
    (
        lambda used: bool(used.gaps),
        "A group with fewer cases with a prediction than the smallest group of section 3 keeps its rule from PASS; it "
        "can still take part in a gap that fails.",
    ),
    (
        lambda used: bool(used.gaps),
        "A case that lacks one attribute and has an undeclared value of another is counted as missing. Each rule "
        "leaves out by its own attributes only.",
    ),
    (
        lambda used: bool(used.gaps),
        "The left-out share is of all rows, and is above its limit only where it is strictly greater.",
    ),
    (
        lambda used: bool(used.gaps),
        "The bar of a selection rate for every group is a floor; that of an error, false positive or false negative "
        "rate is a ceiling.",
    ),
    (
        lambda used: used.calibrates,
        "A case without a probability is left out of calibration only, and counted.",
    ),
)
