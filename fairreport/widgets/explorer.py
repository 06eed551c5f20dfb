"""The explorer: a run, its settings as controls, and a table that answers from the counts."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from fairreport.audit.result import AuditRun
from fairreport.display import Displayable
from fairreport.errors import ConfigError, FairreportError
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.report.configuration import configuration_yaml
from fairreport.widgets.answer_html import answer_html, figure_html, note_html
from fairreport.widgets.changes import describe_change
from fairreport.widgets.controls import Controls
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Answer, Exploration
from fairreport.widgets.restating import AnySettings, told
from fairreport.widgets.statement import python_text
from fairreport.widgets.toolkit import ipywidgets

PACKET = "packet.html"


def explore(run: AuditRun, name: str | None = None) -> Explorer:
    """Return the explorer of a run, or of one of its tests.

    Raises
    ------
    ConfigError
        If the run does not carry its counts, or has no test of that name.
    """
    return Explorer(Exploration(run, name), run if name is None else run[name])


class Explorer:
    """Controls, and the verdict under their settings.

    As the last line of a cell it shows the run as it stands, then the controls in an output of their own, so that a
    notebook that is exported without its widgets loses nothing.

    Parameters
    ----------
    exploration : Exploration
        What is asked.
    shown : Displayable
        What is shown before the controls.

    Attributes
    ----------
    widget : ipywidgets.VBox
        All of it.
    answer : Answer or None
        The last answer.
    """

    def __init__(self, exploration: Exploration, shown: Displayable) -> None:
        self._exploration = exploration
        self._shown = shown
        self._names = {i: exploration.run.record.entries[i].name for i in exploration.tests}
        self._settings = {i: exploration.settings(i) for i in exploration.tests}
        self._shown_at: int | None = None
        self._last: Answer | None = None
        self._compared: Answer | None = None
        self.controls = Controls(exploration, self._names, self._on_control)
        self._reset = _button("As stated", "Set this test back to its stated parameters", self._on_reset)
        self._scan = _button("Scan the table", "Read the table once for what these settings lack", self._on_scan)
        self._table = ipywidgets.HTML()
        self._with_figure = ipywidgets.Checkbox(
            description="Draw the figure",
            tooltip="Draw the groups with their intervals under the table, a little slower than the table",
            indent=False,
        )
        self._figure = ipywidgets.HTML()
        self._python = _text_area("Copy as code", "Python that makes these settings; select all and copy")
        self._yaml = _text_area("Copy as YAML", "An audit.yaml that makes these settings; select all and copy")
        self._file = ipywidgets.Text(
            value=PACKET,
            description="Packet file",
            tooltip="A name that ends in .html or .pdf, in the folder of the notebook unless a path says otherwise",
            style={"description_width": "11.5em"},
        )
        self._save = _button("Save packet", "Write the packet of the audit under these settings", self._on_save)
        self._saved = ipywidgets.HTML()
        self._with_figure.observe(self._on_figure, names="value")
        self.widget = ipywidgets.VBox(
            [
                self.controls.box,
                ipywidgets.HBox([self._reset, self._scan]),
                self._table,
                self._with_figure,
                self._figure,
                self._python,
                self._yaml,
                ipywidgets.HBox([self._file, self._save]),
                self._saved,
            ]
        )
        self._update()

    @property
    def answer(self) -> Answer | None:
        """The last answer."""
        return self._last

    @property
    def python(self) -> str:
        """Python that makes the present settings."""
        return str(self._python.value)

    @property
    def yaml(self) -> str:
        """An `audit.yaml` that makes the present settings."""
        return str(self._yaml.value)

    def run(self) -> AuditRun:
        """Return the run of the audit under the present settings.

        Raises
        ------
        ConfigError
            If the settings do not stand together.
        """
        return self._exploration.rerun(self._settings)

    def __repr__(self) -> str:
        return f"<Explorer of {self._exploration.run.record.title!r}: show it as the last line of a notebook cell>"

    def _ipython_display_(self) -> None:
        display: Callable[[Any], None] = import_module("IPython.display").display
        display(self._shown)
        display(self.widget)

    def _on_control(self) -> None:
        position = self.controls.position
        if position != self._shown_at:
            self._compared = None
            self.controls.load(position, self._settings[position])
        else:
            self._settings[position] = self.controls.read()
        self._update()

    def _on_reset(self, _button: object) -> None:
        position = self.controls.position
        self._set(position, self._exploration.settings(position))

    def _set(self, position: int, settings: AnySettings) -> None:
        self._settings[position] = settings
        self.controls.load(position, settings)
        self._update()

    def _on_scan(self, _button: object) -> None:
        position = self.controls.position
        self._show(said("Reading the table once …"))
        fault = _fault_of(lambda: self._exploration.gather(position, self._settings[position]))
        if fault is not None:
            self._show(said("The table could not be read: ", fault))
            return
        self._set(position, self._settings[position])

    def _on_figure(self, _change: object) -> None:
        self._draw()

    def _on_save(self, _button: object) -> None:
        name = str(self._file.value).strip()
        self._save.disabled = True
        self._saved.value = note_html(said("Writing the packet …"))
        fault = _fault_of(lambda: self._write(name))
        if fault is not None:
            self._saved.value = note_html(said("Not saved: ", fault))
        self._save.disabled = False

    def _write(self, name: str) -> None:
        report = import_module("fairreport.report.packet").Report(self.run())
        path = report.save(name)
        self._saved.value = note_html(said("Saved as ", Name.prose(str(path.resolve())), "."))

    def _update(self) -> None:
        """Show the answer to the present settings."""
        fault = _fault_of(self._answer)
        if fault is not None:
            self._show(said("No answer: ", fault))

    def _answer(self) -> None:
        position = self.controls.position
        settings = self._settings[position]
        answer = self._exploration.answer(position, settings)
        change = describe_change(self._compared, answer)
        self._shown_at, self._last = position, answer
        self._compared = answer if answer.record is not None else self._compared
        self._table.value = answer_html(answer, change, name=self._names[position], rule=self.controls.rule)
        self._scan.disabled = answer.lack is Lack.NOTHING
        self._state()
        self._draw()

    def _state(self) -> None:
        """Put the present settings into the text areas; settings that do not stand together have no text."""
        try:
            record = self._exploration.record(self._settings)
        except ConfigError as error:
            self._python.value = self._yaml.value = f"# {told(error)}"
            return
        self._python.value = python_text(record)
        self._yaml.value = configuration_yaml(record)

    def _draw(self) -> None:
        record = None if self.answer is None else self.answer.record
        drawn = "" if record is None or not self._with_figure.value else figure_html(record, rule=self.controls.rule)
        self._figure.value = drawn

    def _show(self, text: Sentence) -> None:
        self._table.value = note_html(text)


def _fault_of(work: Callable[[], None]) -> Name | None:
    """Do something, and return what went wrong in words; a widget has nowhere to show a traceback."""
    try:
        work()
    except ConfigError as error:
        return Name.prose(told(error))
    except FairreportError as error:
        return Name.prose(str(error))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is said
        return Name.prose(f"{type(error).__name__}: {error}")
    return None


def _button(description: str, tooltip: str, clicked: Callable[[object], None]) -> Any:
    button = ipywidgets.Button(description=description, tooltip=tooltip)
    button.on_click(clicked)
    return button


def _text_area(description: str, tooltip: str) -> Any:
    return ipywidgets.Textarea(
        description=description,
        tooltip=tooltip,
        rows=8,
        style={"description_width": "11.5em"},
        layout=ipywidgets.Layout(width="auto"),
    )
