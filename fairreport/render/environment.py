"""The one Jinja environment: all is escaped, nothing undefined passes, templates come with the package."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeVar

from jinja2 import BaseLoader, Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from fairreport.render.interval_marks import mark_path
from fairreport.resources import resource_dir


def render(template: str, **context: object) -> str:
    """Return a template filled with a context.

    Parameters
    ----------
    template : str
        Path below the templates folder, such as ``"fragments/audit.html"``.
    **context
        What the template names; anything it names beside that raises.

    Raises
    ------
    jinja2.TemplateNotFound
        If there is no such template.
    jinja2.UndefinedError
        If the template names something that the context lacks.
    """
    return environment().get_template(template).render(**context)


@cache
def environment() -> Environment:
    """Return the environment of all templates, made once."""
    return furnish(Environment, FunctionLoader(packaged_source))


EnvironmentT = TypeVar("EnvironmentT", bound=Environment)


def furnish(kind: type[EnvironmentT], loader: BaseLoader) -> EnvironmentT:
    """Return an environment of a kind, which reads templates by a loader and has all that ours use."""
    made = kind(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["mark_path"] = mark_path
    made.globals["style"] = style
    return made


@cache
def packaged_names() -> tuple[str, ...]:
    """Return the names of all templates that come with the package, sorted."""
    folders = [item for item in resource_dir("templates").iterdir() if item.is_dir()]
    files = [(folder.name, item.name) for folder in folders for item in folder.iterdir() if item.is_file()]
    return tuple(sorted(f"{folder}/{name}" for folder, name in files if name.endswith(".html")))


def packaged_source(name: str) -> str | None:
    """Return the source of a template that comes with the package; None where there is none of that name."""
    parts = name.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return None
    found = resource_dir("templates")
    for part in parts:
        found = found / part
    return found.read_text(encoding="utf-8") if found.is_file() else None


@cache
def style(name: str) -> Markup:
    """Return a style sheet of the package without comments and line ends, to stand in ``<style>``.

    Raises
    ------
    ValueError
        If it is no plain name of a file: a template of the user's own reads nothing else through here.
    """
    if not re.fullmatch(r"[a-z][a-z-]*\.css", name):
        raise ValueError(f"is no style sheet of the package: {name!r}")
    text = (resource_dir("assets") / "css" / name).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    return Markup(re.sub(r" ?([{};,]) ?", r"\1", text).replace(": ", ":").strip())  # noqa: S704 - our own file
