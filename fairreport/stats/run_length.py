"""How long a CUSUM chart runs on average before it signals: a Markov chain, solved without approximation.

The chart stands on whole steps: at each time it moves by a whole number of steps, stays at 0 where it would fall below,
and signals where it reaches its limit. So it is a Markov chain on 0 .. limit - 1, and its average run length from 0 is
the first element of ``(I - Q)^-1 1``, with Q the transitions among these states (Brook and Evans 1972). The matrices of
smaller limits are the leading parts of those of larger ones, so one elimination answers for every limit at once.

References
----------
Page, E. S. (1954). Continuous inspection schemes. Biometrika 41(1/2), 100-115.
Brook, D., Evans, D. A. (1972). An approach to the probability distribution of CUSUM run length. Biometrika 59(3),
539-549, section 2 (discrete observations, where the chain is exact).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_FIRST_SIZE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The distribution of one move of a chart.

    Attributes
    ----------
    lowest : int
        The smallest move; everything below is counted there.
    probabilities : ndarray of float64, shape (m,)
        Of the moves ``lowest, lowest + 1, ...``; what they lack to 1 is the probability of a still larger move.
    """

    lowest: int
    probabilities: FloatArray

    def at(self, moves: npt.NDArray[np.int64]) -> FloatArray:
        """Return the probability of each move."""
        places = moves - self.lowest
        inside = (places >= 0) & (places < len(self.probabilities))
        found = np.zeros(moves.shape)
        found[inside] = self.probabilities[places[inside]]
        return found

    def at_most(self, moves: npt.NDArray[np.int64]) -> FloatArray:
        """Return the probability of each move or a smaller one."""
        summed = np.concatenate([[0.0], np.cumsum(self.probabilities)])
        return summed[np.clip(moves - self.lowest + 1, 0, len(self.probabilities))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit in steps, and the average run length of the chart that has it."""

    steps: int
    average_run_length: float


def average_run_lengths(steps: Steps, largest: int) -> FloatArray:
    """Return the average run length, from 0, of the charts with the limits 1 .. `largest`.

    Parameters
    ----------
    steps : Steps
        How the chart moves.
    largest : int
        At least 1.

    Returns
    -------
    ndarray of float64, shape (largest,)
        Times until the chart reaches its limit, the last one counted; increasing. Infinite where it never does.

    Notes
    -----
    ``I - Q = L U`` without pivoting (its diagonal dominates). With ``y = L^-1 1`` and ``z^T = e_0^T U^-1``, both of
    which do not change where the limit grows, the average run length for the limit h is ``sum of z_i y_i for i < h``.

    Examples
    --------
    A coin of one half moves the chart up or down a step; it reaches 2 after 6 throws on average.

    >>> coin = Steps(lowest=-1, probabilities=np.array([0.5, 0.0, 0.5]))
    >>> average_run_lengths(coin, 2).tolist()
    [2.0, 6.0]
    """
    states = np.arange(largest)
    matrix = -steps.at(states[None, :] - states[:, None])
    matrix[:, 0] = -steps.at_most(-states)
    matrix[states, states] += 1.0
    forward, backward = np.ones(largest), np.zeros(largest)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        backward[0] = 1.0
        for i in range(largest):
            pivot = matrix[i, i]
            backward[i] /= pivot
            below = matrix[i + 1 :, i] / pivot
            forward[i + 1 :] -= below * forward[i]
            backward[i + 1 :] -= backward[i] * matrix[i, i + 1 :]
            matrix[i + 1 :, i + 1 :] -= below[:, None] * matrix[i, None, i + 1 :]
        lengths = np.cumsum(forward * backward)
    return np.where(np.isfinite(lengths) & (lengths > 0), lengths, np.inf)


def smallest_limit(steps: Steps, target: float, *, largest: int) -> Limit | None:
    """Return the smallest limit with an average run length of at least `target`; None where none up to `largest` has.

    Examples
    --------
    >>> coin = Steps(lowest=-1, probabilities=np.array([0.5, 0.0, 0.5]))
    >>> smallest_limit(coin, 10.0, largest=64)
    Limit(steps=3, average_run_length=12.0)
    """
    size = min(_FIRST_SIZE, largest)
    while True:
        lengths = average_run_lengths(steps, size)
        enough = np.flatnonzero(lengths >= target)
        if len(enough):
            return Limit(steps=int(enough[0]) + 1, average_run_length=float(lengths[enough[0]]))
        if size == largest:
            return None
        size = min(size * 3 // 2, largest)
