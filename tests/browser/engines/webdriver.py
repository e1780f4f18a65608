"""Firefox and WebKitGTK, each driven by its WebDriver protocol.

Debian has no driver for Firefox, but Firefox itself speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/) on a
socket. WebKitGTK has a driver for classic WebDriver (https://w3c.github.io/webdriver/), which runs one session. Both
take the same actions of mouse and keyboard; all else is done by scripts in the page, which are the same for both.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import os
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.browser.engines.processes import Program
from tests.deploy.programs import free_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

Json = dict[str, Any]

COMMAND_S = 60.0
"""Timeout for a command, the load of a page included, on a busy machine."""

SCREEN = "1920x1200x24"

FIREFOX_OFF = (
    "app.normandy.enabled",
    "browser.safebrowsing.malware.enabled",
    "browser.safebrowsing.phishing.enabled",
    "datareporting.policy.dataSubmissionEnabled",
    "dom.push.connection.enabled",
    "extensions.update.enabled",
    "media.gmp-manager.updateEnabled",
    "network.captive-portal-service.enabled",
    "network.connectivity-service.enabled",
    "toolkit.telemetry.enabled",
)
"""Preferences that disable Firefox's own requests."""

NARROW = "toolbar, toolbar *, button { min-width: 0; min-height: 0; margin: 0; padding: 0 }"
"""Style of WebKit's window: its buttons would not let it be as narrow as a phone."""

JSON_CALL = "async given => JSON.stringify(await ({})(...JSON.parse(given))) ?? 'null'"
"""Calls a function with arguments as JSON: the protocols differ in how they write values, but not texts."""

NOTE_FAULTS = """() => {
    if (window.faults) return;
    window.faults = [];
    const note = (text) => faults.push(String(text));
    addEventListener('error', ({ message }) => note(message));
    addEventListener('unhandledrejection', ({ reason }) => note(reason));
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => note(violatedDirective));
    for (const level of ['warn', 'error']) console[level] = (...words) => note(words.join(' '));
}"""
TAKE_FAULTS = "() => (window.faults ?? []).splice(0)"


class ScriptError(AssertionError):
    """A script raised an exception in the page."""


class EnginePage(ABC):
    """The page of one person, who shares no cookies with others."""

    def __init__(self) -> None:
        self._faults: list[str] = []

    async def goto(self, url: str) -> None:
        """Load ``url``."""
        await self.faults()
        await self._load(url)
        await self.call(NOTE_FAULTS)

    async def faults(self) -> list[str]:
        """Return what the pages raised, logged as an error or warning, or did against the Content-Security-Policy,
        after they were loaded."""
        self._faults += await self.call(TAKE_FAULTS)
        return self._faults

    @abstractmethod
    async def _load(self, url: str) -> None: ...

    @abstractmethod
    async def call(self, function: str, *arguments: Any) -> Any:
        """Return what the JavaScript ``function`` returns or resolves to; arguments and result are JSON.

        Raises:
            ScriptError: it raised an exception, or the page was left meanwhile.
        """

    @abstractmethod
    async def act(self, *sources: Json) -> None:
        """Perform WebDriver actions (https://w3c.github.io/webdriver/#actions)."""

    @abstractmethod
    async def resize(self, width: int, height: int) -> None:
        """Make the viewport that large, in pixels."""

    @abstractmethod
    async def screenshot(self) -> bytes:
        """Return the viewport as PNG."""

    @abstractmethod
    def hidden(self) -> AbstractAsyncContextManager[None]:
        """Hide the page, as behind another tab."""


class Engine(ABC):
    """A browser. Use as ``async with``."""

    def __init__(self) -> None:
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            await self._start(stack)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @abstractmethod
    async def _start(self, stack: contextlib.AsyncExitStack) -> None: ...

    @abstractmethod
    def page(self) -> AbstractAsyncContextManager[EnginePage]:
        """Open an empty page of another person."""


# --- Firefox ------------------------------------------------------------------------------------------------


