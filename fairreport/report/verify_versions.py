"""Which versions made a packet, and what may look otherwise where others hold it against its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairreport.report.attachments import software_versions

COMPUTE = ("fairreport", "numpy", "scipy")
"""Packages whose versions decide the last digit of a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """The versions that a manifest states, held against those here.

    Attributes
    ----------
    stated, ours : mapping of str to str or None
        Versions by name; nothing is stated where there is no manifest.
    """

    stated: Mapping[str, str | None]
    ours: Mapping[str, str | None]

    def same(self, *names: str) -> bool:
        """Tell whether some packages have the same versions; so they have where none is stated."""
        return not self.stated or all(self.stated.get(name) == self.ours.get(name) for name in names)

    @property
    def computed(self) -> bool:
        """Whether numbers must agree to the last digit."""
        return self.same(*COMPUTE)

    @property
    def worded(self) -> bool:
        """Whether sentences, styles and templates are the same."""
        return self.same("fairreport")

    @property
    def others(self) -> str:
        """The versions of what computes that differ, in words; empty where none does."""
        names = [] if self.computed else [name for name in COMPUTE if not self.same(name)]
        return ", ".join(f"{name} {self.stated.get(name)} (here {self.ours.get(name)})" for name in names)

    @property
    def to_install(self) -> str:
        """What pip would be told to bring of the stated versions, so that everything can be judged."""
        names = [name for name in self.ours if name != "python" and not self.same(name) and self.stated.get(name)]
        return " ".join(f"{name}=={self.stated[name]}" for name in names)


def alike_of(manifest: Any) -> Alike:
    """Return the versions of a manifest; where they are no versions, none are stated."""
    stated = manifest.get("versions") if isinstance(manifest, dict) else None
    good = isinstance(stated, dict) and all(map(_is_version, stated.values()))
    return Alike(stated=stated if good and isinstance(stated, dict) else {}, ours=software_versions())


def _is_version(text: Any) -> bool:
    """Tell whether this may stand for a version: no blanks, which words of a page do not tell apart."""
    return text is None or (isinstance(text, str) and "".join(text.split()) == text)
