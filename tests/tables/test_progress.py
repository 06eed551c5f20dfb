"""A bar is shown to a person at a terminal or a notebook, and leaves nothing behind; to nobody else."""

import sys
import time
from types import ModuleType, SimpleNamespace

import pytest

from fairreport.tables import progress, progress_bar
from fairreport.tables.progress import listening, reported


class Stream:
    def __init__(self, is_terminal):
        self.text, self.is_terminal = "", is_terminal

    def isatty(self):
        return self.is_terminal

    def write(self, text):
        self.text += text

    def flush(self): ...


class Notebook:
    """A kernel whose cell may ask for input or not, and the outputs of that cell."""

    def __init__(self, monkeypatch, content):
        self.outputs, self.updates = [], []
        parent = {"content": content}
        shell = SimpleNamespace(kernel=SimpleNamespace(get_parent=lambda _: parent))
        ipython, shows = ModuleType("IPython"), ModuleType("IPython.display")
        ipython.get_ipython = lambda: shell
        shows.display = self.display
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        monkeypatch.setitem(sys.modules, "IPython.display", shows)

    def display(self, data, *, raw, display_id):
        assert raw
        assert display_id
        self.outputs.append(data["text/plain"])
        return self

    def update(self, data, *, raw):
        assert raw
        self.updates.append(self.outputs[-1])
        self.outputs[-1] = data["text/plain"]


@pytest.fixture
def at_once(monkeypatch):
    """No waiting before a bar, and no CI."""
    monkeypatch.setattr(progress_bar, "SECONDS_BEFORE_BAR", 0)
    monkeypatch.setattr(progress, "_POLL_SECONDS", 0.01)
    monkeypatch.delenv("CI", raising=False)


def read():
    with reported(lambda: 40.0):
        time.sleep(0.1)


def test_a_person_at_a_terminal_sees_a_bar(at_once, monkeypatch):
    terminal = Stream(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", terminal)
    read()
    assert "reading  40%" in terminal.text
    assert terminal.text.endswith("\r")
    assert "\n" not in terminal.text


@pytest.mark.parametrize(("is_terminal", "ci"), [(False, ""), (True, "true")])
def test_nobody_else_does(at_once, monkeypatch, is_terminal, ci):
    stream = Stream(is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("CI", ci)
    read()
    assert stream.text == ""


def test_no_stream_at_all_is_no_mistake(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    read()


def test_a_person_at_a_notebook_sees_a_bar_that_is_emptied(at_once, monkeypatch):
    notebook = Notebook(monkeypatch, {"allow_stdin": True})
    read()
    assert any("reading  40%" in text for text in notebook.updates)
    assert notebook.outputs == [""]


@pytest.mark.parametrize("content", [{"allow_stdin": False}, {}, None])
def test_a_program_that_executes_a_notebook_gets_nothing(at_once, monkeypatch, content):
    notebook = Notebook(monkeypatch, content)
    stream = Stream(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", stream)
    read()
    assert notebook.outputs == []
    assert stream.text == ""


def test_a_notebook_in_ci_gets_nothing(at_once, monkeypatch):
    monkeypatch.setenv("CI", "1")
    notebook = Notebook(monkeypatch, {"allow_stdin": True})
    read()
    assert notebook.outputs == []


def test_a_short_read_shows_nothing(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    notebook = Notebook(monkeypatch, {"allow_stdin": True})
    with reported(lambda: 40.0):
        pass
    assert notebook.outputs == []


def test_whoever_listens_hears_it_instead_of_a_bar(at_once, monkeypatch):
    notebook = Notebook(monkeypatch, {"allow_stdin": True})
    heard = []
    with listening(heard.append):
        read()
    assert heard[0] == 0.4
    assert heard[-1] == 1.0
    assert notebook.outputs == []


def test_an_error_passes_and_the_bar_goes(at_once, monkeypatch):
    notebook = Notebook(monkeypatch, {"allow_stdin": True})

    def fail():
        with reported(lambda: 40.0):
            time.sleep(0.05)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert notebook.outputs in ([], [""])
