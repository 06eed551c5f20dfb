"""How a packet looks beside what it says: logo, colours, a line at the foot, templates of the user's own."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairreport.audit.about import About
from fairreport.audit.readers.appearance import PACKAGED, color_faults, footer_faults, whole_form
from fairreport.errors import ConfigError, Fault
from fairreport.render import formats
from fairreport.render.own_templates import OwnTemplates, read_templates
from fairreport.report.logo import Logo, read_logo, stored_logo


@dataclass(frozen=True, slots=True, kw_only=True)
class Branding:
    """How a packet looks beside what it says; nothing here changes a number or a word of the results.

    Attributes
    ----------
    logo : Logo or None
        A picture on the cover.
    logo_text : str
        What stands for it where it is not seen.
    colors : mapping of str to str
        Colours of the user's own, by name, as ``#rrggbb``.
    footer : str
        A line at the foot of every page; empty without.
    templates : OwnTemplates or None
        Templates in the place of ours.
    drawn_by_others : bool
        Whether a packet says that its pages were drawn by templates that are not at hand.
    """

    logo: Logo | None = None
    logo_text: str = "Logo"
    colors: Mapping[str, str] = field(default_factory=dict)
    footer: str = ""
    templates: OwnTemplates | None = None
    drawn_by_others: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether a packet looks as it comes."""
        return not (self.logo or self.colors or self.footer or self.templates or self.drawn_by_others)

    @property
    def strings(self) -> tuple[str, ...]:
        """Every text of the user's own that a page prints."""
        own = () if self.templates is None else self.templates.sources.values()
        return (self.footer, *own)

    def tinted(self, css: str) -> str:
        """Return a style sheet of the package in the colours of the user's own."""
        for name, color in self.colors.items():
            css = css.replace(PACKAGED[name], color)
        return css


PLAIN = Branding()


def branding_of(
    *,
    about: About,
    logo: str | Path | None = None,
    colors: Mapping[str, Any] | None = None,
    footer: str | None = None,
    templates: str | Path | None = None,
) -> Branding:
    """Return how a packet is to look.

    Raises
    ------
    ConfigError
        With everything that is wrong: a file that is no picture, a colour that cannot be read on its background, a
        line that is too long, a template that is none.
    """
    faults = [*footer_faults(footer, "footer"), *(color_faults(colors, "colors") if colors is not None else ())]
    picture, own = None, None
    for read, source in ((read_logo, logo), (read_templates, templates)):
        if source is None:
            continue
        try:
            found = read(source)
        except ConfigError as error:
            faults += error.errors
            continue
        picture = found if isinstance(found, Logo) else picture
        own = found if isinstance(found, OwnTemplates) else own
    if faults:
        raise ConfigError(faults)
    return Branding(
        logo=picture,
        logo_text=f"Logo of {formats.printable(about.prepared_by)}" if about.prepared_by else "Logo",
        colors={name: whole_form(value) for name, value in sorted((colors or {}).items()) if value is not None},
        footer=" ".join((footer or "").split()),
        templates=own,
    )


def branding_json(branding: Branding) -> str:
    """Return what a packet holds of its looks, so that its pages can be drawn again."""
    picture = branding.logo
    content = {
        "logo": None
        if picture is None
        else {
            "media_type": picture.media_type,
            "text": branding.logo_text,
            "base64": base64.b64encode(picture.content).decode(),
        },
        "colors": dict(branding.colors),
        "footer": branding.footer,
        "templates": None if branding.templates is None else branding.templates.hashes,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def branding_from_json(content: Any) -> Branding:
    """Return the looks that a packet holds; nothing of them is taken that could not have been stated.

    Raises
    ------
    ConfigError
        If it is not what `branding_json` writes.
    """
    try:
        picture, colors, footer = content["logo"], content["colors"], content["footer"]
        logo = None
        if picture is not None:
            logo = stored_logo(picture["media_type"], base64.b64decode(picture["base64"], validate=True))
        faults = [*color_faults(colors, "colors"), *footer_faults(footer, "footer")]
        if faults:
            raise ConfigError(faults)
        return Branding(
            logo=logo,
            logo_text="Logo" if picture is None else str(picture["text"]),
            colors={str(name): whole_form(value) for name, value in colors.items()},
            footer=str(footer),
            drawn_by_others=content["templates"] is not None,
        )
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        message = f"is not what a packet holds of its looks: {type(error).__name__}: {error}"
        raise ConfigError(Fault(code="bad_type", message=message)) from None
