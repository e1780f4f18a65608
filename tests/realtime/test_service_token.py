"""The file of the service token."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from realtime.commands.service_token import make_service_token, read_service_token
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from pathlib import Path


def test_token_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"
    with ThreadPoolExecutor(8) as threads:
        tokens = set(threads.map(make_service_token, [path] * 8))
    assert tokens == {read_service_token(path)}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["token"]


@pytest.mark.parametrize("text", ["", "short", "x" * 129, "not a token at all, as anybody can see here", "ü" * 40])
def test_file_without_a_token_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "token"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(BadSetting, match="expected a token"):
        make_service_token(path)


def test_missing_or_unreadable_file_is_a_bad_setting(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="there is no file"):
        read_service_token(tmp_path / "token")
    with pytest.raises(BadSetting, match="cannot be read"):
        read_service_token(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(BadSetting, match="cannot be created"):
        make_service_token(tmp_path / "file" / "token")


def test_token_that_everybody_can_read_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "token"
    path.write_text("t" * 40 + "\n")
    path.chmod(0o644)
    assert read_service_token(path) == "t" * 40
    assert "0600" in caplog.text
