"""``/metrics``, on a port of its own.

A load balancer would forward the path to everybody. So the main port serves it only while the port is reachable from
this machine alone (``Settings.shows_metrics``), and never for requests that came through a proxy.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import itertools
import logging
from typing import TYPE_CHECKING

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from realtime.http.guards.hosts import host_of
from realtime.http.operation import TEXT, Operation
from realtime.net.addresses import is_loopback
from realtime.net.server import bound_socket, url_of
from realtime.protocol.permissions import ANYBODY

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator

    from prometheus_client.registry import Collector
    from starlette.requests import Request

CONNECTIONS = 20
"""Concurrent connections; more get 503. A scraper needs one."""

RETRY_INTERVAL_S = 0.5
"""The interval between two attempts to bind the port."""

LONG = 600
"""Attempts between two warnings. A server that is being replaced may need minutes to release the port."""

FORWARDED = ("forwarded", "x-forwarded-for", "via")
"""Headers that proxies add."""

log = logging.getLogger(__name__)


class MetricsPage:
    """The process's metrics as Prometheus text."""

    def __init__(self, metrics: Collector) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(metrics)
        ProcessCollector(registry=self._registry)

    async def show(self, _request: Request) -> Response:
        """Return all metrics."""
        return Response(generate_latest(self._registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    @Operation("GET /metrics", ANYBODY, id="getMetrics", media=TEXT, answer=str)
    async def show_here(self, request: Request) -> Response:
        """Return the metrics as Prometheus text.

        404 for requests that came through a proxy. A proxy in its default configuration may add no header. It is then
        recognized by the client's host name or by HTTP/1.0.
        """
        is_own = is_loopback(host_of(request.headers.get("host", "")).strip("[]"))
        if not is_own or request.scope["http_version"] == "1.0" or any(name in request.headers for name in FORWARDED):
            raise HTTPException(404)
        return await self.show(request)


@contextlib.asynccontextmanager
async def metrics_served(
    metrics: Collector, host: str, port: int | None, *, waits: bool = False
) -> AsyncIterator[None]:
    """Serve only ``/metrics`` on this port; 0 chooses one, None serves nothing.

    Args:
        waits: whether to wait for the port, in the background, until the server that is being replaced releases it.

    Raises:
        OSError: the port is in use and ``waits`` is false, or it is not permitted.
    """
    async with contextlib.AsyncExitStack() as stack:
        if port is not None:
            try:
                listener = bound_socket(host, port)
            except OSError as error:
                if not waits or error.errno != errno.EADDRINUSE:
                    raise
                waiting = asyncio.create_task(
                    _serve_later(stack, metrics, host, port), name="wait for the metrics port"
                )
                stack.callback(waiting.cancel)
            else:
                await stack.enter_async_context(_serving(metrics, listener))
        yield


async def _serve_later(stack: contextlib.AsyncExitStack, metrics: Collector, host: str, port: int) -> None:
    for number in itertools.count(1):
        await asyncio.sleep(RETRY_INTERVAL_S)
        try:
            listener = bound_socket(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                log.exception("metrics are not served at port %d", port)
                return
            if number % LONG == 0:
                log.warning("metrics are not served: port %d is taken by another program", port)
            continue
        await stack.enter_async_context(_serving(metrics, listener))
        return


@contextlib.asynccontextmanager
async def _serving(metrics: Collector, listener: socket.socket) -> AsyncIterator[None]:
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
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup([listener])
    log.info("metrics are at %s/metrics", url_of(listener))
    try:
        yield
    finally:
        await server.shutdown([listener])
