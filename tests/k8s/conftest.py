"""A server as the manifests start it: with their environment, a real PostgreSQL, and NATS as they configure it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.k8s.environment import environment_of
from tests.k8s.manifests import of_kind
from tests.k8s.nats_servers import PASSWORD, NatsServers
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Server


def nats_of(variant: str) -> tuple[str, tuple[str, ...]]:
    """Return the NATS configuration of a variant, and the names of its servers."""
    (config,) = (manifest for manifest in of_kind(variant, "ConfigMap") if "nats.conf" in manifest["data"])
    pods = [
        manifest for manifest in of_kind(variant, "StatefulSet", "Deployment") if "nats" in manifest["metadata"]["name"]
    ]
    names = tuple(
        f"zeitnot-nats-{number}" if pod["kind"] == "StatefulSet" else "zeitnot-nats"
        for pod in pods
        for number in range(pod["spec"]["replicas"])
    )
    return config["data"]["nats.conf"], names


@pytest.fixture(scope="session")
def server(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run what production's pod starts; only the addresses (its own, of the database and of NATS) belong to this
    machine."""
    database = postgres.create(template="template1")
    directory = tmp_path_factory.mktemp("k8s")
    with NatsServers(*nats_of("production"), directory) as nats:
        given = environment_of(
            "production", {"zeitnot-database": {"url": postgres.url(database)}, "zeitnot-nats": {"password": PASSWORD}}
        )
        given["ZEITNOT_METRICS_PORT"] = "0"  # other tests run at the same time
        given["ZEITNOT_NATS"] = nats.at_home(given["ZEITNOT_NATS"])
        with ServerProcess(directory / "data", "--host", "127.0.0.1", environment=given) as process:
            yield process
    postgres.drop(database)
