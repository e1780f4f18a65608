"""``/metrics``, at a port of its own.

A balancer that passes everything on does not pass this on: it is at the main port only while nobody but this machine
reaches that (``Settings.shows_metrics``), and then never for what came through a proxy.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from realtime.server import bound_socket, url_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from prometheus_client.registry import Collector
    from starlette.requests import Request

CONNECTIONS = 20
"""At once; more get 503. A scraper needs one."""

FORWARDED = ("forwarded", "x-forwarded-for", "via")
"""Headers that proxies add."""

log = logging.getLogger(__name__)


class MetricsPage:
    """What a process counts, as Prometheus text."""

    def __init__(self, metrics: Collector) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(metrics)
        ProcessCollector(registry=self._registry)

    async def show(self, _request: Request) -> Response:
        """200: everything."""
        return Response(generate_latest(self._registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def show_here(self, request: Request) -> Response:
        """200: everything; 404 for what came through a proxy."""
        if any(name in request.headers for name in FORWARDED):
            raise HTTPException(404)
        return await self.show(request)


@contextlib.asynccontextmanager
async def metrics_served(metrics: Collector, host: str, port: int | None) -> AsyncIterator[None]:
    """Serve ``/metrics`` and nothing else at this port, 0 for any; None: nowhere. Raises ``OSError``."""
    if port is None:
        yield
        return
    config = uvicorn.Config(
        Starlette(routes=[Route("/metrics", MetricsPage(metrics).show)]),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        backlog=CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    listener = bound_socket(host, port)
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup([listener])
    log.info("metrics are at %s/metrics", url_of(listener))
    try:
        yield
    finally:
        await server.shutdown([listener])
