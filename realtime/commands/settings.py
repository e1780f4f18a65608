"""Values of all settings: from the command line, the environment, or the defaults."""

from __future__ import annotations

from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from realtime.commands.options import DATABASE_OPTIONS, ROBOTS_OPTIONS, SERVE_OPTIONS
from realtime.net.addresses import is_loopback
from realtime.ops.log import Format
from realtime.ops.mail import MailServer, parse_server
from realtime.protocol.errors import BadSetting
from realtime.protocol.limits import DEFAULTS, Limits, parse_limits

if TYPE_CHECKING:
    from collections.abc import Mapping


ROBOTS_FILE = "robots-token"
"""Name of the file of the service token in the data directory."""


class RobotsSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of ``zeitnot robots``."""

    server: str
    token_file: Path
    engine: Path | None = None
    hub_engine: Path | None = None
    engine_slots: int | None = None
    log_format: Format = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    metrics_port: int | None = None
    data: Path = Path("zeitnot-data")
    database: str | None = None
    postgres_bin: Path | None = None
    log_format: Format = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    limits: Limits = DEFAULTS
    proxies: tuple[str, ...] = ()
    words: Path | None = None
    source_url: str | None = None
    hosts: tuple[str, ...] = ()
    smtp: MailServer | None = None
    nats: str | None = None
    nats_ca: Path | None = None
    workers: int = 1
    notice_seconds: int = 3
    drain_seconds: int = 20
    share_port: bool = False
    no_robots: bool = False
    token_file: Path | None = None
    engine: Path | None = None
    hub_engine: Path | None = None
    engine_slots: int | None = None
    texts: dict[str, str] = {}
    """The given texts by name, to be passed on to workers."""

    @property
    def metrics_ports(self) -> list[int]:
        """One port for each worker; empty if there are none."""
        first = self.metrics_port
        return [] if first is None else [first + number if first else 0 for number in range(self.workers)]

    @property
    def shows_metrics(self) -> bool:
        """Whether ``/metrics`` is served at the main port: for a single process that only its machine can reach."""
        return self.metrics_port is None and is_loopback(self.host) and not self.proxies and not self.share_port

    @property
    def robots_token(self) -> Path | None:
        """File of the service token of robots; None: the server has none."""
        if self.token_file is not None:
            return self.token_file
        return None if self.no_robots or self.database is not None else self.data / ROBOTS_FILE

    @property
    def target(self) -> str:
        """The database as named in messages, without a password."""
        if self.database is None:
            return f"the embedded PostgreSQL in {self.data.absolute()}"
        return f"the database {_without_secrets(self.database)}"


def read_settings(given: Mapping[str, str | None], environment: Mapping[str, str]) -> Settings:
    """Read settings from the command line, then the environment, then the defaults.

    ``data`` and ``database`` exclude each other: one of them on the command line overrides the environment.

    Raises:
        BadSetting: an invalid value; a variable ``ZEITNOT_…`` that is not a setting; ``data`` and ``database`` from the
            same place.
        BadLimits: the same for ``limit``.
    """

    _check_variables(environment)
    overridden = _overridden(given, environment)

    def value(name: str) -> str | None:
        text = given.get(name)
        if text is not None or name == overridden:
            return text
        return environment.get("ZEITNOT_" + name.upper()) or None

    names = (option.name for option in SERVE_OPTIONS + DATABASE_OPTIONS)
    texts = {name: text for name in names if (text := value(name)) is not None}
    port = _count("port", value("port"), 8000, range(65536))
    workers = _count("workers", value("workers"), 1, range(1, 65))
    metrics_port = _metrics_port(value("metrics_port"), port, workers)
    source_url = value("source_url")
    if source_url is not None and not source_url.startswith(("https://", "http://")):
        raise BadSetting(f"source_url: expected an address that begins with https:// or http://, got {source_url!r}")
    limit, data, binaries = value("limit"), value("data"), value("postgres_bin")
    smtp = value("smtp")
    return Settings(
        texts=texts,
        host=value("host") or "127.0.0.1",
        port=port,
        metrics_port=metrics_port,
        data=Path(data) if data else Path("zeitnot-data"),
        database=_database(value("database")),
        postgres_bin=Path(binaries) if binaries else None,
        log_format=_one_of("log_format", value("log_format") or "text", ("text", "json")),  # type: ignore[arg-type]  # checked
        log_level=_one_of("log_level", value("log_level") or "info", ("debug", "info", "warning", "error")),  # type: ignore[arg-type]  # checked
        limits=parse_limits(limit) if limit else DEFAULTS,
        proxies=_proxies(value("proxies") or ""),
        words=Path(words) if (words := value("words")) else None,
        source_url=source_url,
        hosts=_hosts(value("hosts") or ""),
        smtp=parse_server(smtp) if smtp else None,
        nats=_nats(value("nats")),
        nats_ca=Path(ca) if (ca := value("nats_ca")) else None,
        workers=workers,
        notice_seconds=_count("notice_seconds", value("notice_seconds"), 3, range(301)),
        drain_seconds=_count("drain_seconds", value("drain_seconds"), 20, range(3601)),
        share_port=_one_of("share_port", value("share_port") or "no", ("yes", "no")) == "yes",
        no_robots=_one_of("no_robots", value("no_robots") or "no", ("yes", "no")) == "yes",
        token_file=_path(value("token_file")),
        engine=_path(value("engine")),
        hub_engine=_path(value("hub_engine")),
        engine_slots=_count("engine_slots", value("engine_slots"), 0, range(257)) or None,
    )


def read_robots_settings(given: Mapping[str, str | None], environment: Mapping[str, str]) -> RobotsSettings:
    """Read the settings of ``zeitnot robots`` from the command line, then the environment, then the defaults.

    Raises ``BadSetting``.
    """
    _check_variables(environment)

    def value(name: str) -> str | None:
        return given.get(name) or environment.get("ZEITNOT_" + name.upper()) or None

    server = (value("server") or "http://127.0.0.1:8000").rstrip("/")
    if not server.startswith(("https://", "http://")):
        raise BadSetting(f"server: expected an address that begins with https:// or http://, got {server!r}")
    return RobotsSettings(
        server=server,
        token_file=_path(value("token_file")) or Path("zeitnot-data") / ROBOTS_FILE,
        engine=_path(value("engine")),
        hub_engine=_path(value("hub_engine")),
        engine_slots=_count("engine_slots", value("engine_slots"), 0, range(257)) or None,
        log_format=_one_of("log_format", value("log_format") or "text", ("text", "json")),  # type: ignore[arg-type]  # checked
        log_level=_one_of("log_level", value("log_level") or "info", ("debug", "info", "warning", "error")),  # type: ignore[arg-type]  # checked
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _check_variables(environment: Mapping[str, str]) -> None:
    """Refuse unknown variables: a misspelt ``ZEITNOT_DATABASE`` would create a new database."""
    known = {option.name.upper() for option in SERVE_OPTIONS + DATABASE_OPTIONS + ROBOTS_OPTIONS}
    for variable, text in environment.items():
        name = variable.removeprefix("ZEITNOT_")
        if name != variable and name not in known and text:
            guess = "".join(f"; is it ZEITNOT_{close}?" for close in get_close_matches(name, known, n=1))
            raise BadSetting(f"{variable}: there is no such setting{guess}")


def _overridden(given: Mapping[str, str | None], environment: Mapping[str, str]) -> str | None:
    """Return which of ``data`` and ``database`` in the environment is overridden by the other on the command line."""
    on_line = [name for name in ("data", "database") if given.get(name) is not None]
    if len(on_line) == 2:
        raise BadSetting("--data and --database: expected only one of them, because each names a database")
    if on_line:
        return "database" if on_line == ["data"] else "data"
    if environment.get("ZEITNOT_DATA") and environment.get("ZEITNOT_DATABASE"):
        raise BadSetting(
            "ZEITNOT_DATA and ZEITNOT_DATABASE: expected only one of them, because each names a database; the command "
            "line, --data or --database, counts before both"
        )
    return None


def _database(url: str | None) -> str | None:
    """Return the URL, if its password is in the right place. It is never quoted in a message."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadSetting("database: the address cannot be read; write special characters in it as %XX") from error
    if parts.scheme not in ("postgresql", "postgres") or "://" not in url:
        raise BadSetting("database: expected an address like postgresql://USER:PASSWORD@HOST/NAME")
    if "@" in parts.path + parts.query + parts.fragment:
        raise BadSetting("database: the address has an @ after /, ? or #; write these characters in a password as %XX")
    return url


