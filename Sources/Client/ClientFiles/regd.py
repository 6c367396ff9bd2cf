"""A client of regd @@VERSION@@, in one file and without dependencies (Python 3.11).

Made by `regctl client python` from the table of methods that regd answers from.

    with Client() as regd:
        regd.registration.register(
            email="you@example.com", password=password, password_confirmation=password
        )

A Client and an AsyncClient keep one connection for all calls and open another when
it has ended. Threads share a Client, tasks an AsyncClient. A call whose answer was
lost is made again where that does no harm; a registration has a requestId for that,
its own or one that is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import queue
import socket
import struct
import threading
import time
import uuid
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Mapping,
    Sequence,
)
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from enum import StrEnum
from types import TracebackType
from typing import (
    Any,
    Generic,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
    cast,
    final,
    overload,
)

VERSION = "@@VERSION@@"
DEFAULT_PATH = "/run/regd/regd.sock"
DEFAULT_TIMEOUT = 35.0
"""Seconds; longer than regd takes for a request at most (limits.requestSeconds)."""


class Reason(StrEnum):
    """Why regd refused a call; a reason never changes."""

    # regd: begin reasons
    SERVER_DRAINING = "server.draining"
    VALIDATION_FAILED = "validation.failed"
    NETWORK_TIMEOUT = "network.timeout"
    EMAIL_TAKEN = "email.taken"
    CREDENTIALS_REJECTED = "credentials.rejected"
    CONFIGURATION_REFUSED = "configuration.refused"
    # regd: end


# regd: begin types


ProblemField = Literal[
    "email",
    "password",
    "passwordConfirmation",
    "displayName",
]


ProblemReason = Literal[
    "email.domain",
    "password.tooShort",
    "password.common",
    "displayName.tooLong",
]


class Problem(TypedDict):
    field: ProblemField
    reason: ProblemReason
    message: str


AccountState = Literal["active", "pending", "disabled", "waiting"]


class Account(TypedDict):
    id: str
    email: str
    state: AccountState
    createdAt: str
    updatedAt: str
    groups: list[str]
    displayName: NotRequired[str]


class Claim(TypedDict):
    id: str
    email: str
    expiresAt: str
    resendAt: str
    codeDigits: NotRequired[int]


class AccountOrClaim(TypedDict):
    account: NotRequired[Account]
    stamp: NotRequired[str]
    claim: NotRequired[Claim]


class AccountResult(TypedDict):
    account: Account


@final
class RegistrationFormState(TypedDict):
    email: str
    emailValid: bool
    passwordValid: bool
    registrationEnabled: bool
    needs: NotRequired[list[Literal["invitation", "terms"]]]
    problems: list[Problem]
    errorMessage: str | None
    registered: bool
    stamp: NotRequired[str]
    claim: NotRequired[Claim]


@final
class SignInFormState(TypedDict):
    email: str
    signInEnabled: bool
    problems: list[Problem]
    errorMessage: str | None
    signedIn: bool
    stamp: NotRequired[str]


@final
class RecoveryFormState(TypedDict):
    email: str
    recoveryEnabled: bool
    problems: list[Problem]
    errorMessage: str | None
    recovered: bool
    stamp: NotRequired[str]
    claim: NotRequired[Claim]


FormState: TypeAlias = RegistrationFormState | SignInFormState | RecoveryFormState


class FormWithState(TypedDict):
    form: int
    state: FormState


class FormStateResult(TypedDict):
    state: FormState


class FormEvent(TypedDict):
    form: int
    event: Literal["activityStarted", "activityEnded", "alert", "navigate"]
    reason: NotRequired[str]
    message: NotRequired[str]
    attemptsLeft: NotRequired[int]
    to: NotRequired[Literal["welcome", "code"]]


EventName = Literal[
    "account.registered",
    "events.missed",
]


Event = TypedDict(
    "Event",
    {
        "sequence": int,
        "event": EventName,
        "time": str,
        "email": NotRequired[str],
        "from": NotRequired[str],
        "message": NotRequired[str],
        "missed": NotRequired[int],
    },
)


class ConfigurationProblem(TypedDict):
    place: str
    key: NotRequired[str]
    message: str


# regd: end


_State = TypeVar("_State", RegistrationFormState, SignInFormState, RecoveryFormState)


class RegdError(Exception):
    """regd has refused a call. `reason` is for programs, the text for a person."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        data: Mapping[str, Any] = error.get("data") or {}
        super().__init__(str(error.get("message", "")))
        self.code = int(error.get("code", 0))
        self.message = str(error.get("message", ""))
        self.reason = _reason(str(data.get("reason", "")))
        self.retryable = bool(data.get("retryable", False))
        self.retry_after: int | None = data.get("retryAfter")
        """Seconds to wait before a repeat, if known."""
        self.pending = bool(data.get("pending", False))
        """Whether the registration may have happened all the same."""
        self.field: str | None = data.get("field")
        self.limit: int | None = data.get("limit")
        self.attempts_left: int | None = data.get("attemptsLeft")
        self.problems: list[Problem] = []
        self.configuration_problems: list[ConfigurationProblem] = []
        if self.reason == Reason.CONFIGURATION_REFUSED:
            self.configuration_problems = data.get("problems", [])
        else:
            self.problems = data.get("problems", [])


