"""A headless Chromium for tests, over its DevTools protocol: what it shows, says and asks for."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from websockets.sync.client import ClientConnection, connect

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
REASON = "needs Chromium: apt install chromium"

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowDown": 40, " ": 32}
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--remote-debugging-port=0",
)  # fmt: skip


class Tab:
    """One page: commands go in, events are kept."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._n_sent = 0
        self.events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of one command."""
        self._n_sent += 1
        command = {"id": self._n_sent, "method": method, "params": parameters}
        self._connection.send(json.dumps(command))
        while True:
            message = json.loads(self._connection.recv(timeout=60))
            if message.get("id") == self._n_sent:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def open(self, path: Path, *, width: int = 1280, height: int = 900) -> None:
        """Open a file and wait until it is loaded."""
        self.resize(width, height)
        self.events.clear()
        self.send("Page.navigate", url=path.absolute().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(self._connection.recv(timeout=120)))

    def resize(self, width: int, height: int) -> None:
        """Show the page on a screen of this size."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def prefer(self, scheme: str) -> None:
        """Prefer light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def value(self, expression: str) -> Any:
        """Return the value of a script expression."""
        result = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key],
                **({"text": text} if text and kind == "keyDown" else {}),
            )  # fmt: skip

    def screenshot(self, path: Path) -> None:
        """Write what is seen as a PNG."""
        shot = self.send("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[dict[str, Any]]:
        """Return what the page or the browser wrote to the console."""
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event["params"] for event in self.events if event["method"] in said]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for, data inside the page aside."""
        asked = [e for e in self.events if e["method"] == "Network.requestWillBeSent"]
        urls = [event["params"]["request"]["url"] for event in asked]
        return [url for url in urls if not url.startswith("data:")]


@contextmanager
def browser_tab() -> Iterator[Tab]:
    """Start a browser with an empty page; it ends with the block."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [CHROMIUM, *ARGUMENTS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stderr is not None
            address = _address(process.stderr)
            with connect(address, max_size=None, proxy=None) as connection:
                yield Tab(connection)
        finally:
            process.kill()
            process.wait()
            if process.stderr:
                process.stderr.close()


def _address(said: TextIO) -> str:
    """Return the address of the first page, which the browser lists where it says."""
    for line in said:
        if found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line):
            port = int(found[1])
            break
    else:
        raise AssertionError("the browser did not start")
    return _page_address(port)


def _page_address(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as response:
        pages = json.load(response)
    return next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
