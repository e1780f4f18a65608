"""A simul rebuilt from its messages, as a client does it from a snapshot and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from simul.wire_events import SimulEventWire

Shown = dict[str, Any]
"""The snapshot, updated in place, with its boards. ``order`` is a dict with the boards as keys, so that moving one to
the end does not walk over all."""

_ENVELOPE = frozenset({"t", "simul", "seq", "score", "host_clock"})
"""Fields of ``simul.board`` that do not belong to the board."""


class SimulReplica:
    """A simul as told so far, without the parts for a single viewer."""

    def __init__(self, snapshot: Mapping[str, Any]) -> None:
        """Start from ``snapshot``, whose lists and dicts are mutated from now on."""
        self._shown: Shown = {**snapshot, "order": dict.fromkeys(snapshot["order"])}

    def __getitem__(self, name: str) -> Any:
        """Return a field of the snapshot."""
        value = self._shown[name]
        return list(value) if name == "order" else value

    def snapshot(self) -> dict[str, Any]:
        """Return the present snapshot."""
        return {**self._shown, "order": self["order"]}

    def acting_stand_in(self) -> str | None:
        """Return the id of the stand-in who plays for the host; None: the host plays."""
        return self._shown["stand_in"]["id"] if self._shown.get("acting") else None

    def completed(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``message`` with fields that a leader of the previous version leaves out because they follow from
        others."""
        return {**_implied(self._shown, message), **message}

    def apply(self, message: SimulEventWire) -> None:
        """Apply the next numbered event."""
        shown, body = self._shown, cast("Mapping[str, Any]", message)
        shown["seq"] = body["seq"]
        _APPLY[body["t"]](shown, body)
        if "host_clock" in body:
            shown["host_clock"] = body["host_clock"]


def _started(shown: Shown, body: Mapping[str, Any]) -> None:
    fields = _snapshot_fields(body)
    shown.update({**fields, "boards": [dict(board) for board in body["boards"]], "order": dict.fromkeys(body["order"])})


def _board(shown: Shown, body: Mapping[str, Any]) -> None:
    number, boards = body["board"], shown["boards"]
    fields = {name: value for name, value in body.items() if name not in _ENVELOPE}
    if number > len(boards):
        boards.append(fields)
        if shown["mode"] == "round":
            shown["order"][number] = None
        _drop(shown, fields["user"]["id"])
    else:
        boards[number - 1] = fields = {**boards[number - 1], **fields}
    for extra in ("player_extra_s", "host_extra_s"):
        if fields.get(extra) == 0:
            del fields[extra]  # it was withdrawn
    if fields.get("leaps") is None:
        fields.pop("leaps", None)  # the last move was a single step
    if not fields.get("later"):
        fields.pop("later", None)
    if fields["status"] == "over":
        shown["order"].pop(number, None)
    if "score" in body:
        shown["score"] = body["score"]


def _at(shown: Shown, body: Mapping[str, Any]) -> None:
    shown["at"] = body["board"]
    if body["board"] is not None:
        _move_to_end(shown, body["board"])
        shown["boards"][body["board"] - 1].pop("later", None)


def _later(shown: Shown, body: Mapping[str, Any]) -> None:
    board = shown["boards"][body["board"] - 1]
    board.pop("later", None)
    if body["on"]:
        board["later"] = True
        _move_to_end(shown, body["board"])


def _passed(shown: Shown, body: Mapping[str, Any]) -> None:
    shown["boards"][body["board"] - 1]["passes"] = body["passes"]


def _countdown(shown: Shown, body: Mapping[str, Any]) -> None:
    until = body["until"]
    shown["countdown"] = None if until is None else {"board": body["board"], "until": until}


def _joined(shown: Shown, body: Mapping[str, Any]) -> None:
    shown["applicants"] = [*_without(shown["applicants"], body["user"]["id"]), body["user"]]


def _accepted(shown: Shown, body: Mapping[str, Any]) -> None:
    _drop(shown, body["user"]["id"])
    shown["players"] = [*shown["players"], body["user"]]


def _gone(shown: Shown, body: Mapping[str, Any]) -> None:
    _drop(shown, body["user"]["id"])


def _edited(shown: Shown, body: Mapping[str, Any]) -> None:
    shown.update(body.get("terms", {}))
    if body.get("stand_in") is not None:
        shown.update({"acting": False, "offered": False, **shown, "stand_in": body["stand_in"]})
    elif "stand_in" in body:
        for name in ("stand_in", "acting", "offered"):
            shown.pop(name, None)
    person = body.get("person")
    if person is not None:
        for field in ("applicants", "players"):
            shown[field] = [person if user["id"] == person["id"] else user for user in shown[field]]


def _away(shown: Shown, body: Mapping[str, Any]) -> None:
    shown["away_since"] = body["since"]
    shown.update({name: body[name] for name in ("acting", "offered") if name in body})


_APPLY: dict[str, Callable[[Shown, Mapping[str, Any]], None]] = {
    "simul.started": _started,
    "simul.board": _board,
    "simul.at": _at,
    "simul.later": _later,
    "simul.passed": _passed,
    "simul.countdown": _countdown,
    "simul.finished": lambda shown, body: shown.update(_snapshot_fields(body)),
    "simul.cancelled": lambda shown, body: shown.update(_snapshot_fields(body)),
    "simul.break": lambda shown, body: shown.update(break_until=body["until"]),
    "simul.away": _away,
    "simul.joined": _joined,
    "simul.accepted": _accepted,
    "simul.left": _gone,
    "simul.rejected": _gone,
    "simul.kicked": _gone,
    "simul.edited": _edited,
}


def _implied(shown: Shown, body: Mapping[str, Any]) -> dict[str, Any]:
    match body["t"]:
        case "simul.started" if "order" not in body:
            numbers = [board["board"] for board in body["boards"]] if shown["mode"] == "round" else []
            seated = {board["user"]["id"] for board in body["boards"]}
            late = shown["late_join"] is not None
            return {
                "status": "running",
                "players": [],
                "applicants": [user for user in shown["applicants"] if late and user["id"] not in seated],
                "order": sorted(numbers, key=lambda number: number == body["at"]),
                "score": {"wins": 0, "draws": 0, "losses": 0, "live": len(body["boards"]), "aborted": 0},
            }
        case "simul.board" if body["board"] > len(shown["boards"]) and "score" not in body:
            return {"score": {**shown["score"], "live": shown["score"]["live"] + 1}}
        case "simul.finished" if "status" not in body:
            return {"status": "finished", "break_until": None, "away_since": None}
        case "simul.cancelled" if "status" not in body:
            return {"status": "cancelled", "applicants": [], "players": []}
    return {}


def _snapshot_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the snapshot's fields as an event contains them."""
    return {name: value for name, value in body.items() if name not in ("t", "simul", "seq")}


def _move_to_end(shown: Shown, number: int) -> None:
    order = shown["order"]
    if number in order:
        del order[number]
        order[number] = None


def _drop(shown: Shown, user: str) -> None:
    for field in ("applicants", "players"):
        shown[field] = _without(shown[field], user)


def _without(people: list[Any], user: str) -> list[Any]:
    return [person for person in people if person["id"] != user]
