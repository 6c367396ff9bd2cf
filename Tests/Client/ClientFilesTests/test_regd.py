"""Tests of both clients in Python with a fake regd. They use the file as it is in Sources, with its sample methods."""

import asyncio
import fcntl
import json
import os
import socket
import struct
import sys
import tempfile
import termios
import threading
import time
import unittest
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/Client/ClientFiles"))
import regd

PATIENCE = 60.0
REQUEST_ID = "6fa459ea-ee8a-3ca4-894e-db77e160355e"


def text(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"


def reply(request: dict[str, Any], result: Any) -> bytes:
    return text({"id": request["id"], "result": result})


def refusal(request: dict[str, Any], reason: str, **data: Any) -> bytes:
    return text({"id": request["id"], "error": {"code": 1002, "message": "No.", "data": {"reason": reason, **data}}})


def named(name: str | None) -> dict[str, Any]:
    return {"account": {"id": "1", "email": "you@example.com", "displayName": name}}


class Caller:
    """The fake regd's end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE)
        self._connection = connection
        self._lines = connection.makefile("rb")

    def request(self, method: str) -> dict[str, Any]:
        """Reads the next request, which must be of this method."""
        request: dict[str, Any] = json.loads(self._lines.readline() or b'{"method": "nothing"}')
        assert request["method"] == method, f"{request} instead of {method}"
        return request

    def registration(self, ids: list[str]) -> dict[str, Any]:
        """Reads a registration, and adds its requestId to the list."""
        request = self.request("registration.register")
        ids.append(request["params"]["requestId"])
        return request

    def end(self) -> None:
        """Waits until the client has closed the connection."""
        assert self._lines.read() == b""

    def send(self, *parts: bytes) -> None:
        """Sends each part after the client has read the previous one."""
        for part in parts:
            self._connection.sendall(part)
            deadline = time.monotonic() + PATIENCE
            while self._unread() and time.monotonic() < deadline:
                time.sleep(0.0001)

    def _unread(self) -> bool:
        count: int = struct.unpack("i", fcntl.ioctl(self._connection, termios.TIOCOUTQ, bytes(4)))[0]
        return count > 0

    def close(self) -> None:
        self._lines.close()
        self._connection.close()


class Regd:
    """A fake regd: one function for each connection, in their order. The connection is closed when its function returns."""

    def __init__(self, *connections: Callable[[Caller], None]) -> None:
        self._connections = connections
        self._failure: BaseException | None = None
        self._directory = tempfile.TemporaryDirectory()
        self.path = f"{self._directory.name}/regd.sock"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.settimeout(PATIENCE)
        self._listener.bind(self.path)
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        try:
            for connection in self._connections:
                caller = Caller(self._listener.accept()[0])
                try:
                    connection(caller)
                finally:
                    caller.close()
        except BaseException as failure:
            self._failure = failure

    def __enter__(self) -> str:
        self._thread.start()
        return self.path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None:
            self._listener.shutdown(socket.SHUT_RDWR)  # nobody connects anymore
        self._thread.join()
        self._listener.close()
        self._directory.cleanup()
        if self._failure is not None:
            raise self._failure from error


class Cases:
    """The tests of both clients. `run_all` makes calls at the same time and returns their results."""

    def client(self, path: str) -> Any:
        raise NotImplementedError

    def run_all(self, *calls: Callable[[], Any]) -> list[Any]:
        raise NotImplementedError

    def result(self, call: Callable[[], Any]) -> Any:
        return self.run_all(call)[0]

    def no_answer(self, call: Callable[[], Any]) -> regd.NoAnswer:
        try:
            raise AssertionError(f"the result {self.result(call)}")
        except regd.NoAnswer as error:
            return error

    def refused(self, call: Callable[[], Any]) -> regd.RegdError:
        try:
            raise AssertionError(f"the result {self.result(call)}")
        except regd.RegdError as error:
            return error

    # framing

    def test_a_reply_that_is_not_json_ends_the_connection(self) -> None:
        def first(caller: Caller) -> None:
            caller.request("owner.delete")
            caller.send(b"no JSON\n")
            caller.end()

        def second(caller: Caller) -> None:
            caller.send(reply(caller.request("rpc.ping"), "pong"))

        with Regd(first, second) as path:
            client = self.client(path)
            assert self.no_answer(lambda: client.owner.delete(email="a", password="b")).may_have_happened
            assert self.result(client.rpc.ping) == "pong"

    def test_an_error_without_an_id_fails_the_calls_of_the_connection(self) -> None:
        def serve(caller: Caller) -> None:
            caller.request("rpc.ping")
            caller.send(refusal({"id": None}, "request.tooLarge"))

        with Regd(serve) as path:
            assert self.refused(self.client(path).rpc.ping).reason == "request.tooLarge"

    def test_a_reply_is_read_wherever_it_is_split(self) -> None:
        count = len(reply({"id": 100}, named("Zoë")))

        def serve(caller: Caller) -> None:
            for cut in range(count):
                answer = reply(caller.request("owner.setDisplayName"), named("Zoë"))
                caller.send(answer[:cut], answer[cut:])

        with Regd(serve) as path:
            client = self.client(path)
            for _ in range(count):
                owner = dict(email="a", password="b", display_name="Zoë")
                assert self.result(lambda: client.owner.set_display_name(**owner)) == named("Zoë")

    def test_a_reply_is_read_byte_by_byte(self) -> None:
        def serve(caller: Caller) -> None:
            answer = reply(caller.request("owner.setDisplayName"), named("Zoë"))
            caller.send(*(answer[at : at + 1] for at in range(len(answer))))

        with Regd(serve) as path:
            client = self.client(path)
            owner = dict(email="a", password="b", display_name="Zoë")
            assert self.result(lambda: client.owner.set_display_name(**owner)) == named("Zoë")

    def test_one_read_contains_replies_in_another_order_and_messages_that_nobody_waits_for(self) -> None:
        def serve(caller: Caller) -> None:
            requests = [caller.request("owner.setDisplayName") for _ in range(2)]
            replies = [reply(request, named(request["params"]["displayName"])) for request in reversed(requests)]
            caller.send(text({"method": "other.happened", "params": {}}) + reply({"id": 99}, "late") + b"".join(replies))

        def call(name: str) -> Callable[[], Any]:
            return lambda: client.owner.set_display_name(email="a", password="b", display_name=name)

        with Regd(serve) as path:
            client = self.client(path)
            assert self.run_all(call("Ada"), call("Bob")) == [named("Ada"), named("Bob")]

    # timeouts

    def test_a_call_without_an_answer_times_out_and_is_cancelled_and_the_connection_remains(self) -> None:
        def serve(caller: Caller) -> None:
            caller.send(reply(caller.request("rpc.ping"), "pong"))
            late = caller.request("rpc.ping")
            cancel = caller.request("rpc.cancel")
            assert cancel["params"] == {"id": late["id"]} and "id" not in cancel, cancel
            ping = caller.request("rpc.ping")
            caller.send(reply(late, "late") + reply(ping, "pong"))

        with Regd(serve) as path:
            client = self.client(path)
            assert self.result(client.rpc.ping) == "pong"  # the timeout then does not include connecting
            assert self.no_answer(lambda: client.rpc.ping(timeout=0.2)).may_have_happened
            assert self.result(client.rpc.ping) == "pong"

    # lost connections and repeats

    def test_without_a_regd_nothing_happened(self) -> None:
        client = self.client("/nonexistent/regd.sock")
        assert not self.no_answer(client.rpc.ping).may_have_happened

    def test_a_call_that_must_not_be_repeated_is_sent_once(self) -> None:
        for half in b"", b'{"jsonrpc":"2.0","id":1,"res':

            def lost(caller: Caller) -> None:
                caller.request("owner.delete")
                caller.send(half)

            def next_one(caller: Caller) -> None:
                caller.send(reply(caller.request("rpc.ping"), "pong"))

            with Regd(lost, next_one) as path:
                client = self.client(path)
                assert self.no_answer(lambda: client.owner.delete(email="a", password="b")).may_have_happened
                assert self.result(client.rpc.ping) == "pong"

    def test_a_registration_is_repeated_with_its_request_id_when_the_connection_is_lost(self) -> None:
        for half in b"", b'{"jsonrpc":"2.0","id":1,"res':
            for given in None, REQUEST_ID:
                ids: list[str] = []

                def lost(caller: Caller) -> None:
                    caller.registration(ids)
                    caller.send(half)

                def answered(caller: Caller) -> None:
                    caller.send(reply(caller.registration(ids), named(None)))

                with Regd(lost, lost, answered) as path:
                    client = self.client(path)
                    assert self.result(lambda: client.registration.register(request_id=given)) == named(None)
                assert ids == [given or ids[0]] * 3 and len(ids[0]) == 36, ids

    def test_two_registrations_have_different_request_ids(self) -> None:
        ids: list[str] = []

        def serve(caller: Caller) -> None:
            for _ in range(2):
                caller.send(reply(caller.registration(ids), named(None)))

        with Regd(serve) as path:
            client = self.client(path)
            for _ in range(2):
                self.result(client.registration.register)
        assert ids[0] != ids[1]

    def test_a_refusal_is_not_repeated(self) -> None:
        def serve(caller: Caller) -> None:
            data = {"retryable": True, "retryAfter": 1, "attemptsLeft": 2, "problems": [{"field": "email"}]}
            caller.send(refusal(caller.request("registration.register"), "validation.failed", **data))
            caller.send(reply(caller.request("rpc.ping"), "pong"))

        with Regd(serve) as path:
            client = self.client(path)
            error = self.refused(client.registration.register)
            assert (error.code, error.message, error.reason) == (1002, "No.", regd.Reason.VALIDATION_FAILED)
            assert error.retryable and not error.pending and (error.retry_after, error.attempts_left) == (1, 2)
            assert error.problems == [{"field": "email"}]
            assert self.result(client.rpc.ping) == "pong"

    def test_a_pending_registration_is_repeated_with_its_request_id(self) -> None:
        ids: list[str] = []

        def serve(caller: Caller) -> None:
            for left in 2, 1, 0:
                request = caller.registration(ids)
                pending = refusal(request, "network.timeout", retryable=True, pending=True)
                caller.send(pending if left else reply(request, named(None)))

        with Regd(serve) as path:
            assert self.result(self.client(path).registration.register) == named(None)
        assert ids == [ids[0]] * 3

    def test_a_pause_that_is_longer_than_the_timeout_returns_the_refusal(self) -> None:
        def serve(caller: Caller) -> None:
            request = caller.request("registration.register")
            caller.send(refusal(request, "network.timeout", retryable=True, pending=True, retryAfter=1000))
            caller.send(reply(caller.request("rpc.ping"), "pong"))

        with Regd(serve) as path:
            client = self.client(path)
            error = self.refused(client.registration.register)
            assert error.pending and error.retry_after == 1000
            assert self.result(client.rpc.ping) == "pong"


class Threads(Cases, unittest.TestCase):
    def client(self, path: str) -> regd.Client:
        return self.enterContext(regd.Client(path))

    def run_all(self, *calls: Callable[[], Any]) -> list[Any]:
        with ThreadPoolExecutor(len(calls)) as threads:
            return [future.result() for future in [threads.submit(call) for call in calls]]


class Tasks(Cases, unittest.TestCase):
    def setUp(self) -> None:
        self.runner = self.enterContext(asyncio.Runner())

    def client(self, path: str) -> regd.AsyncClient:
        client = regd.AsyncClient(path)
        self.addCleanup(lambda: self.runner.run(client.close()))
        return client

    def run_all(self, *calls: Callable[[], Awaitable[Any]]) -> list[Any]:
        async def all_of_them() -> list[Any]:
            return list(await asyncio.gather(*(call() for call in calls)))

        return self.runner.run(all_of_them())


if __name__ == "__main__":
    unittest.main()
