"""Checks of parameters, with errors that name them."""

from __future__ import annotations

import math
import numbers
from typing import Any


def number(name: str, value: Any) -> float:
    """A real number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {value!r}")
    return float(value)


def positive(name: str, value: Any) -> float:
    result = number(name, value)
    if not 0 < result < math.inf:
        raise ValueError(f"{name} is {value}; it must be positive and finite")
    return result


def tolerance(name: str, value: Any) -> float:
    result = number(name, value)
    if not 0 <= result < 1:
        raise ValueError(f"{name} is {value}; it must be at least 0 and below 1")
    return result


def whole(name: str, value: Any, least: int) -> int:
    """A whole number that is not below the least one."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    result = int(value)
    if result < least:
        raise ValueError(f"{name} is {result}; it must be at least {least}")
    if result >= 2**63:
        raise ValueError(f"{name} is {result}; it must be below 2**63")
    return result


def several(name: str, values: Any) -> list[float]:
    """Positive numbers, at least one."""
    try:
        result = [positive(name, value) for value in values]
    except TypeError as error:
        if hasattr(values, "__iter__"):
            raise
        raise TypeError(f"{name} must be a list of numbers, not {values!r}") from error
    if not result:
        raise ValueError(f"{name} must have at least one value")
    return result
