"""A server with the settings, addresses and probes of the manifests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

from realtime.commands.options import DATABASE_OPTIONS, SERVE_OPTIONS
from realtime.commands.settings import read_settings
from realtime.protocol.limits import DEFAULTS
from tests.k8s.environment import environment_of, made, references
from tests.k8s.manifests import ROOT, VARIANTS, containers, named, of_kind
from tests.k8s.manifests import server as container_of
from tests.k8s.quantities import parse_duration

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

SETTINGS = {option.variable for option in SERVE_OPTIONS + DATABASE_OPTIONS}
HELPERS = {"NATS_PASSWORD", "NATS_SCHEME"}
"""Variables that are there for Kubernetes to put into others."""

BY_HAND = {
    "zeitnot-database": {"url": "postgresql://zeitnot:secret@db.example/zeitnot"},
    "zeitnot-nats": {"password": "n0123"},
    "zeitnot-mail": {"url": "smtps://zeitnot:secret@mail.example?from=chess@club.example"},
    "zeitnot-postgres-app": {"uri": "postgresql://zeitnot:secret@zeitnot-postgres-rw.zeitnot:5432/zeitnot"},
}
"""Secrets that the overlays do not bring along: docs/kubernetes.md says how they are made."""

WITH_SERVER = [variant for variant in VARIANTS if variant != "migrate"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_environment_variable_is_a_setting(variant: str) -> None:
    for workload, container in containers(variant):
        if workload["metadata"]["name"] in ("zeitnot", "zeitnot-migration", "zeitnot-backup"):
            variables = {variable["name"] for variable in container.get("env", ())}
            for source in container.get("envFrom", ()):
                variables |= set(named(variant, "ConfigMap", source["configMapRef"]["name"])["data"])
            assert variables <= SETTINGS | HELPERS


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_secret_exists_or_is_documented(variant: str) -> None:
    document = (ROOT / "docs" / "kubernetes.md").read_text()
    brought = made(variant)
    for _, container in containers(variant):
        for name, key in references(container):
            if name not in brought:
                assert key in BY_HAND[name]
                assert f"`{name}`" in document
            else:
                assert key in brought[name]
    for ingress in of_kind(variant, "Ingress"):
        for tls in ingress["spec"]["tls"]:
            assert f"`{tls['secretName']}`" in document
    if variant != "dev":
        assert not brought, "secrets do not belong into a repository"


@pytest.mark.parametrize("variant", WITH_SERVER)
def test_settings_can_be_read(variant: str) -> None:
    settings = read_settings({}, environment_of(variant, BY_HAND))
    assert settings.host == "0.0.0.0"
    assert container_of(variant)["ports"] == [
        {"name": "http", "containerPort": settings.port},
        {"name": "metrics", "containerPort": settings.metrics_port},
    ]
    assert settings.database is not None
    assert settings.log_format == "json"
    assert settings.nats is not None
    assert "$" not in settings.nats, "put in before it was defined"
    assert (settings.smtp is not None) == ("mail" in variant or "all" in variant)
    if variant != "dev":
        assert settings.proxies
        assert settings.source_url is not None


def test_server_answers_at_the_addresses_of_the_manifests(server: ServerProcess) -> None:
    container = container_of("production")
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert httpx.get(server.url + container[probe]["httpGet"]["path"]).status_code == 200
    (monitor,) = of_kind("production", "ServiceMonitor")
    for endpoint in monitor["spec"]["endpoints"]:
        assert httpx.get(server.metrics_url + endpoint["path"]).status_code == 200


def test_server_writes_nothing_to_disk(server: ServerProcess) -> None:
    assert not server.data.exists(), "an embedded PostgreSQL, with --database"


def test_server_is_connected_to_nats(server: ServerProcess) -> None:
    assert re.search(r"connected to NATS at 127[\d.]+:4222, 127[\d.]+:4222, 127[\d.]+:4222", server.told())


def test_proxies_wait_longer_than_the_server() -> None:
    (ingress,) = of_kind("production", "Ingress")
    waits = [value for key, value in ingress["metadata"]["annotations"].items() if "timeout" in key]
    assert len(waits) == 4
    for wait in waits:
        assert parse_duration(wait if wait.endswith("s") else wait + "s") >= 2 * DEFAULTS.silence_s > DEFAULTS.ping_s
    hosts = [host for tls in ingress["spec"]["tls"] for host in tls["hosts"]]
    assert hosts == [rule["host"] for rule in ingress["spec"]["rules"]]
