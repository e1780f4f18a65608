"""A database URL as environment variables for PostgreSQL's programs, so that no password is in the process list.

asyncpg and libpq read the same URLs except for a few names; what asyncpg takes as a setting of the server is one here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "database": "PGDATABASE",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
    "servicefile": "PGSERVICEFILE",
    "options": "PGOPTIONS",
    "sslmode": "PGSSLMODE",
    "sslnegotiation": "PGSSLNEGOTIATION",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcrl": "PGSSLCRL",
    "ssl_min_protocol_version": "PGSSLMINPROTOCOLVERSION",
    "ssl_max_protocol_version": "PGSSLMAXPROTOCOLVERSION",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "krbsrvname": "PGKRBSRVNAME",
    "gsslib": "PGGSSLIB",
}
"""URL parameters that both know."""

DEFAULT_HOSTS = "/run/postgresql,/var/run/postgresql,/tmp,localhost"
"""Where asyncpg connects without a host. libpq uses one directory, which depends on its build."""

_ONLY_LIBPQ = ("PGSERVICE", "PGHOSTADDR", "PGOPTIONS", "PGAPPNAME")
"""Variables that affect libpq but not asyncpg."""

_PLACE = re.compile(r"(?:\[(?P<v6>[^]]*)\]|(?P<name>[^:]*))(?::(?P<port>\d*))?")


def environment_of(url: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return ``inherited`` with the variables of ``url`` in place of its own.

    Raises ``BadSetting`` if ``url`` is not PostgreSQL's, or has a secret that no variable can hold.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise BadSetting("database: expected an address that begins with postgresql://")
    account, _, places = parts.netloc.rpartition("@")
    user, _, password = account.partition(":")
    hosts, ports = _split(places)
    named = {
        "PGUSER": unquote(user),
        "PGPASSWORD": unquote(password),
        "PGHOST": hosts,
        "PGPORT": ports,
        "PGDATABASE": unquote(parts.path.removeprefix("/")),
    }
    given = {variable: value for variable, value in named.items() if value}
    settings = []
    for name, value in parse_qsl(parts.query):
        if name == "sslpassword":
            raise BadSetting("database: sslpassword cannot be given to pg_dump unseen; use a key without a password")
        if name in _VARIABLES:
            given.setdefault(_VARIABLES[name], value)
        elif name != "application_name":
            settings.append(f"-c {name}={_escaped(value)}")
    if settings:
        given["PGOPTIONS"] = " ".join([*filter(None, [given.get("PGOPTIONS")]), *settings])
    kept = {name: value for name, value in inherited.items() if name not in _ONLY_LIBPQ}
    return {**kept, **given}


def _split(places: str) -> tuple[str, str]:
    """Return ``a:1,[::1]:2`` as libpq's two lists."""
    if not places:
        return "", ""
    hosts, ports = [], []
    for place in places.split(","):
        match = _PLACE.fullmatch(place)
        if match is None:
            raise BadSetting(f"database: expected HOST or HOST:PORT, got {place!r}")
        hosts.append(unquote(match["v6"] or match["name"] or ""))
        ports.append(match["port"] or "")
    return ",".join(hosts), ",".join(ports) if any(ports) else ""


def _escaped(value: str) -> str:
    return re.sub(r"([\\\s])", r"\\\1", value)
