"""The answer of rate-gap rules as plain text: one line a rule, the worst pair against the bar, what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.fairness import FairnessAnswer
from fairreport.audit.gap_assumptions import NOT_TOLD
from fairreport.render import formats
from fairreport.render.gap_sentences import asked, deciding, left_out, more_cases, placed, reason, too_few
from fairreport.render.words import rule_state


def gap_text(answer: FairnessAnswer) -> str:
    """Return an answer as text, a line end at its end.

    Parameters
    ----------
    answer : FairnessAnswer
        What the rules read.
    """
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: FairnessAnswer) -> Iterator[str]:
    level = formats.level(answer.test.confidence_level)
    cases = formats.plural(answer.tally.rows, "case", "cases")
    yield f"{formats.printable(answer.name)}: {rule_state(answer.state).text} ({cases}, {level} confidence)"
    yield ""
    for found in answer.rules:
        yield from _rule(found)
    for name, values in answer.tally.undeclared:
        yield f"Undeclared values of {formats.printable(name)}: {', '.join(map(formats.printable, values))}."
    for item in answer.finding.calibration or ():
        if item.ece is not None:
            noise = f"{formats.fixed(item.noise_mean)} on average, up to {formats.fixed(item.noise_p95)} in 95%"
            without = f", {formats.count(item.missing)} without a probability" if item.missing else ""
            yield (
                f"calibration error of {formats.printable(item.label)}: {formats.fixed(item.ece)} over "
                f"{formats.plural(item.n, 'case', 'cases')}{without}; a calibrated model would show {noise}"
            )
    if answer.finding.calibration:
        yield "Calibration never decides a rule."
    yield ""
    yield from (f"Taken as given: {text}" for text in answer.statements)
    yield f"Not told: {'; '.join(NOT_TOLD)}."


def _rule(found: RuleFinding) -> Iterator[str]:
    yield f"{rule_state(found.state).text}  {formats.printable(found.id)}: {asked(found).whole}"
    yield f"    {reason(found).whole}; {deciding(found).whole}"
    for said in (*too_few(found), left_out(found), placed(found), more_cases(found.more)):
        if said is not None:
            yield f"    {said.whole}"
