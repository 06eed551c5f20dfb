"""How long an engine may take, and that nothing goes on in it once nobody waits for the answer."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from fairreport.errors import DataError

TIMEOUT = "FAIRREPORT_ENGINE_TIMEOUT"
"""Environment variable: seconds that a statement may take."""

_LONGEST = 300
_OUT_OF_RANGE = "NumericValueOutOfRange"
"""What psycopg calls such an error of PostgreSQL."""
_TOO_LARGE = re.compile("overflow|out of range")

T = TypeVar("T")


def _seconds() -> float | None:
    text = os.environ.get(TIMEOUT, "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise DataError(f"{TIMEOUT} must be seconds above 0, got {text!r}")
    return seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of what an engine is asked.

    Attributes
    ----------
    seconds : float or None
        How long one statement may take, rows fetched included; None is without limit.
    retries : int
        How often a statement is asked again that lost its connection before it gave a row. All of them only read.
    """

    seconds: float | None = field(default_factory=_seconds)
    retries: int = 1

    @contextmanager
    def watch(self, engine: str, cancel: Callable[[], None]) -> Iterator[None]:
        """Stop what runs in the engine when it takes too long, and when what waits for it ends by itself.

        Raises
        ------
        DataError
            If it took too long.
        """
        late = threading.Event()

        def stop() -> None:
            late.set()
            cancel()

        timer = None if self.seconds is None else threading.Timer(self.seconds, stop)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        except KeyboardInterrupt:  # whoever closes the iterator does so between two batches, when nothing runs
            cancel()
            raise
        except Exception:
            if late.is_set():
                raise DataError(
                    f"{engine} took longer than {self.seconds:g} s, and its statement was stopped ({TIMEOUT})"
                ) from None
            raise
        finally:
            if timer is not None:
                timer.cancel()


def heard(work: Callable[[], T], cancel: Callable[[], None]) -> T:
    """Return what some work gives, done in a thread of its own: one that waits here hears Ctrl-C, a driver does not.

    Parameters
    ----------
    work : callable
        Asks an engine of this very process.
    cancel : callable
        Stops what the engine is at.
    """
    found: list[T] = []
    wrong: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # noqa: BLE001 - handed over to whom it belongs to
            wrong.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        ended.wait()  # to join the thread takes it for ended once that was interrupted
    except BaseException:
        while not ended.wait(0.1):
            cancel()
        raise
    if wrong:
        raise wrong[0]
    return found[0]


class LostError(DataError):
    """The connection was lost while rows were read that all have to be those of one moment."""


class OutOfRangeError(DataError):
    """An engine refused a number that its type does not hold."""


class VanishedError(OutOfRangeError):
    """An engine refused a product that may be too small for a double, and did not round it to 0."""


def engine_error(engine: str, error: BaseException) -> DataError:
    """Return an engine's error in one line, without what a driver tells of its connection string."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = lines[0][:_LONGEST] if lines else type(error).__name__
    if "underflow" in said:
        return VanishedError(f"{engine} gave no answer: {said}")
    if any(kind.__name__ == _OUT_OF_RANGE for kind in type(error).__mro__):
        # Servers speak their own language: what is not known to be too large may have been too small.
        kind = OutOfRangeError if _TOO_LARGE.search(said) else VanishedError
        return kind(f"{engine} gave no answer: {said}")
    return DataError(f"{engine} gave no answer: {said}")
