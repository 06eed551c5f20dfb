"""What is rounded never crosses what it is judged against; what is hidden becomes visible."""

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairreport.analyses.result import PValue, Span
from fairreport.render import formats


def read(text):
    return float(text.replace("−", "-").replace(",", ""))


@given(st.floats(0, 2), st.sampled_from([0.8, 0.75, 0.05, 1]))
def test_a_printed_number_is_on_the_side_of_the_number(value, mark):
    printed = read(formats.fixed(value, against=[mark]))
    if not math.isclose(value, mark, abs_tol=1e-11):
        assert (printed > mark) - (printed < mark) == (value > mark) - (value < mark)


@given(st.floats(1e-300, 1), st.sampled_from([0.05, 0.01, 1e-5]))
def test_a_printed_p_value_is_on_its_side_of_the_level(p, alpha):
    if not math.isclose(p, alpha, rel_tol=1e-9):
        assert (read(formats.probability(p, alpha=alpha)) < alpha) == (p < alpha)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_no_number_prints_as_nan_or_infinity(value):
    assert not set(formats.fixed(value).lower()) & set("if") or formats.fixed(value) == "n.d."


@given(st.text())
def test_printable_text_hides_nothing(text):
    shown = formats.printable(text)
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff")
    assert formats.printable(shown) == shown


@given(st.text(max_size=200), st.integers(4, 80))
def test_shortened_text_is_short(text, longest):
    assert len(formats.shortened(text, longest)) <= longest


@pytest.mark.parametrize("name", ["Zoë", "日本語", "عربي", "می‌خواهم", "क्‍ष", "👩‍💻"])
def test_letters_and_joiners_stay(name):
    assert formats.printable(name) == name


def test_zero_has_no_sign():
    assert formats.fixed(-0.0) == "0.000"
    assert formats.fixed(-0.0001) == "0.000"


def test_an_open_interval_says_so():
    assert formats.span(Span(low=0.4, high=None)) == "from 0.400, no upper end"
    assert formats.span(Span(low=None, high=None)) == "n.d."
    assert formats.span(None) == "—"


def test_p_values_too_small_for_a_number():
    assert formats.p_value(PValue(p=None, log10=-400.3010299956640)) == "5.0e-401"
    assert formats.p_value(PValue(p=0.0, log10=None)) == formats.NO_VARIATION


@pytest.mark.parametrize(("value", "mark"), [(2.4 / 3.0, 0.8), (0.8 - 5e-13, 0.8), (10000.05 - 10000, 0.05)])
def test_a_number_judged_as_equal_is_printed_as_equal(value, mark):
    assert value != mark
    assert formats.fixed(value, against=[mark]) == f"{mark:.3f}"
    assert formats.fixed(mark - 1e-11, against=[mark]) == f"{mark - 1e-11:.11f}"
    assert formats.probability(0.8 - 1e-11, alpha=0.8) == "0.79999999999"


@given(
    st.lists(st.text("ab c", max_size=40).map(lambda text: f"the same beginning {text} the same end"), unique=True),
    st.integers(4, 64),
)
def test_names_shortened_together_stay_apart(names, longest):
    found = formats.shortened_apart(names, longest)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(len(text) <= longest or text == name for name, text in found.items())


def test_a_long_chain_of_names_is_shortened_apart():
    names = ["A" * (20 * i) for i in range(1, 1200)]
    assert len(set(formats.shortened_apart(names, 16).values())) == len(names)
