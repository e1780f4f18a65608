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
