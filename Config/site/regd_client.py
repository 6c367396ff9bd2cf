"""regd's methods in Python: `Regd("/run/regd/regd.sock").registration_check_email(email="you@example.com")`.

The standard library alone. A Regd is one connection, which threads share: a reply finds its call by the id.
"""

import itertools
import json
import re
import socket
import threading
from concurrent.futures import Future


class RegdError(Exception):
    """regd's own no: `reason` is what programs switch on, the text is a sentence for a person."""

    def __init__(self, error: dict):
        super().__init__(error["message"])
        self.data = error.get("data", {})
        self.reason = self.data.get("reason", "rpc.internal")
        self.retryable = self.data.get("retryable", False)
        self.retry_after = self.data.get("retryAfter")
        self.problems = self.data.get("problems", [])


class Regd:
    """One connection. What breaks it is an OSError: each call under way, and each later one, raises it.

    `seconds` is how long an answer may take, longer than limits.requestSeconds. `notified(method, params)` is called for each
    notification, on the connection's own thread, before the reply that stands behind it.
    """

    def __init__(self, path: str, seconds: float = 35, notified=lambda method, params: None):
        self._socket, self._seconds, self._notified = socket.socket(socket.AF_UNIX), seconds, notified
        self._ids, self._waiting, self._lock, self.is_open = itertools.count(1), {}, threading.Lock(), True
        self._socket.settimeout(seconds)
        self._socket.connect(path)
        self._socket.settimeout(None)
        threading.Thread(target=self._read, daemon=True).start()

    def __getattr__(self, name: str):
        """registration_check_email is registration.checkEmail; params keep their names."""
        space, _, words = name.partition("_")
        method = f"{space}.{re.sub('_(.)', lambda match: match[1].upper(), words)}"
        return lambda **params: self.call(method, params)

    def call(self, method: str, params: dict):
        reply, text = Future(), {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        with self._lock:
            if not self.is_open:
                raise ConnectionError("regd has closed the connection")
            self._waiting[text["id"]] = reply
            self._socket.sendall(json.dumps(text).encode() + b"\n")
        try:
            answer = reply.result(self._seconds)
        except TimeoutError:
            self.close()
            raise
        if "error" in answer:
            raise RegdError(answer["error"])
        return answer["result"]

    def close(self):
        self.is_open = False
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended already

    def _read(self):
        try:
            with self._socket, self._socket.makefile(encoding="utf-8", newline="\n") as lines:
                for line in lines:
                    text = json.loads(line)
                    if "id" not in text:
                        self._notified(text["method"], text["params"])
                    elif reply := self._waiting.pop(text["id"], None):
                        reply.set_result(text)
        except (OSError, ValueError):
            pass  # what has been read of it is no answer
        with self._lock:
            self.is_open, waiting = False, list(self._waiting.values())
        for reply in waiting:
            if not reply.done():
                reply.set_exception(ConnectionError("regd has closed the connection"))