class NoAnswer(OSError):
    """regd cannot be reached, has gone, or did not answer in time."""

    def __init__(self, message: str, *, may_have_happened: bool = False) -> None:
        super().__init__(message)
        self.may_have_happened = may_have_happened
        """Whether regd may have done what was asked."""


def _reason(name: str) -> Reason | str:
    """A reason of a newer regd is a str that is in no Reason."""
    try:
        return Reason(name)
    except ValueError:
        return name


_REPEATABLE = {
    # regd: begin repeatable
    "rpc.ping": "yes",
    "registration.register": "withRequestId",
    "owner.setDisplayName": "yes",
    # regd: end
}
_NULLABLE = {
    # regd: begin nullable
    "owner.setDisplayName.displayName",
    # regd: end
}
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


class _Attempts:
    """Decides whether a call is made again, and after how many seconds."""

    def __init__(self, method: str, params: Mapping[str, Any], timeout: float) -> None:
        self.method = method
        self.params = {
            name: value
            for name, value in params.items()
            if value is not None or f"{method}.{name}" in _NULLABLE
        }
        self.deadline = time.monotonic() + timeout
        repetition = _REPEATABLE.get(method)
        if repetition == "withRequestId":
            self.params.setdefault("requestId", str(uuid.uuid4()))
        self._is_repeatable = repetition is not None
        self._has_lost = False
        self._refusal: RegdError | None = None
        self._pause = _FIRST_PAUSE

    @property
    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def pause_after(self, failure: RegdError | NoAnswer) -> float:
        """Raises the failure where another attempt is of no use, or would do harm."""
        if isinstance(failure, RegdError):
            self._refusal = failure
            again = failure.retryable and failure.pending
            wait = float(failure.retry_after or 0)
        else:
            # a regd that was not there at all is no restart that takes a moment
            again = failure.may_have_happened or self._has_lost
            wait = 0.0
            self._has_lost = True
        wait = max(wait, self._pause)
        if not (again and self._is_repeatable) or wait >= self.left:
            # what regd has said before says more than that time is over
            raise self._refusal or failure
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return wait


class _FormBox:
    """What a connection was told of one form."""

    def __init__(self) -> None:
        self.state: FormState | None = None
        self.events: list[FormEvent] = []


class _Inbox:
    """Sorts what regd sends without being asked."""

    def __init__(self) -> None:
        self.forms: dict[int, _FormBox] = {}

    def take(self, message: Mapping[str, Any]) -> Event | None:
        params = message.get("params", {})
        match message.get("method"):
            case "events.happened":
                return cast(Event, params)
            case "form.changed":
                self._box(params).state = params["state"]
            case "form.event":
                self._box(params).events.append(cast(FormEvent, params))
        return None

    def _box(self, params: Mapping[str, Any]) -> _FormBox:
        return self.forms.setdefault(params["form"], _FormBox())


def _request(number: int | None, method: str, params: Mapping[str, Any]) -> bytes:
    request: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        request["id"] = number
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"


