"""Forms about an account: JSON objects with typed fields. An error names the field that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from lobby.accounts import names, passwords, preferences, profile
from lobby.accounts.countries import COUNTRIES
from lobby.accounts.members import MAX_EMAIL
from lobby.accounts.scopes import SCOPES
from lobby.accounts.tokens import MAX_DAYS, MAX_LABEL
from lobby.errors import BadField
from realtime.http.bodies.body import read_object
from realtime.protocol.requests import named_error

if TYPE_CHECKING:
    from starlette.requests import Request

Form = TypeVar("Form", bound=msgspec.Struct)


def _schema(**schema: Any) -> Meta:
    """Return metadata for the OpenAPI document only. The lobby validates the field, with clearer errors."""
    return Meta(extra_json_schema=schema)


Text = Annotated[str, _schema(pattern=r"^[^\x00]*$")]
Name = Annotated[
    str, _schema(minLength=names.MIN_LENGTH, maxLength=names.MAX_LENGTH, pattern="^[A-Za-z][A-Za-z0-9_-]*$")
]
Password = Annotated[
    str,
    _schema(minLength=passwords.MIN_LENGTH, maxLength=passwords.MAX_LENGTH, pattern=r"^[^\x00]*$", format="password"),
]
SettingName = Annotated[str, _schema(minLength=1, maxLength=preferences.MAX_KEY, pattern=r"^[^\x00]*$")]
Address = Annotated[str, _schema(format="email", maxLength=MAX_EMAIL)]


class SignUp(msgspec.Struct, frozen=True):
    """``POST /api/v1/signup``."""

    name: Name
    password: Password
    email: Address | None = None


class LogIn(msgspec.Struct, frozen=True):
    """``POST /api/v1/login``."""

    name: Text
    password: Text


class NewPassword(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/password``."""

    old: Text
    new: Password


class NewEmail(msgspec.Struct, frozen=True):
    """``PUT /api/v1/account/email``; null removes the address."""

    email: Address | None
    password: Text


class Code(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/email/code``: the code that was sent to the unconfirmed address."""

    code: Text


class Confirmed(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/bot`` and ``/delete``: irreversible changes require the password."""

    password: Text


class NewToken(msgspec.Struct, frozen=True):
    """``POST /api/v1/account/tokens``."""

    label: Annotated[str, _schema(minLength=1, maxLength=MAX_LABEL)]
    scopes: Annotated[list[Annotated[str, _schema(enum=SCOPES)]], _schema(minItems=1)]
    days: Annotated[int, _schema(minimum=1, maximum=MAX_DAYS)]
    password: Text


class NewSettings(msgspec.Struct, frozen=True):
    """``PUT /api/v1/me/settings``. At most 4096 bytes as JSON, which JSON Schema cannot express."""

    settings: dict[SettingName, Text | float | bool | None]


class NewProfile(msgspec.Struct, frozen=True):
    """``PUT /api/v1/account/profile``."""

    about: Annotated[str, _schema(maxLength=profile.MAX_ABOUT, pattern=r"^[^\x00]*$")]
    country: Annotated[str, _schema(enum=sorted(COUNTRIES))] | None = None


class Invisible(msgspec.Struct, frozen=True):
    """``PUT /api/v1/account/invisible``."""

    invisible: bool


class ResetRequest(msgspec.Struct, frozen=True):
    """``POST /api/v1/reset/request``."""

    name: Text


class Reset(msgspec.Struct, frozen=True):
    """``POST /api/v1/reset``."""

    name: Text
    code: Text
    password: Password


async def read_form(request: Request, form: type[Form]) -> Form:
    """Return the body as a ``form``.

    Raises:
        BadMessage: the body is not a JSON object.
        BadField: a field is missing, has the wrong type, or contains characters that cannot be stored.
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
            raise BadField(field, "contains a character that cannot be stored")
    return filled
