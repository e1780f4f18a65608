"""compose.yaml: two equal nodes behind a balancer that checks readiness; no other open ports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more

from realtime.commands.cli import parser
from realtime.commands.options import DATABASE_OPTIONS, SERVE_OPTIONS
from realtime.commands.settings import read_settings
from realtime.net.server import STOP_S
from realtime.protocol.limits import DEFAULTS
from tests.deploy.programs import program
from tests.images.dockerfile import ROOT
from tests.k8s.manifests import containers
from tests.k8s.quantities import parse_duration
from tests.k8s.test_pods import VERSION

TEXT = (ROOT / "compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", TEXT))
"""With the defaults of its variables."""

SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NODES = {name: service for name, service in SERVICES.items() if name.startswith("node-")}
SETTINGS = {option.variable for option in SERVE_OPTIONS + DATABASE_OPTIONS}
BALANCER: str = COMPOSE["configs"]["balancer"]["content"]


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types here
    """Takes Compose's ``!override`` as what it stands before."""


_Loader.add_constructor("!override", lambda loader, node: loader.construct_sequence(node))

PUBLIC_TEXT = (ROOT / "compose.public.yaml").read_text()
PUBLIC: dict[str, Any] = yaml.load(PUBLIC_TEXT, _Loader)
PUBLIC_BALANCER: str = PUBLIC["configs"]["balancer-public"]["content"]


def test_every_variable_has_a_default() -> None:
    assert "$" not in re.sub(r"\$\{\w+:-[^}]*\}", "", re.sub(r"#.*", "", TEXT))
    assert not re.search(r"\blatest\b", TEXT)


def test_images_are_those_of_the_cluster() -> None:
    known = {container["image"] for _, container in containers("dev")}
    for name, service in SERVICES.items():
        if name == "balancer":
            assert re.fullmatch(r"haproxy:\d+\.\d+\.\d+-alpine", service["image"])
        else:
            assert service["image"] in known
    assert all(node["image"] == f"zeitnot:{VERSION}" and node["build"] == "." for node in NODES.values())


def test_node_settings_are_equal_and_valid() -> None:
    first, second = NODES.values()
    assert first == second
    assert set(first["environment"]) <= SETTINGS
    settings = read_settings({}, first["environment"])
    assert settings.host == "0.0.0.0"
    for url in (settings.database, settings.nats):
        assert url is not None
        assert re.search(r"@(\w+):", url)[1] in SERVICES  # type: ignore[index]  # or it fails
    (subnet,) = (config["subnet"] for config in COMPOSE["networks"]["inside"]["ipam"]["config"])
    assert settings.proxies == (subnet,)
    assert parse_duration(first["stop_grace_period"]) >= settings.notice_seconds + settings.drain_seconds + STOP_S + 10


def test_passwords_agree() -> None:
    database = SERVICES["postgres"]["environment"]
    node = next(iter(NODES.values()))["environment"]
    assert node["ZEITNOT_DATABASE"] == (
        f"postgresql://{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}@postgres:5432/{database['POSTGRES_DB']}"
    )
    command = SERVICES["nats"]["command"]
    said = dict(zip(command[1::2], command[2::2], strict=True))
    assert node["ZEITNOT_NATS"] == f"nats://{said['--user']}:{said['--pass']}@nats:{said['--port']}"


