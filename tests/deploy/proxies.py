"""The examples of ``deploy/`` for nginx and HAProxy, on other ports on loopback and with another certificate."""

from __future__ import annotations

import os
import ssl
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tests.deploy.programs import DEPLOY, free_port, program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "chess.example"

_USER = "user root;" if os.geteuid() == 0 else ""
"""Owner of the directories of the tests."""


class Proxy(NamedTuple):
    """A running proxy."""

    http: int
    """Ports of the proxy."""
    https: int
    trust: ssl.SSLContext


@contextmanager
def proxy(kind: str, server_port: int, directory: Path) -> Iterator[Proxy]:
    """Run the proxy ``kind``, ``nginx`` or ``haproxy``, in front of a server on ``server_port``."""
    http, https = free_port(), free_port()
    certificate, key = directory / "fullchain.pem", directory / "privkey.pem"
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-addext",
         "basicConstraints=critical,CA:TRUE", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{server_port}",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ssl": f"listen 127.0.0.1:{https} ssl",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        f"/etc/letsencrypt/live/{NAME}/": f"{directory}/",
        "/var/www/html": str(directory / "html"),
        "    bind [::]:80 v6only\n": "",
        "    bind [::]:443 v6only ssl crt /etc/haproxy/certificates/ alpn h2,http/1.1\n": "",
        "bind :80\n": f"bind 127.0.0.1:{http}\n",
        "bind :443 ": f"bind 127.0.0.1:{https} ",
        "/etc/haproxy/certificates/": str(directory / "both.pem"),
        "    user haproxy\n    group haproxy\n": "",
        "maxconn 20000": "maxconn 1000",  # otherwise it needs more file descriptors than allowed
        "    log /dev/log local0\n": "    log stderr local0\n",
    }
    config = directory / kind
    if kind == "nginx":
        (directory / "html" / ".well-known" / "acme-challenge").mkdir(parents=True)
        (directory / "html" / ".well-known" / "acme-challenge" / "token").write_text("proof")
        site = directory / "site"
        site.write_text(_changed((DEPLOY / "nginx.conf").read_text(), changes))
        config.write_text(
            f"daemon off; pid {directory}/pid; error_log stderr; worker_processes 1; {_USER}\n"
            "events { worker_connections 1024; }\n"
            f"http {{ access_log off; client_body_temp_path {directory}/body; include {site}; }}\n"
        )
        command = [program("nginx"), "-e", "stderr", "-c", str(config)]
    else:
        (directory / "both.pem").write_text(certificate.read_text() + key.read_text())
        config.write_text(_changed((DEPLOY / "haproxy.cfg").read_text(), changes))
        command = [program("haproxy"), "-db", "-f", str(config)]
    with running(command, http, https):
        yield Proxy(http, https, ssl.create_default_context(cafile=str(certificate)))


def _changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        text = text.replace(old, new)
    return text
