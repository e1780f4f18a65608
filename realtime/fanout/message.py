"""A message for many subscribers: encoded and framed once for each codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from realtime.protocol.codec import encode_json, encode_msgpack, frame_binary, frame_payload, frame_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.game import Game
    from lobby.accounts.user import User


class Message:
    """A message for many subscribers: encoded once, framed once a codec.

    Only the frames are kept: in the ring the dict of an event would take three times the memory, and its payload as
    much again as the frame.

    Attributes:
        binary: the frame for MessagePack sockets.
        seq: the event's number in its topic; 0 if it has none.
    """

    __slots__ = ("_text", "binary", "seq")

    def __init__(self, body: Mapping[str, Any] | bytes, seq: int = 0) -> None:
        """``body``: a dict, or MessagePack that another node has encoded."""
        self.seq = seq
        self.binary = frame_binary(body if isinstance(body, bytes) else encode_msgpack(body))
        self._text: bytes | None = None

    @property
    def payload(self) -> bytes:
        """The message as MessagePack, for other nodes."""
        return bytes(frame_payload(self.binary))

    def frame(self, codec: str) -> bytes:
        """Return the websocket frame for ``codec``."""
        if codec == "msgpack":
            return self.binary
        if self._text is None:
            self._text = frame_text(encode_json(msgspec.msgpack.decode(frame_payload(self.binary))))
        return self._text


class SharedSnapshot(NamedTuple):
    """A snapshot of a game for many subscribers, with what it shows beside the game.

    Attributes:
        around: both players, their connection states, and the number of spectators.
    """

    message: Message
    game: Game
    around: tuple[User, User, bool, bool, int]
