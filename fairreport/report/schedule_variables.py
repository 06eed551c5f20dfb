"""The parameters of a notebook: what stands in its cells of parameters, and in its variables."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

from fairreport.errors import ConfigError, Fault
from fairreport.report.schedule_parameters import KNOWN, ScheduleParameters, schedule_parameters

_OF_NOTEBOOKS = {"In", "Out", "exit", "quit", "get_ipython", "open"}
_OF_PAPERMILL = {"PAPERMILL_INPUT_PATH", "PAPERMILL_OUTPUT_PATH", "papermill"}
_OF_THIS_NOTEBOOK = {"scheduled", "run", "trends", "outcome"}
"""What the later cells make, which stands here when they are run once more."""

_FIRST_WORD = "# Parameters"
"""How the cell of parameters begins, and the one that papermill puts after it."""


def notebook_parameters(namespace: Mapping[str, Any] | None = None) -> ScheduleParameters:
    """Return the parameters of a notebook, from its variables as they stand when this is called.

    papermill sets a parameter that the notebook does not know as one more variable, so that a misspelled name would
    change nothing; here it is refused. It may bear a name that every notebook has, such as ``In`` or ``_x``: what the
    cells of parameters say tells that too.

    Parameters
    ----------
    namespace : mapping of str to object, optional
        ``globals()``, right after the cells of parameters; those of the notebook that is run where absent.

    Raises
    ------
    ConfigError
        See `schedule_parameters`.
    """
    shell = _shell()
    if namespace is None:
        if shell is None:
            message = "is to be stated outside a notebook, such as globals()"
            raise ConfigError(Fault(code="missing_parameter", message=message, path="namespace"))
        namespace = shell.user_ns
    stated = {
        name: value
        for name, value in namespace.items()
        if not name.startswith("_")
        and name not in _OF_NOTEBOOKS | _OF_PAPERMILL | _OF_THIS_NOTEBOOK
        and (name in KNOWN or not isinstance(value, (ModuleType, FunctionType, type)))
    }
    cells = () if shell is None or namespace is not shell.user_ns else shell.history_manager.input_hist_parsed
    return schedule_parameters(stated | dict.fromkeys(_assigned(cells)))


def _shell() -> Any:
    """Return the shell of the notebook that this runs in, whatever its variables are called; None outside one."""
    found = sys.modules.get("IPython")
    return None if found is None else found.get_ipython()


def _assigned(cells: Sequence[str]) -> Iterator[str]:
    """Yield each name that the last cells of parameters assign and that is no parameter."""
    last = {cell.strip().partition("\n")[0]: cell for cell in cells if cell.lstrip().startswith(_FIRST_WORD)}
    for cell in last.values():
        try:
            lines = ast.parse(cell).body
        except SyntaxError:  # a line that is no Python, such as one of magic
            continue
        for line in lines:
            targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
            for target in targets:
                if isinstance(target, ast.Name) and target.id not in {*KNOWN, *_OF_PAPERMILL}:
                    yield target.id
