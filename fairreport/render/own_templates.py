"""Templates of the user's own in the place of ours: read once from a folder, filled in a sandbox.

A sandboxed template sees the same views as ours. It reaches no attribute that begins with an underscore, changes
nothing that it is given, and reads no file: all sources are read before anything is drawn.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from jinja2 import FunctionLoader, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fairreport.errors import ConfigError, Fault, nearest
from fairreport.render.environment import furnish, packaged_names, packaged_source

REPLACEABLE = "packet/"
OWN = "own/"
"""Below this folder stand parts that only own templates include."""
LARGEST = 1_000_000
"""Bytes of a template."""
_MOST = 200
_SHOWN_AS = "<own>/"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTemplates:
    """Templates of the user's own.

    Attributes
    ----------
    sources : mapping of str to str
        By name, such as ``packet/cover.html``.
    """

    sources: Mapping[str, str] = field(repr=False)

    @property
    def hashes(self) -> dict[str, str]:
        """The sha256 of each source, in hexadecimal, by name."""
        return {name: sha256(text.encode()).hexdigest() for name, text in sorted(self.sources.items())}

    def render(self, template: str, **context: object) -> str:
        """Return a template filled with a context, the user's own where there is one of that name.

        Raises
        ------
        ConfigError
            If an own template cannot be read or filled; the message names its file and line.
        """
        try:
            return self._environment().get_template(template).render(**context)
        except TemplateSyntaxError as error:
            raise _refused(error.name or template, error.lineno, error.message or "is no template") from None
        except Exception as error:
            name, line = _where(error)
            if name is None:
                raise
            raise _refused(name, line, _said(error)) from None

    def _environment(self) -> ImmutableSandboxedEnvironment:
        return furnish(ImmutableSandboxedEnvironment, FunctionLoader(self._load))

    def _load(self, name: str) -> tuple[str, str, Callable[[], bool]] | None:
        if name in self.sources:
            return self.sources[name], f"{_SHOWN_AS}{name}", lambda: True
        text = packaged_source(name)
        return None if text is None else (text, name, lambda: True)


def read_templates(folder: str | Path) -> OwnTemplates:
    """Return the templates of a folder, each in the place of ours of the same name.

    Parameters
    ----------
    folder : path
        Holds files such as ``packet/cover.html``; below ``own/`` stand parts that these include.

    Raises
    ------
    ConfigError
        If there is no such folder, it holds no template or one that we do not have, or a link leads out of it.
    """
    root = Path(folder)
    try:
        if not root.is_dir():
            found = "is a file" if root.exists() else "does not exist"
            raise _fault(f"{str(folder)!r} {found}; wanted a folder that holds templates such as packet/cover.html")
        sources = dict(_sources(root.resolve()))
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links is a RuntimeError
        if isinstance(error, ConfigError):
            raise
        raise _fault(f"cannot read {str(folder)!r}: {getattr(error, 'strerror', None) or error}") from None
    if not sources:
        raise _fault(f"{str(folder)!r} holds no template; wanted files such as packet/cover.html")
    return OwnTemplates(sources=sources)


def _sources(root: Path) -> Iterator[tuple[str, str]]:
    known = [name for name in packaged_names() if name.startswith(REPLACEABLE)]
    for count, path in enumerate(_files(root)):
        name = path.relative_to(root).as_posix()
        if count >= _MOST:
            raise _fault(f"{str(root)!r} holds more than {_MOST} files; wanted a folder of templates only")
        if name not in known and not name.startswith(OWN):
            raise _fault(f"{name!r} is no template of a packet, nor below {OWN!r}.{_near(name, known)}")
        if not path.resolve().is_relative_to(root):
            raise _fault(f"{name!r} is a link that leads out of the folder; nothing outside is read")
        if not path.is_file():
            raise _fault(f"{name!r} is no file")
        if path.stat().st_size > LARGEST:
            raise _fault(f"{name!r} has {path.stat().st_size:,} bytes; a template has at most {LARGEST:,}")
        try:
            yield name, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise _fault(f"{name!r} is no text in UTF-8") from None


def _files(root: Path) -> Iterator[Path]:
    """Yield every file below a folder but hidden ones, in the order of their names; no link is followed."""
    for place, folders, names in os.walk(root, followlinks=False):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in linked)
        yield from (Path(place) / name for name in sorted([*names, *linked]) if not name.startswith("."))


def _near(name: str, known: list[str]) -> str:
    same = [other for other in known if other.rpartition("/")[2] == name.rpartition("/")[2]]
    return f" Did you mean {same[0]!r}?" if same else nearest(name, known)


def _where(error: BaseException) -> tuple[str | None, int]:
    """Return the own template and the line in which something went wrong, the innermost one."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_SHOWN_AS)]
    return (frames[-1].filename.removeprefix(_SHOWN_AS), frames[-1].lineno or 1) if frames else (None, 1)


def _said(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if isinstance(error, TemplateError) else f"{type(error).__name__}: {text}"


def _refused(name: str, line: int, message: str) -> ConfigError:
    return _fault(f"{name.removeprefix(_SHOWN_AS)}, line {line}: {message[:300]}")


def _fault(message: str) -> ConfigError:
    return ConfigError(Fault(code="bad_template", message=message, path="templates"))