def _path(path: str | None) -> str:
    return path or os.environ.get("REGD_SOCKET_PATH") or DEFAULT_PATH


# With threads


class _Connection:
    def __init__(self, path: str, timeout: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(path)
            # reads wait for as long as there is nothing; writes do not
            self._socket.settimeout(None)
            limit = struct.pack("@ll", max(1, int(timeout)), 0)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        except OSError as error:
            self._socket.close()
            raise NoAnswer(f"regd cannot be reached at {path}: {error}") from error
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._failure: Exception | None = None
        self.inbox = _Inbox()
        self.events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="regd", daemon=True).start()

    @property
    def is_open(self) -> bool:
        return self._failure is None

    def ask(self, method: str, params: Mapping[str, Any], timeout: float) -> Any:
        number = next(self._numbers)
        answer: Future[Any] = Future()
        with self._lock:
            if self._failure is not None:
                raise NoAnswer("the connection has ended") from self._failure
            self._waiting[number] = answer
            self._send(_request(number, method, params))
        try:
            return answer.result(timeout)
        except FutureTimeout:
            self._give_up(number)
            text = f"regd did not answer {method} in time"
            raise NoAnswer(text, may_have_happened=True) from None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _send(self, text: bytes) -> None:
        try:
            self._socket.sendall(text)
        except OSError:
            # half a request may be on its way: the reader ends all that wait
            self.close()

    def _give_up(self, number: int) -> None:
        with self._lock:
            if self._waiting.pop(number, None) is not None and self._failure is None:
                self._send(_request(None, "rpc.cancel", {"id": number}))

    def _read(self) -> None:
        failure: Exception = NoAnswer(
            "the connection ended before the answer", may_have_happened=True
        )
        try:
            with self._socket, self._socket.makefile("rb") as lines:
                for line in lines:
                    message = json.loads(line)
                    if "method" in message:
                        if (event := self.inbox.take(message)) is not None:
                            self.events.put(event)
                    elif message.get("id") is None:
                        failure = RegdError(message["error"])
                    else:
                        self._settle(message)
        except (OSError, ValueError, LookupError):
            pass
        with self._lock:
            self._failure = failure
            waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            answer.set_exception(failure)
        self.events.put(None)

    def _settle(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            answer = self._waiting.pop(message["id"], None)
        if answer is None:
            return
        if "error" in message:
            answer.set_exception(RegdError(message["error"]))
        else:
            answer.set_result(message["result"])


_Call: TypeAlias = Callable[[str, Mapping[str, Any], float | None], Any]


# regd: begin methods


class RpcMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def ping(
        self,
        *,
        timeout: float | None = None,
    ) -> Literal["pong"]:
        result: Literal["pong"] = self._call(
            "rpc.ping",
            {},
            timeout,
        )
        return result


class RegistrationMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def register(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        result: AccountOrClaim = self._call(
            "registration.register",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "requestId": request_id,
            },
            timeout,
        )
        return result


class OwnerMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def set_display_name(
        self,
        *,
        email: str,
        password: str,
        display_name: str | None,
        timeout: float | None = None,
    ) -> AccountResult:
        result: AccountResult = self._call(
            "owner.setDisplayName",
            {
                "email": email,
                "password": password,
                "displayName": display_name,
            },
            timeout,
        )
        return result

    def delete(
        self,
        *,
        email: str,
        password: str,
        timeout: float | None = None,
    ) -> None:
        self._call(
            "owner.delete",
            {
                "email": email,
                "password": password,
            },
            timeout,
        )


# regd: end


class Form(Generic[_State]):
    """A screen whose state and decisions are regd's; it ends with its connection."""

    def __init__(
        self, connection: _Connection, timeout: float, opened: FormWithState
    ) -> None:
        self._connection = connection
        self._timeout = timeout
        self._number = opened["form"]
        self._box = connection.inbox.forms.setdefault(self._number, _FormBox())
        self._box.state = opened["state"]

    @property
    def state(self) -> _State:
        """The state to show, as regd has told it last."""
        return cast(_State, self._box.state)

    def set(self, **fields: str | None) -> _State:
        """Sets fields.

        They are email, password, passwordConfirmation, code, invitation, terms and
        displayName.
        """
        return self._ask("form.set", fields)

    def submit(self) -> list[FormEvent]:
        """Presses the button, and returns what is to be shown until the form rests."""
        self._box.events.clear()
        self._ask("form.submit", {})
        return list(self._box.events)

    def close(self) -> None:
        """Closes the form; regd forgets what was typed into it."""
        self._connection.inbox.forms.pop(self._number, None)
        with contextlib.suppress(NoAnswer, RegdError):
            self._connection.ask("form.close", {"form": self._number}, self._timeout)

    def _ask(self, method: str, fields: Mapping[str, Any]) -> _State:
        params = {"form": self._number, **fields}
        result: FormStateResult = self._connection.ask(method, params, self._timeout)
        self._box.state = result["state"]
        return cast(_State, result["state"])

    def __enter__(self) -> Form[_State]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Subscription:
    """The events since the call of `subscribe`; ends with NoAnswer, or when closed."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._is_closed = False

    def __iter__(self) -> Subscription:
        return self

    def __next__(self) -> Event:
        event = None if self._is_closed else self._connection.events.get()
        if event is not None:
            return event
        if self._is_closed:
            raise StopIteration
        self.close()
        raise NoAnswer("the connection has ended")

    def close(self) -> None:
        """Ends the subscription and its connection."""
        self._is_closed = True
        self._connection.close()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Client:
    """Calls regd. `timeout` is in seconds, for a call with all of its attempts."""

    def __init__(
        self,
        path: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        language: str | None = None,
    ) -> None:
        self._path = _path(path)
        self._timeout = timeout
        self._language = language
        self._lock = threading.Lock()
        self._connection: _Connection | None = None
        # regd: begin members
        self.rpc = RpcMethods(self._call)
        self.registration = RegistrationMethods(self._call)
        self.owner = OwnerMethods(self._call)
        # regd: end

    @overload
    def form(
        self,
        kind: Literal["registration"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> Form[RegistrationFormState]: ...

    @overload
    def form(
        self,
        kind: Literal["signIn"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> Form[SignInFormState]: ...

    @overload
    def form(
        self,
        kind: Literal["recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> Form[RecoveryFormState]: ...

    def form(
        self,
        kind: Literal["registration", "signIn", "recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> Form[Any]:
        """Opens a form."""
        connection = self._connected(self._timeout)
        params = {"kind": kind, "origin": origin, "language": language}
        opened: FormWithState = connection.ask("form.open", params, self._timeout)
        return Form(connection, self._timeout, opened)

    def subscribe(self) -> Subscription:
        """Subscribes to events, on a separate connection, before it returns."""
        connection = self._connect(self._timeout)
        try:
            connection.ask("events.subscribe", {}, self._timeout)
        except BaseException:
            connection.close()
            raise
        return Subscription(connection)

    def close(self) -> None:
        """Ends the connection; a later call opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _call(
        self, method: str, params: Mapping[str, Any], timeout: float | None
    ) -> Any:
        attempts = _Attempts(
            method, params, self._timeout if timeout is None else timeout
        )
        while True:
            try:
                connection = self._connected(attempts.left)
                return connection.ask(method, attempts.params, attempts.left)
            except (RegdError, NoAnswer) as failure:
                pause = attempts.pause_after(failure)
            time.sleep(pause)

    def _connected(self, timeout: float) -> _Connection:
        with self._lock:
            if self._connection is None or not self._connection.is_open:
                self._connection = self._connect(timeout)
            return self._connection

    def _connect(self, timeout: float) -> _Connection:
        connection = _Connection(self._path, max(timeout, 0.001))
        if self._language is not None:
            connection.ask("rpc.language", {"language": self._language}, timeout)
        return connection

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# With asyncio


class _AsyncConnection:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._failure: Exception | None = None
        self.inbox = _Inbox()
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._read(), name="regd")

    @classmethod
    async def open(cls, path: str, timeout: float) -> _AsyncConnection:
        try:
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_unix_connection(path, limit=2**28)
        except OSError as error:
            raise NoAnswer(f"regd cannot be reached at {path}: {error}") from error
        return cls(reader, writer)

    @property
    def is_open(self) -> bool:
        return self._failure is None

    async def ask(self, method: str, params: Mapping[str, Any], timeout: float) -> Any:
        if self._failure is not None:
            raise NoAnswer("the connection has ended") from self._failure
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            async with asyncio.timeout(timeout):
                self._writer.write(_request(number, method, params))
                with contextlib.suppress(ConnectionError):
                    await self._writer.drain()
                return await answer
        except TimeoutError:
            text = f"regd did not answer {method} in time"
            raise NoAnswer(text, may_have_happened=True) from None
        finally:
            # it still waits if its time is over, or its task was cancelled
            if self._waiting.pop(number, None) is not None and self._failure is None:
                self._writer.write(_request(None, "rpc.cancel", {"id": number}))

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        await self._task

    async def _read(self) -> None:
        failure: Exception = NoAnswer(
            "the connection ended before the answer", may_have_happened=True
        )
        with contextlib.suppress(OSError, ValueError, LookupError):
            while line := await self._reader.readline():
                message = json.loads(line)
                if "method" in message:
                    if (event := self.inbox.take(message)) is not None:
                        self.events.put_nowait(event)
                elif message.get("id") is None:
                    failure = RegdError(message["error"])
                else:
                    self._settle(message)
        self._failure = failure
        self._writer.close()
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(failure)
        self.events.put_nowait(None)

    def _settle(self, message: Mapping[str, Any]) -> None:
        answer = self._waiting.pop(message["id"], None)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(RegdError(message["error"]))
        else:
            answer.set_result(message["result"])


