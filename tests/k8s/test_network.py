"""Network policies: they allow only the traffic the servers need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tests.k8s.environment import environment_of
from tests.k8s.manifests import VARIANTS, labels_of, of_kind, selects, workloads
from tests.k8s.test_server import BY_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.k8s.manifests import Manifest

DNS = {("dns", "UDP 53"), ("dns", "TCP 53")}
NATS = {("nats", "TCP 4222")}

DEV = {
    ("server", "in"): {("robots", "TCP 8000")},
    ("server", "out"): DNS | NATS | {("postgres", "TCP 5432")},
    ("robots", "in"): set(),
    ("robots", "out"): DNS | {("server", "TCP 8000")},
    ("nats", "in"): {("server", "TCP 4222")},
    ("nats", "out"): set(),
    ("postgres", "in"): {("server", "TCP 5432")},
    ("postgres", "out"): set(),
}
PRODUCTION = {
    ("server", "in"): {("namespace ingress", "TCP 8000"), ("namespace monitoring", "TCP 9464")},
    ("server", "out"): DNS | NATS | {("192.0.2.10/32", "TCP 5432")},
    ("nats", "in"): {("server", "TCP 4222"), ("nats", "TCP 6222")},
    ("nats", "out"): DNS | {("nats", "TCP 6222")},
}
MAIL = {("outside", "TCP 465"), ("outside", "TCP 587")}
OPERATOR = {("pods of zeitnot-postgres", "TCP 5432")}
BACKUP = DNS | {("192.0.2.10/32", "TCP 5432")}
OUT, IN = ("server", "out"), ("server", "in")
ROBOTS = {("robots", "in"): set(), ("robots", "out"): DNS | {("server", "TCP 8000")}}
EXPECTED = {
    "dev": DEV,
    "production": PRODUCTION,
    "production with backup": {**PRODUCTION, ("backup", "in"): set(), ("backup", "out"): BACKUP},
    "production with cloudnative-pg": {**PRODUCTION, OUT: DNS | NATS | OPERATOR},
    "production with connections": PRODUCTION,
    "production with mail": {**PRODUCTION, OUT: PRODUCTION[OUT] | MAIL},
    "production with robots": {**PRODUCTION, IN: PRODUCTION[IN] | {("robots", "TCP 8000")}, **ROBOTS},
    "production with tls": PRODUCTION,
    "production with without-monitoring": {**PRODUCTION, IN: {("namespace ingress", "TCP 8000")}},
    "production with all": {
        **PRODUCTION,
        OUT: DNS | NATS | OPERATOR | MAIL,
        IN: PRODUCTION[IN] | {("robots", "TCP 8000")},
        **ROBOTS,
        ("backup", "in"): set(),
        ("backup", "out"): DNS | OPERATOR,
    },
}
"""Component and direction to who is at the other end and at which port. The port of what comes in is the pod's own."""


@pytest.mark.parametrize("variant", EXPECTED)
def test_network_policies_allow_exactly_the_expected_traffic(variant: str) -> None:
    assert edges(variant) == EXPECTED[variant]


def test_every_variant_has_expected_traffic() -> None:
    assert set(EXPECTED) == set(VARIANTS) - {"migrate"}, "the migration is a pod of the overlay beside it"


@pytest.mark.parametrize(
    ("variant", "database"), [("production", {("192.0.2.10/32", "TCP 5432")}), ("production with all", OPERATOR)]
)
def test_migration_reaches_the_database_by_its_name(variant: str, database: set[tuple[str, str]]) -> None:
    allowed = let_through(workloads("migrate"), of_kind(variant, "NetworkPolicy"))
    assert allowed == {("migration", "out"): DNS | database}, "no ingress to the migration"


@pytest.mark.parametrize("variant", EXPECTED)
def test_policies_of_both_ends_agree(variant: str) -> None:
    allowed = edges(variant)
    components = {component for component, _ in allowed}
    for (component, direction), ends in allowed.items():
        for other, port in ends:
            if other in components:
                back = "in" if direction == "out" else "out"
                assert (component, port) in allowed[other, back]


