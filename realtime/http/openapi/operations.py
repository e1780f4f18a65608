"""Every operation of the HTTP API: what it takes and what it answers. Tests hold it to the routes and the server.

Who may ask is in ``guards/permissions.py``; ``openapi.py`` makes the document at ``/api/v1/openapi.json`` from both.
"""

from __future__ import annotations

from typing import Any

import msgspec

from lobby.wire import imported_games, lobby, moderation, ratings
from realtime.games.scores.score_text import PDN, PGN
from realtime.http.accounts import forms, reports
from realtime.http.games import imports
from realtime.http.games.game_query import GamesQuery, KindQuery
from realtime.http.games.search import SearchQuery
from realtime.http.games.watching import NDJSON, LiveQuery
from realtime.http.pages.oembed import OembedQuery
from realtime.http.simuls.feeds import CSV, FeedQuery
from realtime.http.simuls.simuls import SimulsQuery
from realtime.protocol import wire_people as people
from realtime.protocol import wire_types as w
from realtime.protocol import wire_watching as watching_wire
from simul import wire as simul_wire
from simul import wire_lists

JSON = "application/json"
TEXT = "text/plain"


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one address.

    Attributes:
        id: what generated clients call it.
        summary: what it does.
        answer: the type of its answer; None where there is no body.
        status: of that answer.
        media: of that answer.
        query: the parts behind the question mark.
        body: the type of the request's body.
        body_media: of that body.
        fails: what it can answer besides what all of its kind can (``openapi.py``), by status.
    """

    id: str
    summary: str
    answer: Any = None
    status: int = 200
    media: str = JSON
    query: type[msgspec.Struct] | None = None
    body: Any = None
    body_media: str = JSON
    fails: dict[int, str] = {}


NOBODY = {404: "nobody of that name"}
NO_GAME = {404: "no such game"}
UNKNOWN_TOKEN = {401: "that bearer token is unknown, expired or revoked"}
NO_SCORE = {404: "no such game, or its scores have the other form", **UNKNOWN_TOKEN}
BAD_FIELD = {422: "a field that cannot be taken; `field` names it"}
BAD_NAME_OR_PASSWORD = {401: "not this name with this password or code", **BAD_FIELD}
NO_SIMUL = {404: "no such exhibition"}
TOLD_LATER = {409: "the public is told of the results once all is over and the delay has passed"}
NO_IMPORT = {404: "no such import, or it is not for this person"}
NO_IMPORTED_GAME = {404: "no such import or game, or it is not for this person", **UNKNOWN_TOKEN}
EXPORTING = {503: "several exports are under way"}
STREAMING = {503: "too many streams are under way, or the server stops"}

OPERATIONS: dict[str, Operation] = {
    # --- becoming somebody
    "POST /api/v1/guest": Operation(
        id="createGuest", summary="Become a new guest; the cookie comes too.", answer=people.GuestWire, status=201
    ),
    "POST /api/v1/signup": Operation(
        id="signUp",
        summary="Become a member; who brings a guest's token keeps all that is his.",
        body=forms.SignUp,
        answer=people.LoginWire,
        status=201,
        fails={409: "the name is taken, or one that looks like it", **BAD_FIELD, **UNKNOWN_TOKEN},
    ),
    "POST /api/v1/login": Operation(
        id="logIn",
        summary="Begin a session.",
        body=forms.LogIn,
        answer=people.LoginWire,
        fails={403: "the account is closed", **BAD_NAME_OR_PASSWORD},
    ),
    "POST /api/v1/logout": Operation(
        id="logOut", summary="End the session of the request.", status=204, fails={401: "no bearer token"}
    ),
    "POST /api/v1/reset/request": Operation(
        id="requestReset",
        summary="Have a code mailed to the member of this name.",
        body=forms.ResetRequest,
        answer=people.MailWire,
        status=202,
        fails=BAD_FIELD,
    ),
    "POST /api/v1/reset": Operation(
        id="resetPassword",
        summary="Set a new password with a code.",
        body=forms.Reset,
        answer=people.LoginWire,
        fails={403: "the account is closed", **BAD_NAME_OR_PASSWORD},
    ),
    # --- oneself
    "GET /api/v1/me": Operation(id="getMe", summary="Who one is and what one may do.", answer=people.MeWire),
    "GET /api/v1/me/settings": Operation(
        id="getSettings", summary="How this person likes the page.", answer=w.MySettingsWire
    ),
    "PUT /api/v1/me/settings": Operation(
        id="putSettings", summary="Keep these settings instead.", body=forms.NewSettings, answer=w.MySettingsWire
    ),
    "GET /api/v1/account": Operation(id="getAccount", summary="One's account.", answer=people.AccountWire),
    "POST /api/v1/account/password": Operation(
        id="changePassword", summary="Change the password.", body=forms.NewPassword, status=204, fails=BAD_FIELD
    ),
    "PUT /api/v1/account/email": Operation(
        id="changeEmail",
        summary="Have a code mailed to a new address, or take the address away.",
        body=forms.NewEmail,
        answer=people.EmailWire,
        fails={503: "too many mails are on their way", **BAD_FIELD},
    ),
    "POST /api/v1/account/email/code": Operation(
        id="confirmEmail",
        summary="Confirm the new address with its code.",
        body=forms.Code,
        answer=people.EmailWire,
        fails=BAD_FIELD,
    ),
    "DELETE /api/v1/account/sessions": Operation(
        id="endOtherSessions", summary="End all sessions but the one that asks.", status=204
    ),
    "DELETE /api/v1/account/sessions/{id}": Operation(
        id="endSession", summary="End a session.", status=204, fails={404: "no such session"}
    ),
    "POST /api/v1/account/tokens": Operation(
        id="createToken",
        summary="Make an API token.",
        body=forms.NewToken,
        answer=people.NewTokenWire,
        status=201,
        fails={409: "there are 20", **BAD_FIELD},
    ),
    "DELETE /api/v1/account/tokens/{id}": Operation(
        id="endToken", summary="End an API token.", status=204, fails={404: "no such token"}
    ),
    "POST /api/v1/account/bot": Operation(
        id="becomeBot",
        summary="Be a bot for good.",
        body=forms.Confirmed,
        answer=people.UserAnswerWire,
        fails={409: "one has played", **BAD_FIELD},
    ),
    "GET /api/v1/account/export": Operation(
        id="exportAccount", summary="All that is stored of the person, streamed.", answer=dict[str, Any]
    ),
    "POST /api/v1/account/delete": Operation(
        id="deleteAccount",
        summary="Delete the account.",
        body=forms.Confirmed,
        status=204,
        fails={409: "a game is not over", **BAD_FIELD},
    ),
    # --- people
    "GET /api/v1/users/{name}": Operation(id="getProfile", summary="A person.", answer=w.ProfileWire, fails=NOBODY),
    "GET /api/v1/users/{name}/pgn": Operation(
        id="exportGames",
        summary="A person's games of chess as PGN, newest first, streamed.",
        query=KindQuery,
        media=PGN,
        answer=str,
        fails={**NOBODY, **UNKNOWN_TOKEN, **EXPORTING},
    ),
    "GET /api/v1/users/{name}/pdn": Operation(
        id="exportGamesPdn",
        summary="A person's games of draughts and of the star as PDN, newest first, streamed.",
        query=KindQuery,
        media=PDN,
        answer=str,
        fails={**NOBODY, **UNKNOWN_TOKEN, **EXPORTING},
    ),
    "GET /api/v1/users/{name}/versus/{other}": Operation(
        id="getVersus", summary="What two people's games have come to.", answer=w.VersusWire, fails=NOBODY
    ),
    "GET /api/v1/users/{name}/ratings/{perf}": Operation(
        id="getRatingHistory",
        summary="A rating over time.",
        answer=ratings.RatingHistoryWire,
        fails={404: "nobody of that name, or no such perf"},
    ),
    "GET /api/v1/leaderboards": Operation(
        id="getLeaderboards", summary="The first of every leaderboard.", answer=ratings.LeaderboardsWire
    ),
    "GET /api/v1/leaderboards/{perf}": Operation(
        id="getLeaderboard",
        summary="A leaderboard.",
        answer=ratings.LeaderboardWire,
        fails={404: "no such perf"},
    ),
    "GET /api/v1/search": Operation(
        id="search", summary="People and the game that a text may mean.", query=SearchQuery, answer=w.SearchResultWire
    ),
    # --- games
    "GET /api/v1/games": Operation(
        id="listGames",
        summary="Games, newest first, by pages; with `live` those being played.",
        query=GamesQuery,
        answer=w.GamesPageWire | w.LiveGamesWire,
        fails={**NOBODY, **UNKNOWN_TOKEN},
    ),
    "GET /api/v1/games/{id}": Operation(
        id="getGame", summary="A game as it stands.", answer=w.GameSnapshotWire, fails={**NO_GAME, **UNKNOWN_TOKEN}
    ),
    "GET /api/v1/games/{id}/pgn": Operation(
        id="getScore", summary="The PGN of a game of chess so far.", media=TEXT, answer=str, fails=NO_SCORE
    ),
    "GET /api/v1/games/{id}/pdn": Operation(
        id="getScorePdn", summary="The PDN of any other game so far.", media=TEXT, answer=str, fails=NO_SCORE
    ),
    "GET /api/v1/games/{id}/stream": Operation(
        id="streamGame",
        summary="A game as lines of JSON: its snapshot, then each event, until it is over.",
        media=NDJSON,
        answer=str,
        fails={**NO_GAME, **UNKNOWN_TOKEN, **STREAMING},
    ),
    # --- watching
    "GET /api/v1/live": Operation(
        id="listLive",
        summary="Games being played, the best first.",
        query=LiveQuery,
        answer=watching_wire.LiveCardsWire,
        fails={401: "`friends` needs a session, or that bearer token is unknown, expired or revoked"},
    ),
    "GET /api/v1/tv": Operation(
        id="getTv", summary="What every channel of television shows.", answer=watching_wire.TvChannelsWire
    ),
    "GET /api/v1/tv/{channel}/stream": Operation(
        id="streamTv",
        summary="The games of a channel as lines of JSON, one after the other: each its snapshot, then its events.",
        media=NDJSON,
        answer=str,
        fails={404: "no such channel", **UNKNOWN_TOKEN, **STREAMING},
    ),
    "GET /oembed": Operation(
        id="getOembed",
        summary="How another site shows a game of ours, as oembed.com says.",
        query=OembedQuery,
        answer=watching_wire.OembedWire,
        fails={
            404: "no game of this server is there",
            429: "too many requests; `Retry-After` says when to come back",
            503: "the database does not answer",
            501: "another format than JSON",
        },
    ),
    "GET /api/v1/challenges/{id}": Operation(
        id="getChallenge", summary="A challenge.", answer=lobby.ChallengeCardWire, fails={404: "no such challenge"}
    ),
    # --- conduct
    "GET /api/v1/blocks": Operation(id="listBlocks", summary="Whom one has blocked.", answer=moderation.BlocksWire),
    "PUT /api/v1/blocks/{name}": Operation(
        id="block", summary="Block somebody.", status=204, fails={**NOBODY, 409: "too many are blocked"}
    ),
    "DELETE /api/v1/blocks/{name}": Operation(
        id="unblock", summary="Block somebody no more.", status=204, fails=NOBODY
    ),
    "POST /api/v1/reports": Operation(
        id="report",
        summary="Report somebody to the moderators.",
        body=reports.ReportForm,
        answer=moderation.ReportedWire,
        status=201,
        fails={404: "nobody of that name, no such game"},
    ),
    "GET /api/v1/reports": Operation(
        id="listReports",
        summary="Reports, for moderators.",
        query=reports.ReportsQuery,
        answer=moderation.ReportsWire,
    ),
    "POST /api/v1/reports/{id}": Operation(
        id="judgeReport",
        summary="Give a verdict on a report.",
        body=reports.VerdictForm,
        answer=moderation.ReportWire,
        fails={404: "no such report", 409: "there is another verdict"},
    ),
    "POST /api/v1/users/{name}/timeout": Operation(
        id="timeOut",
        summary="Take play and chat away from somebody for a while, or give them back.",
        body=reports.TimeoutForm,
        answer=moderation.TimeoutWire,
        fails=NOBODY,
    ),
    # --- exhibitions
    "GET /api/v1/simuls": Operation(
        id="listSimuls",
        summary="Exhibitions, newest first, by pages.",
        query=SimulsQuery,
        answer=wire_lists.SimulsPageWire,
        fails={401: "`mine` needs a session"},
    ),
    "GET /api/v1/simuls/{id}": Operation(
        id="getSimul",
        summary="An exhibition as it stands.",
        answer=simul_wire.SimulSnapshotWire,
        fails={**NO_SIMUL, **UNKNOWN_TOKEN},
    ),
    "GET /api/v1/simuls/{id}/pgn": Operation(
        id="exportSimul",
        summary="All games of an exhibition as PGN, streamed; with `follow` each that has changed again.",
        query=FeedQuery,
        media=PGN,
        answer=str,
        fails={404: "no such exhibition, or no chess in it", **UNKNOWN_TOKEN, **EXPORTING},
    ),
    "GET /api/v1/simuls/{id}/pdn": Operation(
        id="exportSimulPdn",
        summary="The same of games of draughts and of the star, as PDN.",
        query=FeedQuery,
        media=PDN,
        answer=str,
        fails={404: "no such exhibition, or nothing but chess in it", **UNKNOWN_TOKEN, **EXPORTING},
    ),
    "GET /api/v1/simuls/{id}/table.json": Operation(
        id="getSimulTable",
        summary="The table of results.",
        answer=wire_lists.SimulTableWire,
        fails={**NO_SIMUL, **UNKNOWN_TOKEN, **TOLD_LATER},
    ),
    "GET /api/v1/simuls/{id}/table.csv": Operation(
        id="exportSimulTable",
        summary="The same as CSV.",
        media=CSV,
        answer=str,
        fails={**NO_SIMUL, **UNKNOWN_TOKEN, **TOLD_LATER},
    ),
    # --- games from elsewhere
    "GET /api/v1/imports": Operation(
        id="listImports", summary="One's own imports, the last first.", answer=imported_games.ImportsWire
    ),
    "POST /api/v1/imports": Operation(
        id="importGames",
        summary="Bring the games of a PGN file.",
        query=imports.ImportQuery,
        body=str,
        body_media=PGN,
        answer=imported_games.ImportedWire,
        status=201,
        fails={409: "it is more than one person may keep"},
    ),
    "GET /api/v1/imports/{id}": Operation(
        id="listImportedGames",
        summary="An import and its games, by pages.",
        query=imports.ImportGamesQuery,
        answer=imported_games.ImportPageWire,
        fails={**NO_IMPORT, **UNKNOWN_TOKEN},
    ),
    "PUT /api/v1/imports/{id}": Operation(
        id="changeImport",
        summary="Call an import otherwise, show it to others or hide it.",
        body=imports.ImportForm,
        answer=imported_games.ImportWire,
        fails=NO_IMPORT,
    ),
    "DELETE /api/v1/imports/{id}": Operation(
        id="deleteImport", summary="Take an import away.", status=204, fails=NO_IMPORT
    ),
    "GET /api/v1/imports/{id}/pgn": Operation(
        id="exportImport",
        summary="All games of an import as PGN, streamed.",
        media=PGN,
        answer=str,
        fails={**NO_IMPORT, **UNKNOWN_TOKEN},
    ),
    "GET /api/v1/imports/{id}/games/{n}": Operation(
        id="getImportedGame",
        summary="One game of an import.",
        answer=imported_games.ImportedGameWire,
        fails=NO_IMPORTED_GAME,
    ),
    "GET /api/v1/imports/{id}/games/{n}/pgn": Operation(
        id="getImportedScore", summary="One game of an import as PGN.", media=TEXT, answer=str, fails=NO_IMPORTED_GAME
    ),
    # --- the server
    "GET /api/v1/openapi.json": Operation(id="getOpenApi", summary="This document.", answer=dict[str, Any]),
    "GET /api/v1/asyncapi.json": Operation(
        id="getAsyncApi", summary="The messages of sockets, as AsyncAPI 3.", answer=dict[str, Any]
    ),
    "GET /healthz": Operation(id="getHealth", summary="The process is up.", answer=w.StatusWire),
    "GET /readyz": Operation(id="getReadiness", summary="It can take work.", answer=w.StatusWire),
    "GET /metrics": Operation(id="getMetrics", summary="Prometheus text.", media=TEXT, answer=str),
}
"""By method and address, as the routes have them."""