_AsyncCall: TypeAlias = Callable[[str, Mapping[str, Any], float | None], Awaitable[Any]]


# regd: begin asyncMethods


class AsyncRpcMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def ping(
        self,
        *,
        timeout: float | None = None,
    ) -> Literal["pong"]:
        result: Literal["pong"] = await self._call(
            "rpc.ping",
            {},
            timeout,
        )
        return result


class AsyncRegistrationMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def register(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        result: AccountOrClaim = await self._call(
            "registration.register",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "requestId": request_id,
            },
            timeout,
        )
        return result


class AsyncOwnerMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def set_display_name(
        self,
        *,
        email: str,
        password: str,
        display_name: str | None,
        timeout: float | None = None,
    ) -> AccountResult:
        result: AccountResult = await self._call(
            "owner.setDisplayName",
            {
                "email": email,
                "password": password,
                "displayName": display_name,
            },
            timeout,
        )
        return result

    async def delete(
        self,
        *,
        email: str,
        password: str,
        timeout: float | None = None,
    ) -> None:
        await self._call(
            "owner.delete",
            {
                "email": email,
                "password": password,
            },
            timeout,
        )


# regd: end


class AsyncForm(Generic[_State]):
    """A screen whose state and decisions are regd's; it ends with its connection."""

    def __init__(
        self, connection: _AsyncConnection, timeout: float, opened: FormWithState
    ) -> None:
        self._connection = connection
        self._timeout = timeout
        self._number = opened["form"]
        self._box = connection.inbox.forms.setdefault(self._number, _FormBox())
        self._box.state = opened["state"]

    @property
    def state(self) -> _State:
        """The state to show, as regd has told it last."""
        return cast(_State, self._box.state)

    async def set(self, **fields: str | None) -> _State:
        """Sets fields.

        They are email, password, passwordConfirmation, code, invitation, terms and
        displayName.
        """
        return await self._ask("form.set", fields)

    async def submit(self) -> list[FormEvent]:
        """Presses the button, and returns what is to be shown until the form rests."""
        self._box.events.clear()
        await self._ask("form.submit", {})
        return list(self._box.events)

    async def close(self) -> None:
        """Closes the form; regd forgets what was typed into it."""
        self._connection.inbox.forms.pop(self._number, None)
        with contextlib.suppress(NoAnswer, RegdError):
            params = {"form": self._number}
            await self._connection.ask("form.close", params, self._timeout)

    async def _ask(self, method: str, fields: Mapping[str, Any]) -> _State:
        params = {"form": self._number, **fields}
        result: FormStateResult = await self._connection.ask(
            method, params, self._timeout
        )
        self._box.state = result["state"]
        return cast(_State, result["state"])

    async def __aenter__(self) -> AsyncForm[_State]:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncSubscription:
    """The events since the subscription; ends with NoAnswer, or when closed."""

    def __init__(self, opening: Coroutine[Any, Any, _AsyncConnection]) -> None:
        self._opening = asyncio.ensure_future(opening)
        self._is_closed = False

    def __await__(self) -> Generator[Any, None, AsyncSubscription]:
        yield from asyncio.shield(self._opening).__await__()
        return self

    def __aiter__(self) -> AsyncSubscription:
        return self

    async def __anext__(self) -> Event:
        if self._is_closed:
            raise StopAsyncIteration
        connection = await asyncio.shield(self._opening)
        event = await connection.events.get()
        if event is not None:
            return event
        if self._is_closed:
            raise StopAsyncIteration
        await self.aclose()
        raise NoAnswer("the connection has ended")

    async def aclose(self) -> None:
        """Ends the subscription and its connection."""
        self._is_closed = True
        self._opening.cancel()
        with contextlib.suppress(NoAnswer, RegdError, asyncio.CancelledError):
            await (await self._opening).close()

    async def __aenter__(self) -> AsyncSubscription:
        return await self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