def _without_secrets(url: str) -> str:
    """Return a database URL without password and parameters, except for a host among them."""
    parts = urlsplit(url)
    parameters = [(name, text) for name, text in parse_qsl(parts.query) if name in ("host", "port", "dbname", "user")]
    account, at, place = parts.netloc.rpartition("@")
    query = "?" + urlencode(parameters, safe="/") if parameters else ""
    return f"{parts.scheme}://{account.partition(':')[0]}{at}{place}{parts.path}{query}"


def _count(name: str, text: str | None, default: int, allowed: range) -> int:
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and int(text) in allowed):
        raise BadSetting(f"{name}: expected a number from {allowed[0]} to {allowed[-1]}, got {text!r}")
    return int(text)


def _metrics_port(text: str | None, port: int, workers: int) -> int | None:
    if text is None:
        return None
    first = _count("metrics_port", text, 0, range(65536 - workers + 1))
    if first and first <= port < first + workers:
        raise BadSetting(f"metrics_port: expected another port than the server's own, {port}, for each worker")
    return first


def _nats(text: str | None) -> str | None:
    """Parse one or more NATS URLs, separated by commas."""
    if text is None:
        return None
    schemes = set()
    for part in text.split(","):  # never quoted in a message: it may have a password
        try:
            address = urlsplit(part.strip())
            is_whole = bool(address.hostname) and address.port != 0
        except ValueError:
            is_whole = False
        if not is_whole or address.scheme not in ("nats", "tls"):
            raise BadSetting(
                "nats: expected an address like nats://HOST:4222 or tls://USER:PASSWORD@HOST:4222, or several with "
                "commas between"
            )
        schemes.add(address.scheme)
    if len(schemes) > 1:
        raise BadSetting("nats: expected addresses that all begin with nats://, or all with tls://")
    return text


def _hosts(text: str) -> tuple[str, ...]:
    """Parse host names without ports, separated by commas."""
    hosts = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    for host in hosts:
        if not host.endswith("]") and (":" in host or "/" in host):
            raise BadSetting(f"hosts: expected names without port and path, as in chess.example.org, got {host!r}")
    return hosts


def _proxies(text: str) -> tuple[str, ...]:
    """Parse addresses and networks, separated by commas."""
    proxies = tuple(part.strip() for part in text.split(",") if part.strip())
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            raise BadSetting(
                f"proxies: expected addresses or networks like 10.0.0.0/8, with commas between: {error}"
            ) from error
    return proxies


def _one_of(name: str, text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise BadSetting(f"{name}: expected one of {', '.join(choices)}, got {text!r}")
    return text
