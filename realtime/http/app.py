"""The ASGI application: all routes and the middleware around them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware

from realtime.http.accounts.account import AccountApi
from realtime.http.accounts.guest_limit import MAILS, MEMBERS, GuestLimit
from realtime.http.accounts.login_limit import LoginLimit
from realtime.http.accounts.own_profile import OwnProfileApi
from realtime.http.accounts.people import PeopleApi
from realtime.http.accounts.preferences import MySettings
from realtime.http.accounts.profiles import ProfilesApi
from realtime.http.accounts.ratings import Ratings
from realtime.http.accounts.reports import ReportsApi
from realtime.http.accounts.resetting import Resetting
from realtime.http.accounts.routes import IdentityApi
from realtime.http.accounts.signing import Signing
from realtime.http.bodies.body import MAX_BODY, BodyLimit
from realtime.http.games.games import GamesApi
from realtime.http.games.imports import Imports
from realtime.http.games.score_export import ScoreExport
from realtime.http.games.search import SearchApi
from realtime.http.games.watching import Watching
from realtime.http.guards.failures import HANDLERS, broken
from realtime.http.guards.headers import SecurityHeaders
from realtime.http.guards.hosts import OwnHosts
from realtime.http.guards.origin import OwnOrigin
from realtime.http.guards.permissions import routes_of
from realtime.http.guards.request_limit import RequestLimit
from realtime.http.guards.time_limit import TimeLimit
from realtime.http.openapi.asyncapi import AsyncApi
from realtime.http.openapi.openapi import OpenApi
from realtime.http.operation import operations_of
from realtime.http.pages.challenges import Challenges
from realtime.http.pages.oembed import Oembed
from realtime.http.pages.pages import Pages
from realtime.http.probes.metrics import MetricsPage
from realtime.http.probes.probes import Probes
from realtime.http.simuls.feeds import SimulFeeds
from realtime.http.simuls.simuls import SimulsApi

if TYPE_CHECKING:
    from collections.abc import Callable

    from prometheus_client.registry import Collector
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.addresses import AddressBook
    from lobby.accounts.identity import Identities
    from lobby.accounts.members import Members
    from lobby.accounts.resets import Resets
    from lobby.moderation.word_filter import WordFilter
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.cluster.people.shared_limits import SharedLimits
    from realtime.http.accounts.people import PeopleSource
    from realtime.http.games.games import GameSource
    from realtime.http.games.watching import WatchingSource
    from realtime.http.probes.probes import ReadinessCheck
    from realtime.http.simuls.simuls import SimulSource
    from realtime.imports.import_runner import ImportRunner
    from realtime.protocol.limits import Limits

STATIC = Path(__file__).parent.parent / "static"
"""The directory into which Vite builds the page."""

OPERATIONS = operations_of(
    IdentityApi, Signing, Resetting, MySettings, AccountApi, OwnProfileApi, ProfilesApi, PeopleApi, ScoreExport,
    Ratings, SearchApi, GamesApi, Watching, Oembed, Challenges, ReportsApi, SimulsApi, SimulFeeds, Imports, OpenApi,
    AsyncApi, Probes, MetricsPage,
)  # fmt: skip
"""All operations: those that ``build_http`` serves and the OpenAPI document describes."""

LONG_BODIES = {(one.method, one.path): one.max_body for one in OPERATIONS if one.max_body > MAX_BODY}
"""Maximum bytes of streamed bodies, by method and path."""


def build_http(
    *,
    identities: Identities,
    members: Members,
    resets: Resets,
    addresses: AddressBook,
    lobby: AnyLobby,
    conduct: ReportsApi,
    import_runner: ImportRunner,
    games: GameSource,
    simuls: SimulSource,
    watching: WatchingSource,
    people: PeopleSource,
    own_profile: OwnProfileApi,
    words: WordFilter,
    readiness: ReadinessCheck,
    metrics: Collector | None,
    limits: Limits,
    static: Path = STATIC,
    source_url: str | None = None,
    hosts: tuple[str, ...] = (),
    is_proxied: bool = False,
    shared_limits: SharedLimits | None = None,
    on_failure: Callable[[], None] = lambda: None,
) -> Starlette:
    """Return the application for uvicorn. It holds nothing that has to be closed.

    Args:
        metrics: the metrics of ``/metrics``; None: there is no such path.
        is_proxied: whether there are trusted proxies, whose headers are used.
        on_failure: called for every request that fails with an internal error.
    """
    guests, new_members = GuestLimit(limits.guests), GuestLimit(limits.guests, what=MEMBERS)
    mails, login_limit = GuestLimit(limits.guests, what=MAILS), LoginLimit(limits.logins)
    if shared_limits is not None:
        for name, buckets in login_limit.buckets.items():
            shared_limits.share(f"login {name}", buckets, login_limit.now_ms)
        for name, limit in (("guests", guests), ("members", new_members), ("mails", mails)):
            shared_limits.share(name, limit, limit.now_ms)
    pages = Pages(static, identities, games, lobby, source_url)
    apis: list[object] = [
        IdentityApi(identities, guests),
        Signing(identities, members, addresses, new_members, login_limit),
        Resetting(resets, mails, login_limit),
        MySettings(identities),
        AccountApi(identities, members, addresses, lobby, login_limit),
        own_profile,
        ProfilesApi(identities, people.presence, words),
        PeopleApi(identities, people),
        ScoreExport(identities),
        Ratings(identities.pool),
        SearchApi(identities, people.presence),
        GamesApi(identities, games),
        Watching(identities, watching),
        Oembed(games, is_host_known=bool(hosts)),
        Challenges(lobby),
        conduct,
        SimulsApi(identities, simuls),
        SimulFeeds(identities, simuls),
        Imports(identities, import_runner),
        OpenApi(OPERATIONS),
        AsyncApi(),
        Probes(readiness),
    ]
    if metrics is not None:
        apis.append(MetricsPage(metrics))

    async def failed(request: Request, error: Exception) -> Response:
        on_failure()
        return await broken(request, error)

    app = Starlette(
        routes=[*routes_of(apis, identities), *pages.routes()],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(OwnHosts, hosts),
            Middleware(RequestLimit, limits),
            Middleware(TimeLimit, LONG_BODIES),
            Middleware(BodyLimit, LONG_BODIES),
            Middleware(OwnOrigin, is_proxied=is_proxied),
        ],
        exception_handlers={**HANDLERS, 404: pages.missing, Exception: failed},
    )
    # No redirects of trailing slashes: their address would come from the Host header, which any client can set.
    app.router.redirect_slashes = False
    return app
