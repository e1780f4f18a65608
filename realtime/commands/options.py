"""The options of the commands: name, help, and what they take. ``settings.py`` reads their values."""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True):
    """One setting of the command line. The environment variable is ``ZEITNOT_`` and the name."""

    name: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    is_switch: bool = False
    """It takes no value on the command line; the variable is ``yes`` or ``no``."""

    @property
    def usage(self) -> str:
        """``--port PORT``."""
        value = self.metavar or ("{" + ",".join(self.choices or ()) + "}")
        return self.flag if self.is_switch else f"{self.flag} {value}"

    @property
    def flag(self) -> str:
        """``--postgres-bin``."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """``ZEITNOT_POSTGRES_BIN``."""
        return "ZEITNOT_" + self.name.upper()


LOG_OPTIONS = (
    Option("log_format", "log format on standard error (default: text)", choices=("text", "json")),
    Option("log_level", "minimum level that is logged (default: info)", choices=("debug", "info", "warning", "error")),
)

DATABASE_OPTIONS = (
    Option("data", "directory of the embedded PostgreSQL (default: zeitnot-data)", "DIR"),
    Option("database", "use this PostgreSQL server instead of the embedded one", "URL"),
    Option(
        "postgres_bin",
        "directory of the PostgreSQL programs for the embedded server and backups, version 18 or later",
        "DIR",
    ),
    *LOG_OPTIONS,
)

ENGINE_OPTIONS = (
    Option(
        "token_file",
        "file of the service token of robots, created if it is missing (default: robots-token in the data directory)",
        "FILE",
    ),
    Option(
        "engine",
        "UCI engine of the chess robots (default: fairy-stockfish or stockfish on PATH, or that of zeitnot[robots])",
        "PATH",
    ),
    Option("hub_engine", "engine for international draughts by the Hub protocol, such as Scan (default: none)", "PATH"),
    Option("engine_slots", "robots' engines that compute at a time (default: one less than there are cores)", "N"),
)

ROBOTS_OPTIONS = (
    Option("server", "address of the server (default: http://127.0.0.1:8000)", "URL"),
    *ENGINE_OPTIONS,
    *LOG_OPTIONS,
)

SERVE_OPTIONS = (
    Option(
        "nats",
        "NATS server that connects the nodes on one database, or the servers of a NATS cluster, separated by commas "
        "(default: none)",
        "URL",
    ),
    Option("nats_ca", "CA certificates for NATS servers with tls:// (default: the system's)", "FILE"),
    Option("host", "address to listen on (default: 127.0.0.1)", "ADDRESS"),
    Option("port", "port to listen on, 0 for any (default: 8000)", "PORT"),
    Option(
        "metrics_port",
        "port for /metrics, 0 for any; with several workers, each has the next port (default: none)",
        "PORT",
    ),
    Option("workers", "number of nodes on this machine, all on the same port (default: 1)", "N"),
    Option(
        "notice_seconds",
        "seconds for which a stopping node of a cluster serves while /readyz already fails (default: 3)",
        "S",
    ),
    Option(
        "drain_seconds", "maximum time to hand over games to other nodes at a stop; 0: no handover (default: 20)", "S"
    ),
    Option(
        "share_port",
        "let other processes of the same system account listen on this port (default: no)",
        choices=("yes", "no"),
    ),
    Option("limit", "limits to change, for example connections=20000,guests=20000,rate=1000", "NAME=N,…"),
    Option("hosts", "host names of the server; HTTP requests for others get 421 (default: any)", "NAME,…"),
    Option("proxies", "addresses of proxies whose X-Forwarded-For is trusted (default: none)", "IP,…"),
    Option(
        "smtp",
        "mail server for reset codes and address confirmation: smtp://USER:PASSWORD@HOST?from=ADDRESS (default: none)",
        "URL",
    ),
    Option("words", "file of words that chat and profiles show as asterisks, one per line (default: none)", "FILE"),
    Option("source_url", "address of this server's source code, linked from its pages (default: no link)", "URL"),
    Option("no_robots", "do not start the process that plays for robots (default: no)", is_switch=True),
    *ENGINE_OPTIONS,
)
