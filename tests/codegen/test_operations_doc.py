"""docs/operations.md against the code: its generated tables, and every metric."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import MagicMock

from codegen.markdown import splice
from codegen.operations_doc import DOCUMENT, sections
from realtime.ops.metrics import Metrics
from realtime.ops.traffic import Traffic
from realtime.wiring.gauges import add_gauges

TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_generated_sections_are_up_to_date() -> None:
    assert splice(TEXT, sections()) == TEXT, "run `make docs`"


def test_exactly_the_existing_metrics_are_documented() -> None:
    metrics = Metrics(Traffic())
    server: Any = MagicMock()
    add_gauges(metrics, *[server] * 8)
    counted = {metric.name for metric in metrics.collect()}
    assert set(re.findall(r"`(zeitnot_[a-z_]+)`", TEXT)) == counted
