"""Every public name is documented where it stands."""

from __future__ import annotations

import inspect
import re
import types

import pytest

import fairreport

NAMES = [name for name in fairreport.__all__ if name != "__version__"]


def public_members():
    for name in NAMES:
        value = getattr(fairreport, name)
        yield name, value
        if inspect.isclass(value):
            for attribute, member in vars(value).items():
                function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if not attribute.startswith("_") and isinstance(function, types.FunctionType):
                    yield f"{name}.{attribute}", function


def test_dir_lists_the_public_names():
    assert dir(fairreport) == sorted(fairreport.__all__)
    assert sorted(NAMES) == NAMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Audits'"):
        fairreport.Audits


@pytest.mark.parametrize(("name", "value"), list(public_members()), ids=[name for name, _ in public_members()])
def test_a_public_name_has_a_docstring(name, value):
    text = inspect.getdoc(value)
    assert text, name
    first = text.splitlines()[0]
    assert first.endswith((".", ":", ",")) or len(text.splitlines()) > 1
    assert len(first) > 15


@pytest.mark.parametrize(
    "name",
    [n for n in NAMES if inspect.isfunction(getattr(fairreport, n))] + ["Audit", "About", "OutcomeDisparity"],
)
def test_what_a_user_types_has_an_example_and_its_parameters(name):
    value = getattr(fairreport, name)
    text = inspect.getdoc(value)
    assert "Examples\n--------\n>>> " in text, name
    if inspect.isfunction(value):
        for parameter in inspect.signature(value).parameters:
            assert re.search(rf"\b{parameter}\b", text), f"{name}: {parameter}"


@pytest.mark.parametrize("name", ["outcome_disparity", "from_config", "run", "add"])
def test_the_methods_of_an_audit_document_their_parameters(name):
    method = getattr(fairreport.Audit, name)
    text = inspect.getdoc(method)
    for parameter in inspect.signature(method).parameters:
        if parameter not in {"self", "cls", "ignored"} and name != "add":
            assert re.search(rf"\b{parameter}\b", text), f"{name}: {parameter}"
