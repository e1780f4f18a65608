"""Probes for operators: health, readiness, metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web


async def test_running_process_is_healthy(web: Web, program: httpx.AsyncClient) -> None:
    web.server.why = "the database is not responding"
    assert (await program.get("/healthz")).json() == {"status": "ok"}


async def test_readiness_reports_the_obstacle(web: Web, program: httpx.AsyncClient) -> None:
    assert (await program.get("/readyz")).json() == {"status": "ready"}
    web.server.why = "stopping"
    response = await program.get("/readyz")
    assert error_of(response) == (503, "unavailable")
    assert response.json()["error"]["message"] == "stopping"


async def test_metrics_are_prometheus_text(program: httpx.AsyncClient) -> None:
    response = await program.get("/metrics", headers={"host": "localhost"})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    assert "zeitnot_moves_total 7.0" in response.text
    assert "process_resident_memory_bytes" in response.text
