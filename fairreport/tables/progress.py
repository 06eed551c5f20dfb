"""How far a long read is: whoever wants to show it listens here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread

Listener = Callable[[float], None]

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)
_POLL_SECONDS = 0.2


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell `listener` the share read, from 0 to 1, of every long read within the block."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def reported(percent: Callable[[], float]) -> Iterator[None]:
    """Poll `percent` (0 to 100, negative where unknown) while the block runs, if somebody listens."""
    listener = _LISTENER.get()
    if listener is None:
        yield
        return
    done = Event()

    def poll() -> None:
        while not done.wait(_POLL_SECONDS):
            share = percent()
            if share >= 0:
                listener(min(share / 100, 1.0))

    thread = Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        listener(1.0)