@pytest.mark.parametrize("variant", EXPECTED)
def test_server_may_reach_its_database_and_nats(variant: str) -> None:
    given = environment_of(variant, BY_HAND)
    services = {service["metadata"]["name"]: service for service in of_kind(variant, "Service")}
    pods = {workload["metadata"]["name"]: workload for workload in workloads(variant)}
    reached = edges(variant)["server", "out"]
    for url in (given["ZEITNOT_DATABASE"], *given["ZEITNOT_NATS"].split(",")):
        asked = urlsplit(url)
        assert asked.hostname is not None
        name = asked.hostname.rpartition(".")[2] if re.search(r"-\d+\.", asked.hostname) else asked.hostname
        if name not in services:
            assert asked.hostname in ("db.example", "zeitnot-postgres-rw.zeitnot"), "not of this overlay"
            continue
        assert asked.port in [port["port"] for port in services[name]["spec"]["ports"]]
        component = services[name]["spec"]["selector"]["app.kubernetes.io/component"]
        assert (component, f"TCP {asked.port}") in reached
        if asked.hostname != name:  # one of a set, by its own name
            assert services[name]["spec"]["clusterIP"] == "None"
            number = re.fullmatch(rf"{name}-(\d+)\.{name}", asked.hostname)
            assert number is not None
            assert int(number[1]) < pods[name]["spec"]["replicas"]
            assert pods[name]["spec"]["serviceName"] == name


def edges(variant: str) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """All that is let through, as ``EXPECTED`` has it. Pods that no policy chooses may do anything: there are none."""
    found = let_through(workloads(variant), of_kind(variant, "NetworkPolicy"))
    for workload in workloads(variant):
        component = labels_of(workload)["app.kubernetes.io/component"]
        assert {(component, "in"), (component, "out")} <= set(found), "no policy chooses it"
    return found


def let_through(pods: Iterable[Manifest], policies: Sequence[Manifest]) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """What ``policies`` say of ``pods``; a direction of which none says anything is not there."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for workload in pods:
        labels = labels_of(workload)
        component = labels["app.kubernetes.io/component"]
        for policy in policies:
            spec = policy["spec"]
            if not selects(spec["podSelector"], labels):
                continue
            for kind, direction, end in (("Ingress", "in", "from"), ("Egress", "out", "to")):
                assert kind in spec["policyTypes"] or kind.lower() not in spec
                if kind in spec["policyTypes"]:
                    ends = found.setdefault((component, direction), set())
                    for rule in spec.get(kind.lower(), ()):
                        assert rule[end], "an empty peer list allows every peer"
                        assert rule["ports"], "no port named is every port"
                        ends |= {(_end(one), _port(port, workload)) for one in rule[end] for port in rule["ports"]}
    return found


def _end(peer: Manifest) -> str:
    match peer:
        case {"podSelector": {"matchLabels": labels}, "namespaceSelector": {"matchLabels": namespace}}:
            assert (labels, namespace) == (
                {"k8s-app": "kube-dns"},
                {"kubernetes.io/metadata.name": "kube-system"},
            )
            return "dns"
        case {"podSelector": {"matchLabels": {"cnpg.io/cluster": cluster}}}:
            return f"pods of {cluster}"
        case {"podSelector": {"matchLabels": {"app.kubernetes.io/name": "zeitnot", **others}}}:
            ((key, component),) = others.items()
            assert key == "app.kubernetes.io/component"
            return str(component)
        case {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}}}:
            return f"namespace {namespace}"
        case {"ipBlock": {"cidr": "0.0.0.0/0", "except": [*inside]}}:
            assert inside == ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]
            return "outside"
        case {"ipBlock": {"cidr": cidr}}:
            return str(cidr)
    raise AssertionError(f"an end that nobody expects: {peer}")


def _port(port: dict[str, Any], workload: Manifest) -> str:
    number = port["port"]
    if isinstance(number, str):
        (number,) = [
            known["containerPort"]
            for container in workload["spec"]["template"]["spec"]["containers"]
            for known in container["ports"]
            if known["name"] == number
        ]
    return f"{port['protocol']} {number}"
