"""The HTTP side as a list: what is served where, and through which layers a request goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from realtime.http.accounts.account import Account
from realtime.http.accounts.guest_limit import MAILS, MEMBERS, GuestLimit
from realtime.http.accounts.login_limit import LoginLimit
from realtime.http.accounts.preferences import MySettings
from realtime.http.accounts.profiles import Profiles
from realtime.http.accounts.ratings import Ratings
from realtime.http.accounts.resetting import Resetting
from realtime.http.accounts.routes import Accounts
from realtime.http.accounts.signing import Signing
from realtime.http.bodies.body import BodyLimit
from realtime.http.games.games import Games
from realtime.http.games.imports import Imports
from realtime.http.games.score_export import ScoreExport
from realtime.http.games.search import Search
from realtime.http.games.watching import Watching
from realtime.http.guards.failures import HANDLERS, broken
from realtime.http.guards.headers import SecurityHeaders
from realtime.http.guards.hosts import OwnHosts
from realtime.http.guards.origin import OwnOrigin
from realtime.http.guards.permissions import guarded
from realtime.http.guards.request_limit import RequestLimit
from realtime.http.guards.time_limit import TimeLimit
from realtime.http.openapi.asyncapi import show_asyncapi
from realtime.http.openapi.openapi import OpenApi
from realtime.http.pages.challenges import Challenges
from realtime.http.pages.oembed import Oembed
from realtime.http.pages.pages import Pages
from realtime.http.probes.metrics import MetricsPage
from realtime.http.probes.probes import Probes
from realtime.http.simuls.feeds import SimulFeeds
from realtime.http.simuls.simuls import Simuls

if TYPE_CHECKING:
    from collections.abc import Callable

    from prometheus_client.registry import Collector
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.addresses import AddressBook
    from lobby.accounts.identity import Identities
    from lobby.accounts.members import Members
    from lobby.accounts.resets import Resets
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.cluster.people.shared_limits import SharedLimits
    from realtime.http.accounts.profiles import Presence
    from realtime.http.accounts.reports import ReportsApi
    from realtime.http.games.games import GameSource
    from realtime.http.games.watching import WatchingSource
    from realtime.http.probes.probes import Readiness
    from realtime.http.simuls.simuls import SimulSource
    from realtime.imports.import_desk import ImportDesk
    from realtime.protocol.limits import Limits

STATIC = Path(__file__).parent.parent / "static"
"""Where Vite puts the page."""


def build_http(
    *,
    identities: Identities,
    members: Members,
    resets: Resets,
    addresses: AddressBook,
    lobby: AnyLobby,
    conduct: ReportsApi,
    import_desk: ImportDesk,
    games: GameSource,
    simuls: SimulSource,
    watching: WatchingSource,
    presence: Presence,
    readiness: Readiness,
    metrics: Collector | None,
    limits: Limits,
    static: Path = STATIC,
    source_url: str | None = None,
    hosts: tuple[str, ...] = (),
    is_proxied: bool = False,
    shared_limits: SharedLimits | None = None,
    on_failure: Callable[[], None] = lambda: None,
) -> Starlette:
    """The application for uvicorn. It holds nothing that would have to be closed.

    Args:
        metrics: what ``/metrics`` shows; None: it is not there.
        is_proxied: whether there are proxies whose headers are believed.
        on_failure: called for every request that fails by a fault of the server.
    """
    guests, new_members = GuestLimit(limits.guests), GuestLimit(limits.guests, what=MEMBERS)
    mails, login_limit = GuestLimit(limits.guests, what=MAILS), LoginLimit(limits.logins)
    if shared_limits is not None:
        for name, buckets in login_limit.buckets.items():
            shared_limits.share(f"login {name}", buckets, login_limit.now_ms)
        for name, limit in (("guests", guests), ("members", new_members), ("mails", mails)):
            shared_limits.share(name, limit, limit.now_ms)
    accounts = Accounts(identities, guests)
    signing = Signing(identities, members, addresses, new_members, login_limit)
    resetting = Resetting(resets, mails, login_limit)
    account = Account(identities, members, addresses, lobby, login_limit)
    games_api = Games(identities, games)
    simuls_api = Simuls(identities, simuls)
    simul_feeds = SimulFeeds(identities, simuls)
    watching_api = Watching(identities, watching)
    profiles = Profiles(identities.pool, presence)
    scores = ScoreExport(identities)
    imports = Imports(identities, import_desk)
    my_settings = MySettings(identities)
    challenges = Challenges(lobby)
    search = Search(identities)
    ratings = Ratings(identities.pool)
    probes = Probes(readiness)
    oembed = Oembed(games, is_host_known=bool(hosts))
    pages = Pages(static, identities, games, lobby, source_url)
    routes = guarded(
        [
            Route("/api/v1/guest", accounts.guest, methods=["POST"]),
            Route("/api/v1/signup", signing.sign_up, methods=["POST"]),
            Route("/api/v1/login", signing.log_in, methods=["POST"]),
            Route("/api/v1/logout", accounts.logout, methods=["POST"]),
            Route("/api/v1/reset/request", resetting.ask, methods=["POST"]),
            Route("/api/v1/reset", resetting.reset, methods=["POST"]),
            Route("/api/v1/account", account.show),
            Route("/api/v1/account/password", account.change_password, methods=["POST"]),
            Route("/api/v1/account/email", account.change_email, methods=["PUT"]),
            Route("/api/v1/account/email/code", account.confirm_email, methods=["POST"]),
            Route("/api/v1/account/sessions", account.end_other_sessions, methods=["DELETE"]),
            Route("/api/v1/account/sessions/{id}", account.end_session, methods=["DELETE"]),
            Route("/api/v1/account/tokens", account.create_token, methods=["POST"]),
            Route("/api/v1/account/tokens/{id}", account.end_token, methods=["DELETE"]),
            Route("/api/v1/account/bot", account.become_bot, methods=["POST"]),
            Route("/api/v1/account/export", account.export),
            Route("/api/v1/account/delete", account.delete, methods=["POST"]),
            Route("/api/v1/me", accounts.me),
            Route("/api/v1/me/settings", my_settings.handle, methods=["GET", "PUT"]),
            Route("/api/v1/users/{name}", profiles.show),
            Route("/api/v1/users/{name}/pgn", scores.pgn),
            Route("/api/v1/users/{name}/pdn", scores.pdn),
            Route("/api/v1/users/{name}/versus/{other}", profiles.versus),
            Route("/api/v1/users/{name}/ratings/{perf}", ratings.history),
            Route("/api/v1/leaderboards", ratings.leaderboards),
            Route("/api/v1/leaderboards/{perf}", ratings.leaderboard),
            Route("/api/v1/games", games_api.list),
            Route("/api/v1/games/{id}", games_api.game),
            Route("/api/v1/games/{id}/pgn", games_api.pgn),
            Route("/api/v1/games/{id}/pdn", games_api.pdn),
            Route("/api/v1/games/{id}/stream", watching_api.game_stream),
            Route("/api/v1/live", watching_api.live),
            Route("/api/v1/tv", watching_api.tv),
            Route("/api/v1/tv/{channel}/stream", watching_api.channel_stream),
            Route("/api/v1/challenges/{id}", challenges.card),
            Route("/api/v1/blocks", conduct.list_blocks),
            Route("/api/v1/blocks/{name}", conduct.block, methods=["PUT", "DELETE"]),
            Route("/api/v1/reports", conduct.reports, methods=["GET", "POST"]),
            Route("/api/v1/reports/{id}", conduct.judge, methods=["POST"]),
            Route("/api/v1/users/{name}/timeout", conduct.timeout, methods=["POST"]),
            Route("/api/v1/simuls", simuls_api.list),
            Route("/api/v1/simuls/{id}", simuls_api.show),
            Route("/api/v1/simuls/{id}/pgn", simul_feeds.pgn),
            Route("/api/v1/simuls/{id}/pdn", simul_feeds.pdn),
            Route("/api/v1/simuls/{id}/table.json", simul_feeds.table_json),
            Route("/api/v1/simuls/{id}/table.csv", simul_feeds.table_csv),
            Route("/api/v1/imports", imports.own, methods=["GET", "POST"]),
            Route("/api/v1/imports/{id}", imports.one, methods=["GET", "PUT", "DELETE"]),
            Route("/api/v1/imports/{id}/pgn", imports.pgn),
            Route("/api/v1/imports/{id}/games/{n}", imports.game),
            Route("/api/v1/imports/{id}/games/{n}/pgn", imports.game_pgn),
            Route("/api/v1/search", search.find),
            Route("/api/v1/openapi.json", OpenApi().show),
            Route("/api/v1/asyncapi.json", show_asyncapi),
            Route("/oembed", oembed.show),
            Route("/healthz", probes.healthz),
            Route("/readyz", probes.readyz),
            *([] if metrics is None else [Route("/metrics", MetricsPage(metrics).show_here)]),
            *pages.routes(),
        ],
        identities,
    )

    async def failed(request: Request, error: Exception) -> Response:
        on_failure()
        return await broken(request, error)

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(OwnHosts, hosts),
            Middleware(RequestLimit, limits),
            Middleware(TimeLimit),
            Middleware(BodyLimit),
            Middleware(OwnOrigin, is_proxied=is_proxied),
        ],
        exception_handlers={**HANDLERS, 404: pages.missing, Exception: failed},
    )
    # A path with a slash too many is another path; a redirect would be built from a Host that anybody can write.
    app.router.redirect_slashes = False
    return app
