"""One message to many subscribers: encoded once for each codec, framed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from realtime.protocol.codec import encode_json, encode_msgpack, frame_binary, frame_payload, frame_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.game import Game
    from lobby.accounts.user import User


class Message:
    """One message to many: encoded once, framed once a codec.

    Keeps the frames only: in the ring the dict of an event would take three times the memory, its payload as much
    again as the frame.

    Attributes:
        binary: the frame for sockets that speak MessagePack.
        seq: the event's number in its topic; 0 where it has none.
    """

    __slots__ = ("_text", "binary", "seq")

    def __init__(self, body: Mapping[str, Any] | bytes, seq: int = 0) -> None:
        """``body``: as MessagePack if another node has encoded it already."""
        self.seq = seq
        self.binary = frame_binary(body if isinstance(body, bytes) else encode_msgpack(body))
        self._text: bytes | None = None

    @property
    def payload(self) -> bytes:
        """The message as MessagePack, for other nodes."""
        return bytes(frame_payload(self.binary))

    def frame(self, codec: str) -> bytes:
        """The websocket frame for ``codec``."""
        if codec == "msgpack":
            return self.binary
        if self._text is None:
            self._text = frame_text(encode_json(msgspec.msgpack.decode(frame_payload(self.binary))))
        return self._text


class SharedSnapshot(NamedTuple):
    """A snapshot of a game for many, and what it shows beside the game.

    Attributes:
        around: both players, whether each is connected, and how many watch.
    """

    message: Message
    game: Game
    around: tuple[User, User, bool, bool, int]
