"""Forms about an account: a JSON object with typed fields; what is wrong with one is told with the field's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from lobby.errors import BadField
from realtime.http.body import read_object
from realtime.requests import named_error

if TYPE_CHECKING:
    from starlette.requests import Request

Form = TypeVar("Form", bound=msgspec.Struct)


class SignUp(msgspec.Struct, frozen=True):
    """``POST /api/v1/signup``."""

    name: str
    password: str
    email: str | None = None


class LogIn(msgspec.Struct, frozen=True):
    """``POST /api/v1/login``."""

    name: str
    password: str


class NewPassword(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/password``."""

    old: str
    new: str


class NewEmail(msgspec.Struct, frozen=True):
    """``PUT /api/v1/account/email``; null takes the address away."""

    email: str | None
    password: str


class Confirmed(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/bot`` and ``/delete``: what cannot be undone takes the password."""

    password: str


class NewToken(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/tokens``."""

    label: str
    scopes: list[str]
    days: int


class ResetRequest(msgspec.Struct, frozen=True):
    """``POST /api/v1/reset/request``."""

    name: str


class Reset(msgspec.Struct, frozen=True):
    """``POST /api/v1/reset``."""

    name: str
    code: str
    password: str


async def read_form(request: Request, form: type[Form]) -> Form:
    """The body as a ``form``.

    Raises:
        BadMessage: it is no JSON object.
        BadField: a field is missing, of the wrong type, or holds what no text can.
    """
    body = await read_object(request)
    try:
        filled = msgspec.convert(body, form)
    except msgspec.ValidationError as error:
        field, _, text = named_error(error).partition(": ")
        raise BadField(field.partition("[")[0], text) from error
    for field in form.__struct_fields__:
        value = getattr(filled, field)
        if isinstance(value, str) and "\0" in value:
            raise BadField(field, "there is a character that no text can hold")
    return filled
