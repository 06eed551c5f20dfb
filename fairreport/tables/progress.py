"""How far a long read is: whoever wants to show it listens here; where nobody does, a bar is shown to a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from threading import Event, Thread

from fairreport.tables.progress_bar import bar

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
    """Poll `percent` (0 to 100, negative where unknown) while the block runs, if somebody listens or sees a bar."""
    with ExitStack() as stack:
        listener = _LISTENER.get() or stack.enter_context(bar())
        if listener is None:
            yield
        else:
            with _polled(percent, listener):
                yield


@contextmanager
def _polled(percent: Callable[[], float], listener: Listener) -> Iterator[None]:
    done = Event()

    def poll() -> None:
        while not done.wait(_POLL_SECONDS):
            share = percent()
            if share >= 0:
                listener(min(share / 100, 1.0))

    thread = Thread(target=copy_context().run, args=(poll,), daemon=True)  # a notebook knows its cell by the context
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        listener(1.0)
