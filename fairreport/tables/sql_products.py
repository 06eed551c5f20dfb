"""Products that vanish: some engines refuse to round one to 0, and are spared having to.

IEEE 754 rounds a product that is too small for a double to 0; PostgreSQL raises an error instead. Only a table with
very small numbers meets it, so its statements are asked as they are, and only then with these guards.
"""

from __future__ import annotations

import math
from typing import Any

from sqlglot import exp

_SMALLEST = 5e-324
LARGEST_ROOT_OF_NOTHING = math.nextafter(math.ldexp(math.sqrt(2.0), -538), 0.0)
"""The square of any number up to here is 0 as a double."""


def guarded_product(product: Any) -> Any:
    """Return a product of doubles that is 0, and not worked out, where it would vanish."""
    left, right = product.this, product.expression
    factor = right.unnest()
    if left == right:
        is_nothing: Any = exp.LTE(this=_size(left), expression=_double(LARGEST_ROOT_OF_NOTHING))
    elif isinstance(factor, exp.Literal):
        if "e" not in factor.this.lower() or not 0 < float(factor.this) < 1:
            return product
        is_nothing = exp.LT(this=_size(left), expression=_double(_SMALLEST / float(factor.this)))
    elif isinstance(factor, exp.Column):
        shrunk = exp.Least(this=factor.copy(), expressions=[_double(1.0)])
        is_nothing = exp.LT(this=_size(left), expression=exp.Div(this=_double(_SMALLEST), expression=shrunk))
    else:
        return product
    return exp.Paren(this=exp.Case().when(is_nothing, _double(0.0)).else_(product.copy()))


def _size(number: Any) -> Any:
    return exp.Abs(this=number.copy())


def _double(value: float) -> Any:
    return exp.cast(exp.Literal.string(repr(value)), "double")
