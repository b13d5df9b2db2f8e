"""Prefect's own server for the length of one command: `python -m flows.prefect_server FOLDER`.

Writes its URL to FOLDER/url once it listens. Ends when its standard input closes, so that it never
outlives the process that started it, however that one ended. FOLDER is its own: it goes with it.
"""

import os
import shutil
import socket
import sys
import threading
from pathlib import Path

import uvicorn

SERVER = "prefect.server.api.server:create_app"


def main() -> None:
    """Serve until standard input closes."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(SERVER, factory=True, log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    threading.Thread(target=_stop_with_parent, args=[server], daemon=True).start()
    folder = Path(sys.argv[1])
    unfinished = folder / "url.tmp"
    unfinished.write_text(f"http://127.0.0.1:{listener.getsockname()[1]}/api", encoding="ascii")
    unfinished.replace(folder / "url")
    server.run(sockets=[listener])
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # its worker threads have nothing left to save


def _stop_with_parent(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    main()
