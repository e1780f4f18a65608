"""Invalid settings: refused at the start, named in the message, without passwords."""

from __future__ import annotations

import re

import pytest

from realtime.commands.settings import read_settings
from realtime.protocol.errors import BadSetting


@pytest.mark.parametrize(
    "url",
    [
        "nats://nats.example",
        "tls://zeitnot:secret@nats.example:4222",
        "nats://a.example:4222, nats://b.example:4222",
        "nats://[::1]:4222",
    ],
)
def test_nats_addresses_are_accepted(url: str) -> None:
    assert read_settings({}, {"ZEITNOT_NATS": url}).nats == url
    assert read_settings({}, {"ZEITNOT_NATS": ""}).nats is None


@pytest.mark.parametrize(
    "url",
    [
        "nats.example:4222",
        "http://nats.example:4222",
        "nats://",
        "nats://:4222",
        "nats://zeitnot:secret@nats.example:4222x",
        "nats://zeitnot:secret@nats.example:70000",
        "nats://zeitnot:secret@nats.example:0",
        "nats://zeitnot:sec/ret@nats.example",
        "nats://a.example,",
        "nats://zeitnot:secret@a.example,tls://b.example",
    ],
)
def test_invalid_nats_address_is_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="nats: expected") as caught:
        read_settings({"nats": url}, {})
    assert "secret" not in str(caught.value)


def test_list_of_proxies_is_read() -> None:
    settings = read_settings({"proxies": "127.0.0.1, 10.0.0.0/8,fd00::/8 ,"}, {})
    assert settings.proxies == ("127.0.0.1", "10.0.0.0/8", "fd00::/8")


@pytest.mark.parametrize("proxies", ["localhost", "10.0.0.0/33", "10.0.0.1/8", "127.0.0.1:80", "*"])
def test_invalid_proxy_is_refused(proxies: str) -> None:
    with pytest.raises(BadSetting, match="proxies: expected addresses or networks"):
        read_settings({"proxies": proxies}, {})


# Which database


def test_command_line_overrides_environment() -> None:
    settings = read_settings({"data": "d"}, {"ZEITNOT_DATABASE": "postgresql:///other"})
    assert (settings.database, str(settings.data)) == (None, "d")
    assert "database" not in settings.texts
    settings = read_settings({"database": "postgresql:///x"}, {"ZEITNOT_DATA": "d"})
    assert settings.database == "postgresql:///x"
    assert "data" not in settings.texts


@pytest.mark.parametrize(
    ("given", "environment"),
    [
        ({"data": "d", "database": "postgresql:///x"}, {}),
        ({}, {"ZEITNOT_DATA": "d", "ZEITNOT_DATABASE": "postgresql:///x"}),
    ],
)
def test_two_databases_are_refused(given: dict[str, str | None], environment: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="expected only one of them, because each names a database"):
        read_settings(given, environment)


def test_unknown_environment_variable_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"^ZEITNOT_DATABSE: there is no such setting; is it ZEITNOT_DATABASE\?$"):
        read_settings({}, {"ZEITNOT_DATABSE": "postgresql:///x"})
    with pytest.raises(BadSetting, match=r"^ZEITNOT_ORANGES: there is no such setting$"):
        read_settings({}, {"ZEITNOT_ORANGES": "1", "OTHER": "1"})


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://anna:secret@db.example:5433/club", "postgresql://anna@db.example:5433/club"),
        ("postgresql://db.example/club?password=secret&sslmode=require", "postgresql://db.example/club"),
        ("postgresql://anna@/club?host=/var/run/postgresql", "postgresql://anna@/club?host=/var/run/postgresql"),
    ],
)
def test_database_name_omits_password(url: str, told: str) -> None:
    assert read_settings({"database": url}, {}).target == f"the database {told}"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://anna:secret@[::1", "cannot be read; write special characters in it as %XX"),
        ("postgresql://anna:sec/ret@db.example/club", "has an @ after /"),
        ("postgresql://anna:sec?ret@db.example/club", "has an @ after /"),
        ("postgresql://anna:sec#ret@db.example/club", "has an @ after /"),
        ("mysql://anna:secret@db.example/club", "expected an address like postgresql://"),
        ("db.example/club", "expected an address like postgresql://"),
    ],
)
def test_invalid_database_url_is_refused_without_its_password(url: str, why: str) -> None:
    with pytest.raises(BadSetting, match=f"^database: .*{re.escape(why)}") as caught:
        read_settings({"database": url}, {})
    assert "sec" not in str(caught.value)


class TestMetricsPort:
    @pytest.mark.parametrize(("workers", "ports"), [(None, [9464]), ("3", [9464, 9465, 9466])])
    def test_each_worker_has_a_metrics_port(self, workers: str | None, ports: list[int]) -> None:
        assert read_settings({"metrics_port": "9464", "workers": workers}, {}).metrics_ports == ports

    def test_default_has_no_metrics_port(self) -> None:
        assert read_settings({}, {}).metrics_ports == []
        assert read_settings({"metrics_port": "0", "workers": "2"}, {}).metrics_ports == [0, 0]

    @pytest.mark.parametrize(
        "given",
        [
            {"metrics_port": "8000"},
            {"metrics_port": "7999", "workers": "2"},
            {"metrics_port": "65535", "workers": "2"},
            {"metrics_port": "x"},
        ],
    )
    def test_metrics_port_must_differ_from_main_port(self, given: dict[str, str]) -> None:
        with pytest.raises(BadSetting, match="metrics_port"):
            read_settings(given, {})

    @pytest.mark.parametrize(
        ("given", "shown"),
        [
            ({}, True),
            ({"host": "::1"}, True),
            ({"host": "localhost"}, True),
            ({"host": "0.0.0.0"}, False),
            ({"host": "chess.example"}, False),
            ({"proxies": "127.0.0.1"}, False),
            ({"share_port": "yes"}, False),
            ({"metrics_port": "9464"}, False),
        ],
    )
    def test_main_port_shows_metrics_on_loopback_only(self, given: dict[str, str], shown: bool) -> None:
        assert read_settings(given, {}).shows_metrics is shown
