"""Shares of positive labels: counts only, so they come from the same pass as outcomes."""

from __future__ import annotations

from collections.abc import Mapping

from fairreport.tables.needs import MeasureNeeds, Reading
from fairreport.tables.sinks import Label, MeasureSink, positives
from fairreport.tables.source import Key
from fairreport.tables.tally import MetricTally, NoTally, Scan, ShareGroup, Unavailable
from fairreport.tables.text import Folder


class ShareSink:
    """Gathers a share: of all rows by one label column, or of the predicted negatives by a second one.

    With one label column the support is every row and a hit is a positive value. With two, the prediction
    and the truth, the support is the rows predicted negative and a hit is a row that is truly positive (the
    numerator of the false omission rate; the rest is that of the negative predictive value).
    """

    def __init__(self, need: MeasureNeeds, reading: Reading, folders: Mapping[str, Folder]) -> None:
        self._need = need
        self._sink = MeasureSink(need, reading, folders)
        self.columns = self._sink.columns

    def add(self, key: Key, n: int) -> None:
        """Take in `n` rows that share the same raw cells."""
        if not self._sink.too_many_groups:
            self._sink.add(key, n, n)

    @property
    def too_many_groups(self) -> bool:
        """Whether there are more groups than can be judged."""
        return self._sink.too_many_groups

    def scan(self) -> Scan:
        """Return the finished tally, or why there is none."""
        sink = self._sink
        refused = sink.refusal_of_columns() or sink.no_groups("the measured columns") or absent_class(sink)
        return Scan(
            tally=refused or self._tally(),
            spellings=sink.spellings(),
            undeclared=sink.undeclared(),
            absent=sink.absent(),
        )

    def _tally(self) -> MetricTally:
        sink = self._sink
        groups = tuple(self._group(label, n) for label, n in sorted(sink.sizes.items()))
        overall = ShareGroup(
            group=(),
            n=sum(g.n for g in groups),
            support=sum(g.support for g in groups),
            hits=sum(g.hits for g in groups),
        )
        return MetricTally(
            attributes=sink.attributes,
            columns=tuple(item.column for item in self._need.labels),
            positive_values=tuple(sorted(self._need.labels[-1].positive)),
            rows=sink.row_count(),
            groups=groups,
            overall=overall,
            missing=sink.missing(with_favorable=False),
        )

    def _group(self, label: Label, n: int) -> ShareGroup:
        patterns = self._sink.patterns[label]
        if len(self._need.labels) == 1:
            return ShareGroup(group=label, n=n, support=n, hits=patterns[(True,)])
        missed, right = patterns[(False, True)], patterns[(False, False)]
        return ShareGroup(group=label, n=n, support=missed + right, hits=missed)


def absent_class(sink: MeasureSink) -> NoTally | None:
    """Return the refusal where the evaluated rows hold no positive value although the metric needs one."""
    if sink.has_positive or not sink.need.needs_positive:
        return None
    labels = sink.need.labels[-1]
    detail = f"no evaluated row of column {labels.column!r} has a positive value ({positives(labels)})"
    return NoTally(code=Unavailable.POSITIVE_CLASS_ABSENT, column=labels.column, detail=detail)