def test_nats_accepts_its_options(tmp_path: Path) -> None:
    program, *options = SERVICES["nats"]["command"]
    (plain := tmp_path / "nats.conf").write_text("debug: false\n")
    checked = [str(Path(sys.executable).with_name(program)), *options, "--config", str(plain), "-t"]
    done = subprocess.run(checked, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_services_wait_for_healthy_dependencies() -> None:
    for service in SERVICES.values():
        for name, asked in service.get("depends_on", {}).items():
            assert asked == {"condition": "service_healthy"}
            assert "healthcheck" in SERVICES[name]
        assert service["restart"] == "unless-stopped"
    assert set(SERVICES["balancer"]["depends_on"]) == set(NODES)


def test_only_the_balancer_is_exposed() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["balancer"]
    assert SERVICES["balancer"]["ports"] == ["127.0.0.1:8000:8000"]
    assert all(set(service["networks"]) == {"inside"} for service in SERVICES.values())


def test_robots_play_on_any_node_with_the_token_of_all() -> None:
    robots, node = SERVICES["robots"], next(iter(NODES.values()))
    asked = parser().parse_args(robots["command"])
    assert asked.command == "robots"
    (alias,) = node["networks"]["inside"]["aliases"]
    assert asked.server == f"http://{alias}:{node['environment']['ZEITNOT_PORT']}"
    assert asked.token_file == node["environment"]["ZEITNOT_TOKEN_FILE"]
    assert read_settings({}, node["environment"]).no_robots
    (written,), (read,) = node["volumes"], robots["volumes"]
    assert read == f"{written}:ro"
    name, _, folder = written.partition(":")
    assert name in COMPOSE["volumes"]
    assert Path(asked.token_file).parent == Path(folder)
    assert f"--home-dir {folder} --create-home" in (ROOT / "Dockerfile").read_text(), "a volume has the folder's owner"
    assert set(robots["depends_on"]) == set(NODES)
    assert robots["healthcheck"] == {"disable": True}
    assert robots["cpu_shares"] < 1024, "less than a node's, by default"


@pytest.mark.parametrize("name", [*NODES, "balancer", "nats", "robots"])
def test_containers_may_do_little(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_balancer_checks_every_node() -> None:
    node = next(iter(NODES.values()))
    servers = re.findall(r"^  server (\S+) (\S+)$", BALANCER, re.MULTILINE)
    assert servers == [(name, f"{name}:{node['environment']['ZEITNOT_PORT']}") for name in NODES]
    (most,) = re.findall(r"^  maxconn (\d+)$", BALANCER, re.MULTILINE)
    assert SERVICES["balancer"]["ulimits"]["nofile"] > 2 * int(most)
    assert re.search(r"^  http-check send meth GET uri /readyz\b", BALANCER, re.MULTILINE)
    ((between, times),) = re.findall(r"^  default-server check inter (\w+) fall (\d+)", BALANCER, re.MULTILINE)
    assert parse_duration(between) * int(times) < int(node["environment"]["ZEITNOT_NOTICE_SECONDS"])
    assert not re.search(r"cookie|stick", BALANCER.replace("No sticky sessions", ""))
    (published,) = SERVICES["balancer"]["ports"]
    assert f"bind :{published.rpartition(':')[2]}\n" in BALANCER
    waits = dict(re.findall(r"^  timeout (\S+) (\S+)$", BALANCER, re.MULTILINE))
    for name in ("client", "server", "tunnel"):
        assert parse_duration(waits[name]) >= 2 * DEFAULTS.silence_s
    (source,) = SERVICES["balancer"]["configs"]
    assert source["source"] in COMPOSE["configs"]


def test_health_check_addresses_exist(server_url: str) -> None:
    node = next(iter(NODES.values()))
    (asked,) = re.findall(r"http://127\.0\.0\.1:8000(/\w+)", node["healthcheck"]["test"][-1])
    assert asked == "/readyz"
    for path in (asked, "/healthz"):
        assert httpx.get(server_url + path).status_code == 200


def test_logs_processes_and_memory_are_bounded() -> None:
    for service in SERVICES.values():
        assert service["logging"] == {"driver": "local", "options": {"max-size": "20m", "max-file": "5"}}
        assert service["pids_limit"] > 0
        assert service["mem_limit"][-1] in "mg"


def test_balancer_reports_whether_a_node_is_up() -> None:
    (asked,) = re.findall(r"http://(127\.0\.0\.1:\d+)/", SERVICES["balancer"]["healthcheck"]["test"][-1])
    for balancer in (BALANCER, PUBLIC_BALANCER):
        health = balancer.partition("frontend health\n")[2]
        assert health.startswith(f"  bind {asked}\n  monitor-uri /\n  monitor fail if {{ nbsrv(nodes) lt 1 }}\n")


class TestPublic:
    """``compose.public.yaml`` over ``compose.yaml``."""

    def test_no_password_and_no_name_has_a_default(self) -> None:
        asked = set(re.findall(r"\$\{(\w+):\?", PUBLIC_TEXT))
        assert asked == {"ZEITNOT_NAME", "POSTGRES_PASSWORD", "NATS_PASSWORD"}
        assert not re.search(r"\$\{\w+(:-|\})", PUBLIC_TEXT)
        with_defaults = set(re.findall(r"\$\{(\w+PASSWORD):-", TEXT))
        assert with_defaults <= asked

    def test_public_file_changes_existing_services(self) -> None:
        assert set(PUBLIC["services"]) == set(SERVICES) - {"robots"}
        assert all(PUBLIC["services"][name]["environment"].keys() == {"ZEITNOT_HOSTS"} for name in NODES)
        (alias,) = SERVICES["node-1"]["networks"]["inside"]["aliases"]
        assert PUBLIC["services"]["node-1"]["environment"]["ZEITNOT_HOSTS"].endswith(f",{alias}")
        assert PUBLIC["services"]["balancer"]["configs"][0]["target"] == SERVICES["balancer"]["configs"][0]["target"]

    def test_only_https_is_served(self) -> None:
        inside = [port.partition(":")[::2] for port in PUBLIC["services"]["balancer"]["ports"]]
        assert inside == [("80", "8080"), ("443", "8443")]
        plain = PUBLIC_BALANCER.partition("frontend http\n")[2].partition("\n\n")[0]
        assert plain == "  bind :8080\n  http-request redirect scheme https code 301"
        assert "  bind :8443 ssl crt /certificates/ " in PUBLIC_BALANCER
        (mount,) = PUBLIC["services"]["balancer"]["volumes"]
        assert mount == "./certificates:/certificates:ro"

    def test_the_rest_of_the_balancer_is_the_same(self) -> None:
        changed = {"  bind :8000", "  http-request set-header X-Forwarded-Proto http"}
        lines = set(PUBLIC_BALANCER.splitlines())
        assert set(BALANCER.splitlines()) - lines == changed


@pytest.mark.slow("Debian's own programs")
@pytest.mark.parametrize("balancer", [BALANCER, PUBLIC_BALANCER], ids=["local", "public"])
def test_haproxy_accepts_its_configuration(balancer: str, tmp_path: Path) -> None:
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=chess.example")
    made = subprocess.run(["openssl", "req", "-x509", *key, "-keyout", "-"], capture_output=True, check=True)
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / "chess.example.pem").write_bytes(made.stdout)
    (tmp_path / "haproxy.cfg").write_text(balancer.replace("/certificates/", f"{tmp_path}/certificates/"))
    checked = [program("haproxy"), "-c", "-f", str(tmp_path / "haproxy.cfg")]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
