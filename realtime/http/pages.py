"""The page, as Vite built it: one HTML file for every address of ours, and its assets."""

from __future__ import annotations

import asyncio
import re
import stat
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

ASSET_CACHE = "public, max-age=31536000, immutable"
"""Assets carry a hash of their content in their names: the same name is the same file for ever."""

PAGE_CACHE = "no-cache"
"""The page may be kept but must be asked for: it names the assets of the present version. ``ETag`` makes that cheap."""

_ASSET = re.compile(r"[A-Za-z0-9_.-]{1,200}")
"""Names that Vite gives. Anything else is asked of no file system: a name can be too long for one, or hold a NUL."""

NOT_BUILT = "The page is not built. `make run` builds it; see README.md.\n"


class Pages:
    """Serves what is in ``directory``; files are read in threads, not in the loop of the games."""

    def __init__(self, directory: Path) -> None:
        self._page = StaticFiles(directory=directory, check_dir=False)
        self._assets = StaticFiles(directory=directory / "assets", check_dir=False)

    async def index(self, request: Request) -> Response:
        """The page. 503 when it was never built."""
        response = await _file(self._page, "index.html", request, PAGE_CACHE)
        return response or PlainTextResponse(NOT_BUILT, 503)

    async def asset(self, request: Request) -> Response:
        """A file of the page."""
        name: str = request.path_params["name"]
        response = await _file(self._assets, name, request, ASSET_CACHE) if _ASSET.fullmatch(name) else None
        if response is None:
            raise HTTPException(404)
        return response


async def _file(files: StaticFiles, name: str, request: Request, cache: str) -> Response | None:
    path, found = await asyncio.to_thread(files.lookup_path, name)
    if found is None or not stat.S_ISREG(found.st_mode):
        return None
    # Answers 304 where the browser's copy is the same.
    response = files.file_response(path, found, request.scope)
    response.headers["Cache-Control"] = cache
    return response
