"""Parsers of quantities and durations as Kubernetes and Prometheus write them."""

from __future__ import annotations

import re

_FACTORS = {"": 1.0, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_quantity(text: str | float) -> float:
    """Parse ``768Mi`` or ``100m`` into bytes, cores or another unit.

    Raises:
        ValueError: it is not a quantity.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(m|k|M|G|Ki|Mi|Gi)?", str(text))
    if found is None:
        raise ValueError(f"expected a quantity as in 100m or 768Mi, got {text!r}")
    return float(found[1]) * _FACTORS[found[2] or ""]


def parse_duration(text: str) -> float:
    """Parse ``1m30s`` into seconds.

    Raises:
        ValueError: it is not a duration.
    """
    if re.fullmatch(r"(\d+(ms|s|m|h))+", text) is None:
        raise ValueError(f"expected a duration as in 1m30s, got {text!r}")
    return sum(float(number) * _SECONDS[unit] for number, unit in re.findall(r"(\d+)(ms|s|m|h)", text))
