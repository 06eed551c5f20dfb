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
            for attribute, member in list(vars(value).items()):  # to look at a model may complete it
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
    assert len(text) > 15


FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(fairreport, name))]
TYPED_FIRST = [name for name in FUNCTIONS if "data" in inspect.signature(getattr(fairreport, name)).parameters]


@pytest.mark.parametrize("name", [*TYPED_FIRST, "Audit", "About", "OutcomeDisparity", "ScoreDisparity", "MetricParity"])
def test_what_a_user_types_first_has_an_example(name):
    assert "Examples\n--------\n>>> " in inspect.getdoc(getattr(fairreport, name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_documents_its_parameters(name):
    function = getattr(fairreport, name)
    for parameter in inspect.signature(function).parameters:
        assert re.search(rf"\b{parameter}\b", inspect.getdoc(function)), parameter


@pytest.mark.parametrize("name", ["outcome_disparity", "score_disparity", "metric_parity", "from_config"])
def test_the_methods_of_an_audit_document_their_parameters(name):
    method = getattr(fairreport.Audit, name)
    text = inspect.getdoc(method)
    for parameter in inspect.signature(method).parameters:
        if parameter not in {"self", "cls"}:
            assert re.search(rf"\b{parameter}\b", text), f"{name}: {parameter}"