class BidiConnection:
    """A socket that speaks WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._reader = asyncio.create_task(self._read(), name="BiDi reads")

    async def command(self, method: str, **parameters: Any) -> Json:
        """Return the result of a command. Raises ``ScriptError``."""
        number = next(self._ids)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        async with asyncio.timeout(COMMAND_S):
            told = await answer
        if told["type"] == "error":
            raise ScriptError(f"{method}: {told['error']}: {told['message']}")
        result: Json = told["result"]
        return result

    async def close(self) -> None:
        """Close the socket."""
        await self._socket.close()
        await self._reader

    async def _read(self) -> None:
        async for payload in self._socket:
            told = json.loads(payload)
            if answer := self._waiting.pop(told.get("id"), None):
                answer.set_result(told)


class FirefoxPage(EnginePage):
    """A window of Firefox with its own cookies."""

    def __init__(self, connection: BidiConnection, context: str, person: str) -> None:
        super().__init__()
        self._connection = connection
        self._context = context
        self._person = person

    async def _load(self, url: str) -> None:
        await self._tell("browsingContext.navigate", url=url, wait="complete")

    async def call(self, function: str, *arguments: Any) -> Any:
        answer = await self._connection.command(
            "script.callFunction",
            functionDeclaration=JSON_CALL.replace("{}", function, 1),
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self._context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise ScriptError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    async def act(self, *sources: Json) -> None:
        await self._tell("input.performActions", actions=sources)

    async def resize(self, width: int, height: int) -> None:
        await self._tell("browsingContext.setViewport", viewport={"width": width, "height": height})

    async def screenshot(self) -> bytes:
        return base64.b64decode((await self._tell("browsingContext.captureScreenshot"))["data"])

    @contextlib.asynccontextmanager
    async def hidden(self) -> AsyncIterator[None]:
        other = {"type": "tab", "referenceContext": self._context, "userContext": self._person}
        tab = await self._connection.command("browsingContext.create", **other)
        yield
        await self._connection.command("browsingContext.close", context=tab["context"])
        await self._tell("browsingContext.activate")

    async def _tell(self, method: str, **parameters: Any) -> Json:
        return await self._connection.command(method, context=self._context, **parameters)


class Firefox(Engine):
    """Firefox without a window on the screen."""

    def __init__(self, program: str) -> None:
        super().__init__()
        self._program = program
        self._connection: BidiConnection

    async def _start(self, stack: contextlib.AsyncExitStack) -> None:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        _write(Path(profile, "user.js"), *(f"user_pref({json.dumps(name)}, false);" for name in FIREFOX_OFF))
        arguments = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0")
        firefox = stack.enter_context(Program(self._program, *arguments))
        origin = await firefox.says(r"WebDriver BiDi listening on (ws://\S+)")
        self._connection = BidiConnection(await connect(f"{origin}/session", max_size=None, ping_interval=None))
        stack.push_async_callback(self._connection.close)
        await self._connection.command("session.new", capabilities={})

    @contextlib.asynccontextmanager
    async def page(self) -> AsyncIterator[EnginePage]:
        person = (await self._connection.command("browser.createUserContext"))["userContext"]
        window = await self._connection.command("browsingContext.create", type="window", userContext=person)
        try:
            yield FirefoxPage(self._connection, window["context"], person)
        finally:
            await self._connection.command("browser.removeUserContext", userContext=person)


# --- WebKit -------------------------------------------------------------------------------------------------


class WebKitPage(EnginePage):
    """A window of WebKitGTK's own small browser, with a session of classic WebDriver."""

    def __init__(self, client: httpx.AsyncClient, session: str, state: Callable[[], str]) -> None:
        """``state``: of the driver's processes, told when a command is not answered."""
        super().__init__()
        self._client = client
        self._session = session
        self._state = state

    async def _load(self, url: str) -> None:
        await self._post("url", url=url)

    async def call(self, function: str, *arguments: Any) -> Any:
        script = f"return ({JSON_CALL.replace('{}', function, 1)})(arguments[0])"
        return json.loads(await self._post("execute/sync", script=script, args=[json.dumps(arguments)]))

    async def act(self, *sources: Json) -> None:
        await self._post("actions", actions=sources)

    async def resize(self, width: int, height: int) -> None:
        # The size of a window includes its toolbar.
        window = await self._post("window/rect", width=width, height=height)
        viewport = await self.call("() => innerHeight")
        await self._post("window/rect", width=width, height=height + window["height"] - viewport)

    async def screenshot(self) -> bytes:
        return base64.b64decode(await self._answer("GET", "screenshot"))

    @contextlib.asynccontextmanager
    async def hidden(self) -> AsyncIterator[None]:
        shown = await self._answer("GET", "window/rect")
        await self._post("window/minimize")
        yield
        await self._post("window/rect", **shown)

    async def close(self) -> None:
        """Close the browser."""
        await self._answer("DELETE", "")

    async def _post(self, command: str, **parameters: Any) -> Any:
        return await self._answer("POST", command, json=parameters)

    async def _answer(self, method: str, command: str, **content: Any) -> Any:
        try:
            response = await self._client.request(method, f"/session/{self._session}/{command}".rstrip("/"), **content)
        except httpx.TimeoutException as error:
            raise AssertionError(f"{command}: no answer within {COMMAND_S:.0f} s\n{self._state()}") from error
        value = response.json()["value"]
        if response.is_error:
            raise ScriptError(f"{command}: {value['error']}: {value['message']}")
        return value


class WebKit(Engine):
    """WebKitGTK on a screen in memory, with one driver and one browser for each person."""

    def __init__(self, driver: str, browser: str, screen: str) -> None:
        """``screen``: path of Xvfb."""
        super().__init__()
        self._driver = driver
        self._browser = browser
        self._screen = screen
        self._environment: dict[str, str] = {}

    async def _start(self, stack: contextlib.AsyncExitStack) -> None:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        _write(home / ".config/gtk-3.0/gtk.css", NARROW)
        screen = Program(self._screen, "-displayfd", "2", "-screen", "0", SCREEN, "-nolisten", "tcp")
        number = await stack.enter_context(screen).says(r"^(\d+)$")
        plain = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self._environment = {**plain, "HOME": str(home), "DISPLAY": f":{number}", "GDK_BACKEND": "x11"}

    @contextlib.asynccontextmanager
    async def page(self) -> AsyncIterator[EnginePage]:
        port = free_port()
        options = {"binary": self._browser, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        with Program(self._driver, f"--port={port}", environment=self._environment) as driver:
            await driver.serves(port)
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", timeout=COMMAND_S, trust_env=False
            ) as client:
                answer = (await client.post("/session", json=wanted)).json()["value"]
                page = WebKitPage(client, answer["sessionId"], driver.state)
                try:
                    yield page
                finally:
                    await page.close()


def _write(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
