"""A client of regd: `Client().registration.check_email(email="you@example.com")`.

The standard library alone. A Client keeps one connection for all calls, which threads share, and opens another when it has ended.
"""

import contextlib
import itertools
import json
import os
import re
import socket
import struct
import threading
from concurrent.futures import Future


class RegdError(Exception):
    """regd has refused a call. `reason` is for programs, the text for a person."""

    def __init__(self, error: dict):
        super().__init__(error["message"])
        data = error.get("data", {})
        self.reason, self.retryable = data.get("reason", "rpc.internal"), data.get("retryable", False)
        self.retry_after, self.problems = data.get("retryAfter"), data.get("problems", [])
        self.attempts_left = data.get("attemptsLeft")


class NoAnswer(OSError):
    """regd cannot be reached, has gone, or did not answer in time."""


class Connection:
    def __init__(self, path: str, timeout: float):
        self._socket, self._timeout = socket.socket(socket.AF_UNIX), timeout
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise NoAnswer(f"regd cannot be reached at {path}: {error}") from error
        # reads wait for as long as there is nothing; writes do not
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", int(timeout), 0))
        self._ids, self._waiting, self._lock, self.is_open, self.events = itertools.count(1), {}, threading.Lock(), True, {}
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, method: str, params: dict):
        answer, number = Future(), next(self._ids)
        text = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        with self._lock:
            if not self.is_open:
                raise NoAnswer("the connection has ended")
            self._waiting[number] = answer
            try:
                self._socket.sendall(json.dumps(text).encode() + b"\n")
            except OSError:
                self.close()  # the reader ends all that wait
        try:
            reply = answer.result(self._timeout)
        except TimeoutError:
            self.close()
            raise NoAnswer(f"regd did not answer {method} in time") from None
        if "error" in reply:
            raise RegdError(reply["error"])
        return reply["result"]

    def close(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _read(self):
        with contextlib.suppress(OSError, ValueError), self._socket, self._socket.makefile(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                text = json.loads(line)
                if text.get("method") == "form.event":
                    self.events.setdefault(text["params"]["form"], []).append(text["params"])
                elif answer := self._waiting.pop(text.get("id"), None):
                    answer.set_result(text)
        with self._lock:
            self.is_open, waiting = False, list(self._waiting.values())
        for answer in waiting:
            answer.set_exception(NoAnswer("the connection ended before the answer"))


class Form:
    """A screen whose state and decisions are regd's; it ends with its connection."""

    def __init__(self, connection: Connection, opened: dict):
        self._connection, self._number, self.state = connection, opened["form"], opened["state"]

    def set(self, **fields: str) -> dict:
        self.state = self._connection.ask("form.set", {"form": self._number, **fields})["state"]
        return self.state

    def submit(self) -> list[dict]:
        """Presses the button, and returns what is to be shown until the form rests."""
        self._connection.events.pop(self._number, None)
        self.state = self._connection.ask("form.submit", {"form": self._number})["state"]
        return self._connection.events.pop(self._number, [])

    def close(self):
        with contextlib.suppress(NoAnswer, RegdError):
            self._connection.ask("form.close", {"form": self._number})


class Methods:
    def __init__(self, client: "Client", space: str):
        self._client, self._space = client, space

    def __getattr__(self, name: str):
        return lambda **params: self._client.call(f"{self._space}.{camel(name)}", {camel(key): value for key, value in params.items()})


class Client:
    """Calls regd. `timeout` is in seconds, longer than limits.requestSeconds; `language` is that of its sentences."""

    def __init__(self, path: str | None = None, *, timeout: float = 35, language: str | None = None):
        self._path, self._timeout, self._language = path or os.environ.get("REGD_SOCKET_PATH", "/run/regd/regd.sock"), timeout, language
        self._lock, self._connection = threading.Lock(), None
        self.claim, self.owner, self.recovery, self.registration, self.rpc, self.session = (
            Methods(self, space) for space in ("claim", "owner", "recovery", "registration", "rpc", "session")
        )

    def call(self, method: str, params: dict):
        return self._connected().ask(method, params)

    def form(self, kind: str, **params: str) -> Form:
        connection = self._connected()
        return Form(connection, connection.ask("form.open", {"kind": kind, **params}))

    def close(self):
        if self._connection:
            self._connection.close()

    def _connected(self) -> Connection:
        with self._lock:
            if not (self._connection and self._connection.is_open):
                self._connection = Connection(self._path, self._timeout)
                if self._language:
                    self._connection.ask("rpc.language", {"language": self._language})
            return self._connection


def camel(name: str) -> str:
    return re.sub("_(.)", lambda match: match[1].upper(), name)
