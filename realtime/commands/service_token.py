"""The file of the service token, from which the tokens of robots are derived."""

from __future__ import annotations

import logging
import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from lobby.ids import new_token
from realtime.protocol.errors import BadSetting

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")

log = logging.getLogger(__name__)


def make_service_token(path: Path) -> str:
    """Return the token in the file ``path``, which is created with a new token if it is missing.

    The file appears at once and complete: of several processes that create it, all get the token of the first.

    Raises:
        BadSetting: the file has no token, or it cannot be created.
    """
    if not path.exists():
        try:
            _create(path)
        except OSError as error:
            raise BadSetting(f"token_file: {path} cannot be created: {error.strerror}") from error
    return read_service_token(path)


def read_service_token(path: Path) -> str:
    """Return the token in the file ``path``. Raises ``BadSetting``: there is none."""
    try:
        with path.open(encoding="ascii") as file:
            if os.fstat(file.fileno()).st_mode & stat.S_IRWXO:
                log.warning("%s can be read by everybody on this machine; it should have mode 0600", path)
            text = file.read(1024).strip()
    except FileNotFoundError as error:
        raise BadSetting(f"token_file: there is no file {path}; the server creates it at its first start") from error
    except OSError as error:
        raise BadSetting(f"token_file: {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        text = ""
    if _TOKEN.fullmatch(text) is None:
        raise BadSetting(f"token_file: expected a token of 32 to 128 letters, digits, - and _ in {path}")
    return text


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(new_token() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(name, path)  # unlike a renaming this keeps a file that is there by now
    finally:
        Path(name).unlink()
