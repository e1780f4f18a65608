"""Prometheus configuration: scrapes, alerts, and scaling by metrics that a real server has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more
from prometheus_client.parser import text_string_to_metric_families

from tests.k8s.manifests import K8S, ROOT, named, of_kind, selects
from tests.k8s.manifests import server as container_of
from tests.k8s.quantities import parse_duration, parse_quantity

if TYPE_CHECKING:
    from tests.k8s.manifests import Manifest
    from tests.server_process import ServerProcess


def alerts() -> list[Manifest]:
    """All rules."""
    (rule,) = of_kind("production", "PrometheusRule")
    assert set(rule["spec"]) == {"groups"}
    found = []
    for group in rule["spec"]["groups"]:
        assert set(group) == {"name", "rules"}
        found += group["rules"]
    return found


@pytest.fixture(scope="module")
def counted(server: ServerProcess) -> set[str]:
    """Every series that a server has, as Prometheus names it."""
    text = httpx.get(server.metrics_url + "/metrics").text
    return {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}


def test_scrape_selects_the_servers() -> None:
    (monitor,) = of_kind("production", "ServiceMonitor")
    assert set(monitor["spec"]) == {"selector", "endpoints"}
    chosen = [
        service
        for service in of_kind("production", "Service")
        if selects(monitor["spec"]["selector"], service["metadata"]["labels"])
    ]
    assert [service["metadata"]["name"] for service in chosen] == ["zeitnot"], "which is the job of the alerts"
    for endpoint in monitor["spec"]["endpoints"]:
        assert set(endpoint) == {"port", "path", "interval", "scrapeTimeout"}
        assert endpoint["port"] in [port["name"] for port in chosen[0]["spec"]["ports"]]
        assert parse_duration(endpoint["scrapeTimeout"]) < parse_duration(endpoint["interval"])


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])
def test_alerts_have_every_field(alert: Manifest) -> None:
    assert set(alert) - {"for"} == {"alert", "expr", "labels", "annotations"}
    assert alert["labels"]["severity"] in ("critical", "warning")
    assert set(alert["annotations"]) == {"summary"}
    for duration in (alert.get("for", "0s"), *re.findall(r"\[(\w+)\]", alert["expr"])):
        parse_duration(duration)


def test_plain_alert_file_equals_the_operators_rule() -> None:
    """Without the Prometheus operator alerts name instances, not pods."""
    (rule,) = of_kind("production", "PrometheusRule")
    plain = (ROOT / "deploy" / "alerts.yaml").read_text()
    assert yaml.safe_load(plain.replace("$labels.instance", "$labels.pod")) == rule["spec"]


def test_exactly_the_existing_alerts_are_documented() -> None:
    document = (ROOT / "docs" / "kubernetes.md").read_text()
    told = re.findall(r"^\| `(Zeitnot\w+)` \|", document, re.MULTILINE)
    assert told == [alert["alert"] for alert in alerts()]


def test_memory_alert_is_at_three_quarters_of_the_limit() -> None:
    (alert,) = (alert for alert in alerts() if alert["alert"] == "ZeitnotMemoryHigh")
    factors = re.fullmatch(r".* > (\d+) \* 1024 \* 1024", alert["expr"])
    assert factors is not None
    limit = parse_quantity(container_of("production")["resources"]["limits"]["memory"])
    assert int(factors[1]) * 2**20 == 0.75 * limit


def test_autoscaler_uses_an_existing_metric(counted: set[str]) -> None:
    scaler = named("production with connections", "HorizontalPodAutoscaler", "zeitnot")
    cpu, connections = scaler["spec"]["metrics"]
    assert [cpu] == named("production", "HorizontalPodAutoscaler", "zeitnot")["spec"]["metrics"]
    assert cpu["resource"]["name"] == "cpu"
    metric = connections["pods"]["metric"]["name"]
    assert metric in counted
    (rule,) = yaml.safe_load((K8S / "components" / "connections" / "adapter-rules.yaml").read_text())
    assert rule["name"]["as"] == metric
    assert rule["seriesQuery"].startswith(metric + "{")
    # No more sockets than a node has descriptors for, and fewer than the alert says.
    assert parse_quantity(connections["pods"]["target"]["averageValue"]) <= 0.8 * 65536
