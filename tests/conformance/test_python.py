"""Every worked case through the Python interface."""

import pytest


def test_case(case, load_frame, answer, compare):
    assert compare(case["expected"], answer(case, load_frame(case))) == []


def test_case_read_as_text(untyped_case, csv_file, answer, compare):
    assert compare(untyped_case["expected"], answer(untyped_case, csv_file(untyped_case))) == []


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        (1.0, 1.0 + 1e-10, []),
        (1.0, 1.0 + 1e-8, [": wanted 1.0, found 1.00000001"]),
        (0, 1e-11, []),
        (0, 1e-9, [": wanted 0, found 1e-09"]),
        (1, True, [": wanted 1, found True"]),
        (False, 0, [": wanted False, found 0"]),
        (None, 0, [": wanted None, found 0"]),
        (0.0, None, [": wanted 0.0, found None"]),
        ("1", 1, [": wanted '1', found 1"]),
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": None}, {}, ["/a: absent"]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ["/a/b/1: wanted 2, found 3"]),
        ([1], [1, 2], [": wanted [1], found [1, 2]"]),
        ({"skip_reason": "so"}, {"skip_reason": "otherwise"}, []),
    ],
)
def test_the_comparison_finds_what_differs(compare, expected, actual, found):
    assert compare(expected, actual) == found
