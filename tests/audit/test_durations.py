"""What an error says of a length of time that is written otherwise than wanted."""

from __future__ import annotations

import pytest

from fairreport import ConfigError, Window


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("7 dayz", "7d"),
        ("7 dys", "7d"),
        ("7 ds", "7d"),
        ("7D", "7d"),
        ("2 weeks", "2w"),
        ("1 hour", "1h"),
        ("2hrs", "2h"),
        ("30 mins", "30m"),
        ("90 minuets", "90m"),
        ("10 sec.", "10s"),
    ],
)
def test_the_length_that_is_meant_is_named(written, meant):
    with pytest.raises(ConfigError, match=rf"got '{written}'\. Did you mean '{meant}'\?$"):
        Window(length=written, end="2026-03-02")


@pytest.mark.parametrize(
    "written", ["1 month", "3 mo", "3 mon", "5 M", "1 year", "7x", "soon", "d7", "days", "1.5d", ""]
)
def test_no_length_is_guessed_where_none_is_near(written):
    with pytest.raises(ConfigError) as caught:
        Window(length=written, end="2026-03-02")
    assert "Did you mean" not in str(caught.value)