class AsyncClient:
    """Calls regd. `timeout` is in seconds, for a call with all of its attempts."""

    def __init__(
        self,
        path: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        language: str | None = None,
    ) -> None:
        self._path = _path(path)
        self._timeout = timeout
        self._language = language
        self._lock = asyncio.Lock()
        self._connection: _AsyncConnection | None = None
        # regd: begin asyncMembers
        self.rpc = AsyncRpcMethods(self._call)
        self.registration = AsyncRegistrationMethods(self._call)
        self.owner = AsyncOwnerMethods(self._call)
        # regd: end

    @overload
    async def form(
        self,
        kind: Literal["registration"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> AsyncForm[RegistrationFormState]: ...

    @overload
    async def form(
        self,
        kind: Literal["signIn"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> AsyncForm[SignInFormState]: ...

    @overload
    async def form(
        self,
        kind: Literal["recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> AsyncForm[RecoveryFormState]: ...

    async def form(
        self,
        kind: Literal["registration", "signIn", "recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> AsyncForm[Any]:
        """Opens a form."""
        connection = await self._connected(self._timeout)
        params = {"kind": kind, "origin": origin, "language": language}
        opened: FormWithState = await connection.ask("form.open", params, self._timeout)
        return AsyncForm(connection, self._timeout, opened)

    def subscribe(self) -> AsyncSubscription:
        """Subscribes to events, on a separate connection.

        Await the result before you do what the events are to tell you of.
        """
        return AsyncSubscription(self._subscribed())

    async def _subscribed(self) -> _AsyncConnection:
        connection = await self._connect(self._timeout)
        try:
            await connection.ask("events.subscribe", {}, self._timeout)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Ends the connection; a later call opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _call(
        self, method: str, params: Mapping[str, Any], timeout: float | None
    ) -> Any:
        attempts = _Attempts(
            method, params, self._timeout if timeout is None else timeout
        )
        while True:
            try:
                connection = await self._connected(attempts.left)
                return await connection.ask(method, attempts.params, attempts.left)
            except (RegdError, NoAnswer) as failure:
                pause = attempts.pause_after(failure)
            await asyncio.sleep(pause)

    async def _connected(self, timeout: float) -> _AsyncConnection:
        async with self._lock:
            if self._connection is None or not self._connection.is_open:
                self._connection = await self._connect(timeout)
            return self._connection

    async def _connect(self, timeout: float) -> _AsyncConnection:
        connection = await _AsyncConnection.open(self._path, timeout)
        if self._language is not None:
            params = {"language": self._language}
            await connection.ask("rpc.language", params, timeout)
        return connection

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
