"""Queries of alerts and dashboard, checked against the server's metrics."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more
from prometheus_client.parser import text_string_to_metric_families

from tests.deploy.programs import DEPLOY, program
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Server

    Series = dict[str, dict[str, set[str]]]

OTHERS = {
    "up": {"job"},
    "node_filesystem_avail_bytes": {"job", "mountpoint"},
    "node_filesystem_size_bytes": {"job", "mountpoint"},
    "kubelet_volume_stats_available_bytes": {"namespace"},
    "kubelet_volume_stats_capacity_bytes": {"namespace"},
}
"""What Prometheus, its node exporter and the kubelet tell, by name to labels."""

BY_PROMETHEUS = {"job", "instance"}
"""Labels that every series gets when it is scraped."""

FUNCTIONS = {
    "absent",
    "sum",
    "max",
    "min",
    "count",
    "by",
    "rate",
    "increase",
    "histogram_quantile",
    "time",
    "and",
    "or",
}

ALERTS = {
    rule["alert"]: rule["expr"]
    for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
}
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text())
PANELS = {
    f"{panel['title']} {target['refId']}": target
    for panel in DASHBOARD["panels"]
    for target in panel.get("targets", ())
}
QUERIES = {**ALERTS, **{name: target["expr"] for name, target in PANELS.items()}}


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory, postgres: Server) -> Iterator[Series]:
    """Of a server at which nothing has happened: name to label to its values."""
    data = tmp_path_factory.mktemp("queries") / "data"
    with postgres.created() as database, ServerProcess(data, "--workers", "1", database=database) as server:
        found: Series = {}
        for family in text_string_to_metric_families(httpx.get(f"{server.url}/metrics").text):
            for sample in family.samples:
                labels = found.setdefault(sample.name, {})
                for label, value in sample.labels.items():
                    labels.setdefault(label, set()).add(value)
        yield found


@pytest.mark.parametrize("query", QUERIES)
def test_queries_use_existing_metrics_and_labels(query: str, series: Series) -> None:
    expression = QUERIES[query]
    selectors = re.findall(r"([a-z_]+)(?:\{([^}]*)\})?", re.sub(r"\[\w+\]|by \([^)]*\)", "", expression))
    asked = [(name, matchers) for name, matchers in selectors if name not in FUNCTIONS]
    assert asked
    for name, matchers in asked:
        found = re.findall(r'(\w+)(=~|=)"([^"]*)"', matchers)
        if name in OTHERS:
            assert {label for label, _, _ in found} <= OTHERS[name]
            continue
        assert name in series
        assert ("job", "=", "zeitnot") in found, "another product's process_… is not ours"
        for label, how, value in found:
            if label not in BY_PROMETHEUS:
                pattern = value if how == "=~" else re.escape(value)
                assert any(re.fullmatch(pattern, known) for known in series[name][label])
    for group in re.findall(r"by \(([^)]*)\)", expression):
        for label in re.split(r",\s*", group):
            assert label in BY_PROMETHEUS or any(label in series.get(name, {}) for name, _ in asked)


@pytest.mark.parametrize("panel", PANELS)
def test_legend_uses_a_label_of_the_result(panel: str) -> None:
    target = PANELS[panel]
    for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
        groups = re.findall(r"by \(([^)]*)\)", target["expr"])
        assert all(label in group for group in groups)
        assert groups or label == "instance"


def test_dashboard_can_be_imported() -> None:
    assert {"title", "uid", "panels", "schemaVersion", "templating"} <= set(DASHBOARD)
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places)
    for panel in DASHBOARD["panels"]:
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        assert panel["type"] == "row" or panel["datasource"]["uid"] == "${datasource}"


@pytest.mark.slow("Debian's own programs")
def test_promtool_accepts_rules_and_configuration(tmp_path: Path) -> None:
    promtool = program("promtool")
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(QUERIES.values())]
    (tmp_path / "zeitnot.yaml").write_text((DEPLOY / "alerts.yaml").read_text())
    (tmp_path / "queries.yaml").write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}))
    (tmp_path / "prometheus.yml").write_text((DEPLOY / "prometheus.yml").read_text())
    for command in (
        ("check", "rules", "zeitnot.yaml"),
        ("check", "rules", "queries.yaml"),
        ("check", "config", "prometheus.yml"),
    ):
        done = subprocess.run([promtool, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow("Debian's own programs")
def test_promtool_accepts_the_metrics(tmp_path: Path, own_database: str) -> None:
    promtool = program("promtool")
    with ServerProcess(tmp_path / "data", "--workers", "1", database=own_database) as server:
        text = httpx.get(f"{server.url}/metrics").text
    done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
