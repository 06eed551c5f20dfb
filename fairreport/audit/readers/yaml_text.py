"""YAML text to plain values, by safe load only, with the line of every key.

Words are read as YAML 1.2 does: only true and false are booleans (``NO`` is a country, ``yes`` an answer), a
number with leading zeros is text, and so is a date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from fairreport.errors import ConfigError, Fault

LARGEST_FILE = 1_000_000
_LARGEST_TREE = 100_000
_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedYaml:
    """Plain values, and the line of each dotted path."""

    content: Any
    lines: Mapping[str, int]

    def line(self, path: str) -> int | None:
        """Return the line of a dotted path, or of the nearest one above it."""
        while path and path not in self.lines:
            path = path.rpartition(".")[0]
        return self.lines.get(path)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the words of YAML 1.2."""


_Loader.yaml_implicit_resolvers = {}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]*)$"), list("-0123456789"))
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)$"),
    list("-0123456789"),
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])


def parse_yaml(text: str) -> ParsedYaml:
    """Return the values of a YAML text.

    Raises
    ------
    ConfigError
        If the text is larger than 1 MB, no YAML, states a key twice, or grows beyond 100,000 values.
    """
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise ConfigError(Fault(code="too_large", message="the file is larger than 1 MB"))
    try:
        node = _Loader(text).get_single_node()
    except yaml.YAMLError as error:
        raise ConfigError(_syntax_fault(error)) from None
    except RecursionError:
        raise ConfigError(Fault(code="too_large", message="the file nests too deeply")) from None
    walk = _Walk()
    content = walk.value(node, "") if node is not None else None
    if walk.faults:
        raise ConfigError(walk.faults)
    return ParsedYaml(content=content, lines=walk.lines)


def _syntax_fault(error: yaml.YAMLError) -> Fault:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return Fault(code="bad_syntax", message=f"is no YAML: {problem}", line=mark.line + 1 if mark else None)


class _Walk:
    """Builds plain values from the nodes, noting lines and keys stated twice."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.faults: list[Fault] = []
        self._built = 0
        self._scalars = _Loader("")

    def value(self, node: yaml.Node, path: str) -> Any:
        self._built += 1
        if self._built > _LARGEST_TREE or path.count(".") > 50:
            raise ConfigError(Fault(code="too_large", message="the file repeats or nests its values too often"))
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if node.tag not in _TAGS:
            message = f"is not allowed: the tag {node.tag!r} makes no plain value"
            self.faults.append(Fault(code="bad_syntax", message=message, path=path, line=line))
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, f"{path}.{i}" if path else str(i)) for i, item in enumerate(node.value)]
        try:
            value = self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError, KeyError) as error:
            problem = getattr(error, "problem", None) or str(error)
            self.faults.append(Fault(code="bad_syntax", message=f"is not allowed: {problem}", path=path, line=line))
            return None
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            message = f"must be a finite number, at most {sys.float_info.max:.3g}"
            self.faults.append(Fault(code="out_of_range", message=message, path=path, line=line))
            return None
        return value

    def _mapping(self, node: yaml.MappingNode, path: str) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.faults.append(Fault(code="bad_syntax", message="a key must be text", path=path, line=line))
                continue
            key = str(key_node.value)
            place = f"{path}.{key}" if path else key
            if key in content:
                self.faults.append(Fault(code="duplicate_key", message="is stated twice", path=place, line=line))
                continue
            self.lines[place] = line
            content[key] = self.value(value_node, place)
        return content
