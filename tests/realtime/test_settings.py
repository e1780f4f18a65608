"""Settings that cannot be used are refused at the start, in words that name them and quote no password."""

from __future__ import annotations

import pytest

from realtime.errors import BadSetting
from realtime.settings import read_settings


@pytest.mark.parametrize(
    "url",
    [
        "nats://nats.example",
        "tls://zeitnot:secret@nats.example:4222",
        "nats://a.example:4222, nats://b.example:4222",
        "nats://[::1]:4222",
    ],
)
def test_addresses_of_nats(url: str) -> None:
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
def test_what_is_none(url: str) -> None:
    with pytest.raises(BadSetting, match="nats: expected") as caught:
        read_settings({"nats": url}, {})
    assert "secret" not in str(caught.value)


def test_proxies() -> None:
    settings = read_settings({"proxies": "127.0.0.1, 10.0.0.0/8,fd00::/8 ,"}, {})
    assert settings.proxies == ("127.0.0.1", "10.0.0.0/8", "fd00::/8")


@pytest.mark.parametrize("proxies", ["localhost", "10.0.0.0/33", "10.0.0.1/8", "127.0.0.1:80", "*"])
def test_what_is_no_proxy(proxies: str) -> None:
    with pytest.raises(BadSetting, match="proxies: expected addresses or networks"):
        read_settings({"proxies": proxies}, {})


# Which database


def test_the_command_line_counts_before_the_environment() -> None:
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
def test_two_databases_at_once(given: dict[str, str | None], environment: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="expected one of them, for each is a database of its own"):
        read_settings(given, environment)


def test_a_misspelt_variable() -> None:
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
        ("postgresql://anna:secret@[::1", "of --database"),
    ],
)
def test_a_database_is_named_without_its_password(url: str, told: str) -> None:
    assert read_settings({"database": url}, {}).target == f"the database {told}"
