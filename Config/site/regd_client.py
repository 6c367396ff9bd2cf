"""A client of regd 0.1.0+dev, in one file and without dependencies (Python 3.11).

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
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from enum import StrEnum
from types import TracebackType
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, cast, final

VERSION = "0.1.0+dev"
DEFAULT_PATH = "/run/regd/regd.sock"
DEFAULT_TIMEOUT = 35.0
"""Seconds; longer than regd takes for a request at most (limits.requestSeconds)."""


class Reason(StrEnum):
    """Why regd refused a call; a reason never changes."""

    RPC_PARSE = "rpc.parse"
    RPC_INVALID_REQUEST = "rpc.invalidRequest"
    RPC_METHOD_NOT_FOUND = "rpc.methodNotFound"
    RPC_INVALID_PARAMS = "rpc.invalidParams"
    RPC_INTERNAL = "rpc.internal"
    SERVER_DRAINING = "server.draining"
    ACCESS_DENIED = "access.denied"
    REQUEST_TIMEOUT = "request.timeout"
    RATE_LIMITED = "rate.limited"
    REQUEST_TOO_LARGE = "request.tooLarge"
    REQUEST_TOO_DEEP = "request.tooDeep"
    RESPONSE_TOO_LARGE = "response.tooLarge"
    SERVER_BUSY = "server.busy"
    BATCH_TOO_LARGE = "batch.tooLarge"
    REQUEST_CANCELLED = "request.cancelled"
    VALIDATION_FAILED = "validation.failed"
    NETWORK_OFFLINE = "network.offline"
    NETWORK_UNAVAILABLE = "network.unavailable"
    NETWORK_TIMEOUT = "network.timeout"
    NETWORK_EMPTY_RESPONSE = "network.emptyResponse"
    NETWORK_MALFORMED_RESPONSE = "network.malformedResponse"
    NETWORK_REJECTED = "network.rejected"
    NETWORK_UNTRUSTED = "network.untrusted"
    NETWORK_FAILED = "network.failed"
    STORE_UNAVAILABLE = "store.unavailable"
    STORE_FULL = "store.full"
    STORE_READ_ONLY = "store.readOnly"
    EMAIL_TAKEN = "email.taken"
    REQUEST_CONFLICT = "request.conflict"
    REGISTRATION_CLOSED = "registration.closed"
    INVITATION_REJECTED = "invitation.rejected"
    CREDENTIALS_REJECTED = "credentials.rejected"
    ACCOUNT_DISABLED = "account.disabled"
    ACCOUNT_PENDING = "account.pending"
    ACCOUNT_WAITING = "account.waiting"
    SESSION_ENDED = "session.ended"
    FEATURE_OFF = "feature.off"
    FORM_NOT_FOUND = "form.notFound"
    CLAIM_NOT_FOUND = "claim.notFound"
    CODE_REJECTED = "code.rejected"
    ACCOUNT_NOT_FOUND = "account.notFound"
    INVITATION_NOT_FOUND = "invitation.notFound"
    MAIL_NOT_FOUND = "mail.notFound"
    CONFIGURATION_REFUSED = "configuration.refused"


class Limits(TypedDict):
    """By configuration key."""

    messageBytes: int
    depth: int
    batchItems: int
    idBytes: int
    responseBytes: int
    inFlightPerConnection: int
    inFlightPerUID: int
    connections: int
    connectionsPerUID: int
    queuedBytesPerConnection: int
    queuedBytesPerUID: int
    heldBytesPerUID: int
    stalledSeconds: int
    idleSeconds: int
    requestsPerSecondPerUID: int
    requestSeconds: int


class Backend(TypedDict):
    backend: str


class Environment(TypedDict):
    name: str
    summary: str
    gives: str


RegistrationMode = Literal["open", "invited", "closed"]


class TermsOfUse(TypedDict):
    version: str
    url: str


class RegistrationRulesPassword(TypedDict):
    minimumLength: int
    maximumLength: int
    refuseCommon: bool
    refuseResemblingEmail: bool
    refuseBreached: bool


class RegistrationRulesEmail(TypedDict):
    maximumLength: int
    internationalized: bool
    allowedDomains: NotRequired[list[str]]


class RegistrationRules(TypedDict):
    """The rules for who registers now."""

    mode: RegistrationMode
    verification: Literal["none", "required"]
    approval: Literal["none", "administrator"]
    terms: NotRequired[TermsOfUse]
    password: RegistrationRulesPassword
    email: RegistrationRulesEmail


class ServerInfo(TypedDict):
    name: Literal["regd"]
    version: str
    uptimeSeconds: int
    limits: Limits
    network: Backend
    store: Backend
    environment: NotRequired[Environment]
    registration: RegistrationRules


class RpcLanguageResult(TypedDict):
    language: str


ProblemField = Literal[
    "email",
    "password",
    "passwordConfirmation",
    "newEmail",
    "newPassword",
    "newPasswordConfirmation",
    "invitation",
    "terms",
    "domain",
]


ProblemReason = Literal[
    "email.missing",
    "email.syntax",
    "email.domain",
    "email.domainNotAllowed",
    "email.tooLong",
    "password.missing",
    "password.tooShort",
    "password.tooLong",
    "password.common",
    "password.resemblesEmail",
    "password.breached",
    "password.confirmationMissing",
    "password.mismatch",
    "invitation.missing",
    "terms.missing",
    "terms.outdated",
]


class Problem(TypedDict):
    field: ProblemField
    reason: ProblemReason
    message: str


class Validation(TypedDict):
    emailValid: bool
    passwordValid: bool
    registrationEnabled: bool
    normalizedEmail: str | None
    problems: list[Problem]


class RegistrationCheckEmailResult(TypedDict):
    available: bool


AccountState = Literal["active", "pending", "disabled", "waiting"]


class Account(TypedDict):
    id: str
    email: str
    state: AccountState
    createdAt: str
    updatedAt: str


class Claim(TypedDict):
    id: str
    email: str
    expiresAt: str
    resendAt: str
    codeDigits: NotRequired[int]


class AccountOrClaim(TypedDict):
    """The account; or, where the address is to be proven first, the claim."""

    account: NotRequired[Account]
    stamp: NotRequired[str]
    claim: NotRequired[Claim]


class RegistrationStatusResult(TypedDict):
    state: Literal["active", "pending", "waiting", "claimed", "unknown"]
    account: NotRequired[Account]


class TermsToAccept(TypedDict):
    accepted: NotRequired[str]
    current: str
    url: str


class SessionSignInResult(TypedDict):
    account: Account
    stamp: str
    terms: NotRequired[TermsToAccept]


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


class ProvenAccount(TypedDict):
    account: Account
    stamp: NotRequired[str]


class ClaimResult(TypedDict):
    claim: Claim


class StampedAccount(TypedDict):
    account: Account
    stamp: str


class AcceptedTerms(TypedDict):
    version: str
    acceptedAt: str


AuditedChange = Literal[
    "account.registered",
    "account.reserved",
    "account.resumed",
    "account.activated",
    "account.released",
    "account.imported",
    "account.disabled",
    "account.enabled",
    "account.deleted",
    "account.passwordSet",
    "account.passwordChanged",
    "account.passwordRecovered",
    "account.signedOut",
    "account.emailChanged",
    "account.rehashed",
    "account.guessed",
    "account.waiting",
    "account.approved",
    "account.refused",
    "terms.accepted",
    "invitation.created",
    "invitation.revoked",
]


class AuditEntry(TypedDict):
    event: AuditedChange
    time: str
    entry: int
    account: NotRequired[str]
    invitation: NotRequired[str]
    terms: NotRequired[str]
    email: NotRequired[str]
    uid: NotRequired[int]
    pid: NotRequired[int]
    origin: NotRequired[str]
    regd: NotRequired[str]


class OwnerExportResult(TypedDict):
    account: Account
    terms: NotRequired[AcceptedTerms]
    audit: list[AuditEntry]


ClaimKind = Literal["registration", "recovery", "changeOfEmail"]


ClaimState = Literal["open", "proven", "taken", "decoy"]


class ListedClaim(TypedDict):
    id: str
    kind: ClaimKind
    state: ClaimState
    email: str
    uid: int
    origin: NotRequired[str]
    createdAt: str
    expiresAt: str
    attempts: int


class ClaimListResult(TypedDict):
    claims: list[ListedClaim]
    next: NotRequired[str]


class AccountWithTerms(TypedDict):
    account: Account
    terms: NotRequired[AcceptedTerms]


class AccountListResult(TypedDict):
    accounts: list[Account]
    next: NotRequired[str]


class AccountRecord(TypedDict):
    """As account.export has it, with all members, and as account.import takes it."""

    email: str
    passwordHash: str
    state: NotRequired[AccountState]
    createdAt: NotRequired[str]
    id: NotRequired[str]
    terms: NotRequired[AcceptedTerms]


class AccountExportResult(TypedDict):
    records: list[AccountRecord]
    next: NotRequired[str]


class RefusedRecord(TypedDict):
    index: int
    reason: str
    message: str


class AccountImportResult(TypedDict):
    imported: int
    refused: list[RefusedRecord]


class Invitation(TypedDict):
    id: str
    email: NotRequired[str]
    domain: NotRequired[str]
    uses: int
    used: int
    held: int
    createdAt: str
    expiresAt: str
    revokedAt: NotRequired[str]
    note: NotRequired[str]
    by: int


class InvitationCreateResult(TypedDict):
    invitation: Invitation
    code: NotRequired[str]


class InvitationListResult(TypedDict):
    invitations: list[Invitation]
    next: NotRequired[str]


class InvitationResult(TypedDict):
    invitation: Invitation


class WaitingRegistration(TypedDict):
    id: str
    email: str
    since: str
    attempts: int
    reason: NotRequired[str]
    nextAttemptAt: str


class OutboxListResult(TypedDict):
    waiting: list[WaitingRegistration]
    next: NotRequired[str]


MailKind = Literal[
    "registrationCode",
    "recoveryCode",
    "changeCode",
    "registrationTried",
    "passwordChanged",
    "emailChanged",
    "invitation",
    "accountWaiting",
    "accountApproved",
    "accountRefused",
]


class WaitingMail(TypedDict):
    id: str
    to: str
    kind: MailKind
    since: str
    attempts: int
    reason: NotRequired[str]
    nextAttemptAt: str


class MailListResult(TypedDict):
    waiting: list[WaitingMail]
    next: NotRequired[str]


class EventsSubscribeResult(TypedDict):
    sequence: int


class EventsListResult(TypedDict):
    events: list[AuditEntry]
    next: NotRequired[int]


class DaemonStatusStore(TypedDict):
    backend: str
    healthy: bool
    since: str
    failure: NotRequired[str]
    path: NotRequired[str]
    damaged: NotRequired[list[str]]
    damagedRows: NotRequired[int]
    damagedAccounts: NotRequired[int]


class DaemonStatusNetwork(TypedDict):
    backend: str
    healthy: bool
    since: str
    failure: NotRequired[str]
    breaker: NotRequired[Literal["closed", "halfOpen", "open"]]


class DaemonStatusOutbox(TypedDict):
    waiting: int


class DaemonStatusRegistration(TypedDict):
    """As it was counted last; absent where nobody is invited or approved."""

    waiting: int
    invitations: int


class DaemonStatusMail(TypedDict):
    backend: str
    healthy: bool
    since: str
    failure: NotRequired[str]
    waiting: int
    sent: int
    refused: int
    outdated: int


class DaemonStatusHashing(TypedDict):
    pending: int
    workers: int
    queue: int


class DaemonStatusBreachedPasswords(TypedDict):
    active: bool
    path: str
    entries: NotRequired[int]
    falsePositiveRate: NotRequired[float]


class DaemonStatusLog(TypedDict):
    waiting: int
    dropped: int
    heldBack: int


class DaemonStatusConfigurationChanged(TypedDict):
    key: str
    value: NotRequired[str]
    shipped: NotRequired[str]
    secret: NotRequired[bool]


class DaemonStatusConfiguration(TypedDict):
    """What is in force."""

    generation: int
    file: NotRequired[str]
    loadedAt: str
    changed: list[DaemonStatusConfigurationChanged]


class DaemonStatusUser(TypedDict):
    uid: int
    connections: int
    requests: int
    inFlight: int
    queuedBytes: int


class DaemonStatusOthers(TypedDict):
    """Those together, and who has gone; absent for none."""

    users: int
    connections: int
    requests: int
    inFlight: int
    queuedBytes: int


class DaemonStatusDoor(TypedDict):
    name: str
    protocol: str
    address: str
    connections: int
    right: int
    wrong: int
    refused: int
    away: int


class DaemonStatus(TypedDict):
    version: str
    uptimeSeconds: int
    store: DaemonStatusStore
    network: DaemonStatusNetwork
    outbox: DaemonStatusOutbox
    registration: NotRequired[DaemonStatusRegistration]
    mail: DaemonStatusMail
    hashing: DaemonStatusHashing
    breachedPasswords: DaemonStatusBreachedPasswords
    log: DaemonStatusLog
    configuration: DaemonStatusConfiguration
    subscribers: int
    connections: int
    users: list[DaemonStatusUser]
    others: NotRequired[DaemonStatusOthers]
    doors: list[DaemonStatusDoor]


class Metrics(TypedDict):
    text: str


class DaemonReloadResult(TypedDict):
    generation: int
    changed: list[str]


class DaemonHoldStoreResult(TypedDict):
    hold: str
    milliseconds: int


class DaemonReleaseStoreResult(TypedDict):
    released: bool


class FormEvent(TypedDict):
    form: int
    event: Literal["activityStarted", "activityEnded", "alert", "navigate"]
    reason: NotRequired[str]
    message: NotRequired[str]
    attemptsLeft: NotRequired[int]
    to: NotRequired[Literal["welcome", "code"]]


EventName = Literal[
    "account.registered",
    "account.reserved",
    "account.resumed",
    "account.activated",
    "account.released",
    "account.imported",
    "account.disabled",
    "account.enabled",
    "account.deleted",
    "account.passwordSet",
    "account.passwordChanged",
    "account.passwordRecovered",
    "account.signedOut",
    "account.emailChanged",
    "account.rehashed",
    "account.guessed",
    "account.waiting",
    "account.approved",
    "account.refused",
    "terms.accepted",
    "invitation.created",
    "invitation.revoked",
    "store.failed",
    "store.recovered",
    "store.damaged",
    "network.failed",
    "network.recovered",
    "network.breakerOpened",
    "network.breakerClosed",
    "outbox.delivered",
    "outbox.refused",
    "outbox.delayed",
    "mail.wanted",
    "mail.sent",
    "mail.delayed",
    "mail.refused",
    "mail.failed",
    "mail.recovered",
    "daemon.reloaded",
    "events.missed",
]


Event = TypedDict(
    "Event",
    {
        "sequence": int,
        "event": EventName,
        "time": str,
        "entry": NotRequired[int],
        "account": NotRequired[str],
        "invitation": NotRequired[str],
        "terms": NotRequired[str],
        "email": NotRequired[str],
        "uid": NotRequired[int],
        "pid": NotRequired[int],
        "origin": NotRequired[str],
        "regd": NotRequired[str],
        "id": NotRequired[str],
        "to": NotRequired[str],
        "kind": NotRequired[MailKind],
        "from": NotRequired[str],
        "subject": NotRequired[str],
        "body": NotRequired[str],
        "language": NotRequired[str],
        "message": NotRequired[str],
        "missed": NotRequired[int],
    },
)


class ConfigurationProblem(TypedDict):
    place: str
    key: NotRequired[str]
    message: str


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
    "rpc.ping": "yes",
    "rpc.discover": "yes",
    "rpc.serverInfo": "yes",
    "registration.validate": "yes",
    "registration.checkEmail": "yes",
    "registration.register": "withRequestId",
    "registration.status": "yes",
    "session.signIn": "yes",
    "session.check": "yes",
    "claim.prove": "yes",
    "claim.list": "yes",
    "owner.acceptTerms": "yes",
    "account.get": "yes",
    "account.disable": "yes",
    "account.enable": "yes",
    "account.approve": "yes",
    "account.setPassword": "yes",
    "account.list": "yes",
    "account.export": "yes",
    "invitation.list": "yes",
    "invitation.revoke": "yes",
    "outbox.list": "yes",
    "mail.list": "yes",
    "events.list": "yes",
    "daemon.status": "yes",
    "daemon.metrics": "yes",
}
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


class _Attempts:
    """Decides whether a call is made again, and after how many seconds."""

    def __init__(self, method: str, params: Mapping[str, Any], timeout: float) -> None:
        self.method = method
        self.params = {
            name: value for name, value in params.items() if value is not None
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


class RpcMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def ping(
        self,
        *,
        timeout: float | None = None,
    ) -> Literal["pong"]:
        """Answers "pong"."""
        result: Literal["pong"] = self._call(
            "rpc.ping",
            {},
            timeout,
        )
        return result

    def discover(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Describes all methods, as an OpenRPC document."""
        result: dict[str, Any] = self._call(
            "rpc.discover",
            {},
            timeout,
        )
        return result

    def server_info(
        self,
        *,
        timeout: float | None = None,
    ) -> ServerInfo:
        """Says which regd this is, what it runs on and its limits."""
        result: ServerInfo = self._call(
            "rpc.serverInfo",
            {},
            timeout,
        )
        return result


class RegistrationMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def validate(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        language: str | None = None,
        invitation: str | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> Validation:
        """Says which rules an entry breaks; asks neither network nor store.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        invitation: The code of an invitation; case, spaces and hyphens do not count.
        terms: The version of the terms of use that the person accepts.
        """
        result: Validation = self._call(
            "registration.validate",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "language": language,
                "invitation": invitation,
                "terms": terms,
            },
            timeout,
        )
        return result

    def check_email(
        self,
        *,
        email: str | None = None,
        timeout: float | None = None,
    ) -> RegistrationCheckEmailResult:
        """Says whether an address could be registered now.

        email: The e-mail address as it was typed.

        Raises RegdError, for reasons of its own:
            validation.failed, network.offline, network.unavailable, network.timeout,
            network.emptyResponse, network.malformedResponse, network.rejected,
            network.untrusted, network.failed, store.unavailable, store.full,
            store.readOnly.
        """
        result: RegistrationCheckEmailResult = self._call(
            "registration.checkEmail",
            {
                "email": email,
            },
            timeout,
        )
        return result

    def register(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        request_id: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        invitation: str | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        """Registers an account; where addresses are proven first, makes a claim of one.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        request_id: What the caller's user calls this registration: asked again by the same name, it is answered again.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        invitation: The code of an invitation; case, spaces and hyphens do not count.
        terms: The version of the terms of use that the person accepts.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, request.conflict, registration.closed,
            invitation.rejected, rate.limited, server.busy, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed, store.unavailable, store.full, store.readOnly.
        """
        result: AccountOrClaim = self._call(
            "registration.register",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "requestId": request_id,
                "origin": origin,
                "language": language,
                "invitation": invitation,
                "terms": terms,
            },
            timeout,
        )
        return result

    def status(
        self,
        *,
        request_id: str,
        timeout: float | None = None,
    ) -> RegistrationStatusResult:
        """Says what has become of the registration that was asked for with this requestId.

        request_id: What the caller's user calls this registration: asked again by the same name, it is answered again.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: RegistrationStatusResult = self._call(
            "registration.status",
            {
                "requestId": request_id,
            },
            timeout,
        )
        return result


class SessionMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def sign_in(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> SessionSignInResult:
        """Says whose account an address and a password are.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: SessionSignInResult = self._call(
            "session.signIn",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def check(
        self,
        *,
        account: str,
        stamp: str,
        timeout: float | None = None,
    ) -> AccountResult:
        """Says whether an account that signed in before still may, and what it is now.

        account: The id of the account that signed in.
        stamp: The stamp that the sign-in was answered with.

        Raises RegdError, for reasons of its own:
            session.ended, store.unavailable, store.full, store.readOnly.
        """
        result: AccountResult = self._call(
            "session.check",
            {
                "account": account,
                "stamp": stamp,
            },
            timeout,
        )
        return result


class ClaimMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def prove(
        self,
        *,
        claim: str,
        code: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> ProvenAccount:
        """Proves an address by the code that was mailed to it: the account is registered, or gets the address.

        claim: The id of a claim.
        code: The code from the mail; spaces and hyphens do not count.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, code.rejected, email.taken, registration.closed,
            server.busy, network.offline, network.unavailable, network.timeout,
            network.emptyResponse, network.malformedResponse, network.rejected,
            network.untrusted, network.failed, store.unavailable, store.full,
            store.readOnly.
        """
        result: ProvenAccount = self._call(
            "claim.prove",
            {
                "claim": claim,
                "code": code,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def resend(
        self,
        *,
        claim: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> ClaimResult:
        """Mails the code of a claim again: the same while it lives, else a new one.

        claim: The id of a claim.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, email.taken, registration.closed, rate.limited,
            store.unavailable, store.full, store.readOnly.
        """
        result: ClaimResult = self._call(
            "claim.resend",
            {
                "claim": claim,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> ClaimListResult:
        """Lists claims of addresses that are still to be proven or were proven, a page at a time.

        after: The id of the last claim of the page before.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: ClaimListResult = self._call(
            "claim.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result


class RecoveryMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def start(
        self,
        *,
        email: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
    ) -> ClaimResult:
        """Mails a code by which another password can be set; answers alike whether there is such an account.

        email: The address of the account, as it was typed.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.

        Raises RegdError, for reasons of its own:
            validation.failed, feature.off, store.unavailable, store.full,
            store.readOnly.
        """
        result: ClaimResult = self._call(
            "recovery.start",
            {
                "email": email,
                "language": language,
                "origin": origin,
            },
            timeout,
        )
        return result

    def finish(
        self,
        *,
        claim: str,
        code: str,
        password: str | None = None,
        password_confirmation: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Sets another password for the owner who has the code.

        claim: The id of a claim.
        code: The code from the mail; spaces and hyphens do not count.
        password: The new password.
        password_confirmation: The new password a second time.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, code.rejected, validation.failed, rate.limited, server.busy,
            feature.off, store.unavailable, store.full, store.readOnly.
        """
        result: StampedAccount = self._call(
            "recovery.finish",
            {
                "claim": claim,
                "code": code,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result


class OwnerMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def change_password(
        self,
        *,
        email: str,
        password: str,
        new_password: str | None = None,
        new_password_confirmation: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Sets another password, which has to keep the rules for new ones.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        new_password: Another password.
        new_password_confirmation: The other password a second time.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, feature.off.
        """
        result: StampedAccount = self._call(
            "owner.changePassword",
            {
                "email": email,
                "password": password,
                "newPassword": new_password,
                "newPasswordConfirmation": new_password_confirmation,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def change_email(
        self,
        *,
        email: str,
        password: str,
        new_email: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        """Asks for another address, which is proven by claim.prove first where addresses are.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        new_email: Another address.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, email.taken, feature.off.
        """
        result: AccountOrClaim = self._call(
            "owner.changeEmail",
            {
                "email": email,
                "password": password,
                "newEmail": new_email,
                "language": language,
                "origin": origin,
            },
            timeout,
        )
        return result

    def accept_terms(
        self,
        *,
        email: str,
        password: str,
        terms: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Notes that the owner accepts the present terms of use.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        terms: The version of the terms of use.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, feature.off.
        """
        result: AccountResult = self._call(
            "owner.acceptTerms",
            {
                "email": email,
                "password": password,
                "terms": terms,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def sign_out(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Ends all sign-ins of the account; the stamp is that of those who sign in from now on.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: StampedAccount = self._call(
            "owner.signOut",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    def delete(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Deletes the account, and all that regd knows of its owner.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, feature.off.
        """
        self._call(
            "owner.delete",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )

    def export(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> OwnerExportResult:
        """Gives all that regd knows of its owner.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: OwnerExportResult = self._call(
            "owner.export",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result


class AccountMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def get(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountWithTerms:
        """Shows an account.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        result: AccountWithTerms = self._call(
            "account.get",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    def disable(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Switches an account off: it cannot sign in, and its address is not free.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting.
        """
        result: AccountResult = self._call(
            "account.disable",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    def enable(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Switches a disabled account on again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting.
        """
        result: AccountResult = self._call(
            "account.enable",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    def sign_out(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Ends all sign-ins of an account.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        result: AccountResult = self._call(
            "account.signOut",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    def approve(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Approves an account that waits; with an upstream that is asked first.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, email.taken, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed.
        """
        result: AccountResult = self._call(
            "account.approve",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    def refuse(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes an account that waits; its address is free again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        self._call(
            "account.refuse",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )

    def delete(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes an account for good; its address is free again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending.
        """
        self._call(
            "account.delete",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )

    def set_password(
        self,
        *,
        id: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Sets another password, which has to keep the rules for new ones.

        id: The account's UUID; or email.
        password: The new password.
        password_confirmation: The new password a second time.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting, server.busy.
        """
        result: AccountResult = self._call(
            "account.setPassword",
            {
                "id": id,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "email": email,
            },
            timeout,
        )
        return result

    def create(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        state: Literal["active", "disabled"] | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Makes an account; without a password nobody signs in until one is set.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        state: active, or disabled; else active.
        terms: The version of the terms of use that the person has accepted.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, server.busy, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed, store.unavailable, store.full, store.readOnly.
        """
        result: AccountResult = self._call(
            "account.create",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "state": state,
                "terms": terms,
            },
            timeout,
        )
        return result

    def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        state: Literal["active", "pending", "disabled", "waiting"] | None = None,
        timeout: float | None = None,
    ) -> AccountListResult:
        """Lists accounts in the order of their ids, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.
        state: Only accounts in this state; else in any.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountListResult = self._call(
            "account.list",
            {
                "after": after,
                "limit": limit,
                "state": state,
            },
            timeout,
        )
        return result

    def export(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AccountExportResult:
        """Lists accounts with their password hashes, as account.import takes them: for moving house.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountExportResult = self._call(
            "account.export",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    def import_(
        self,
        *,
        records: Sequence[AccountRecord],
        timeout: float | None = None,
    ) -> AccountImportResult:
        """Imports accounts with their password hashes; what cannot be imported is named, and the others are.

        records: Objects {email, passwordHash, state?, createdAt?, id?, terms?}.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountImportResult = self._call(
            "account.import",
            {
                "records": records,
            },
            timeout,
        )
        return result


class InvitationMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def create(
        self,
        *,
        email: str | None = None,
        domain: str | None = None,
        uses: int | None = None,
        expires_seconds: int | None = None,
        note: str | None = None,
        send: bool | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> InvitationCreateResult:
        """Makes an invitation, whose code is told once.

        email: The only address that it admits.
        domain: The only domain that it admits, without its subdomains.
        uses: How many accounts it admits: 1 to 100000, else 1; 1 with an email.
        expires_seconds: How long it is good: 1 to 31536000; else registration.invitationSeconds.
        note: For administrators: up to 256 bytes.
        send: Whether the code is mailed to the email, and told to nobody else.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, rate.limited, feature.off,
            store.unavailable, store.full, store.readOnly.
        """
        result: InvitationCreateResult = self._call(
            "invitation.create",
            {
                "email": email,
                "domain": domain,
                "uses": uses,
                "expiresSeconds": expires_seconds,
                "note": note,
                "send": send,
                "language": language,
            },
            timeout,
        )
        return result

    def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> InvitationListResult:
        """Lists invitations in the order of their ids, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: InvitationListResult = self._call(
            "invitation.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    def revoke(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> InvitationResult:
        """Ends an invitation, and what addresses that are yet to be proven hold of it.

        id: The invitation's UUID.

        Raises RegdError, for reasons of its own:
            invitation.notFound, store.unavailable, store.full, store.readOnly.
        """
        result: InvitationResult = self._call(
            "invitation.revoke",
            {
                "id": id,
            },
            timeout,
        )
        return result


class OutboxMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> OutboxListResult:
        """Lists registrations that wait for the upstream, in their order, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: OutboxListResult = self._call(
            "outbox.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    def retry(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Has one registration that waits tried now, or all of them; does not wait for what comes of it.

        id: The account's UUID; absent for all.

        Raises RegdError, for reasons of its own:
            account.notFound, network.offline, store.unavailable, store.full,
            store.readOnly.
        """
        self._call(
            "outbox.retry",
            {
                "id": id,
            },
            timeout,
        )

    def discard(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Gives up a registration that waits: its address is free again here. The upstream is not told, and may have it.

        id: The account's UUID.

        Raises RegdError, for reasons of its own:
            account.notFound, account.pending, store.unavailable, store.full,
            store.readOnly.
        """
        self._call(
            "outbox.discard",
            {
                "id": id,
            },
            timeout,
        )


class MailMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> MailListResult:
        """Lists mails that wait to be sent, in their order, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: MailListResult = self._call(
            "mail.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    def retry(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Has one mail that waits sent now, or all of them; does not wait for what comes of it.

        id: The mail's UUID; absent for all.

        Raises RegdError, for reasons of its own:
            mail.notFound, feature.off, store.unavailable, store.full, store.readOnly.
        """
        self._call(
            "mail.retry",
            {
                "id": id,
            },
            timeout,
        )

    def discard(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Gives up a mail that waits; one that is being handed over at that moment may arrive.

        id: The mail's UUID.

        Raises RegdError, for reasons of its own:
            mail.notFound, store.unavailable, store.full, store.readOnly.
        """
        self._call(
            "mail.discard",
            {
                "id": id,
            },
            timeout,
        )

    def sent(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Says that a mail of mail.wanted was sent: it waits no more.

        id: The mail's UUID.

        Raises RegdError, for reasons of its own:
            mail.notFound, store.unavailable, store.full, store.readOnly.
        """
        self._call(
            "mail.sent",
            {
                "id": id,
            },
            timeout,
        )


class EventsMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def list(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> EventsListResult:
        """Lists what was changed of accounts and invitations, by whom and when, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: EventsListResult = self._call(
            "events.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result


class DaemonMethods:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def status(
        self,
        *,
        timeout: float | None = None,
    ) -> DaemonStatus:
        """Says how the daemon is, and what each user takes of it."""
        result: DaemonStatus = self._call(
            "daemon.status",
            {},
            timeout,
        )
        return result

    def metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> Metrics:
        """Gives all metrics as OpenMetrics text."""
        result: Metrics = self._call(
            "daemon.metrics",
            {},
            timeout,
        )
        return result

    def reload(
        self,
        *,
        dry_run: bool | None = None,
        hold: str | None = None,
        timeout: float | None = None,
    ) -> DaemonReloadResult:
        """Reads the configuration again; it is in force, or refused, as a whole.

        dry_run: Whether only to check it and to say what would change.
        hold: As daemon.holdStore has answered it, if a move of the store ends by this: it may be another one then.

        Raises RegdError, for reasons of its own:
            configuration.refused, server.busy.
        """
        result: DaemonReloadResult = self._call(
            "daemon.reload",
            {
                "dryRun": dry_run,
                "hold": hold,
            },
            timeout,
        )
        return result

    def hold_store(
        self,
        *,
        milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> DaemonHoldStoreResult:
        """Has changes of the store wait for a second at most, and answers when those that had begun are done.

        milliseconds: How long at most, 1 to 1000, which is the default.

        Raises RegdError, for reasons of its own:
            server.busy.
        """
        result: DaemonHoldStoreResult = self._call(
            "daemon.holdStore",
            {
                "milliseconds": milliseconds,
            },
            timeout,
        )
        return result

    def release_store(
        self,
        *,
        hold: str,
        timeout: float | None = None,
    ) -> DaemonReleaseStoreResult:
        """Lets changes of the store go on; does nothing if that hold is over.

        hold: As daemon.holdStore has answered it.
        """
        result: DaemonReleaseStoreResult = self._call(
            "daemon.releaseStore",
            {
                "hold": hold,
            },
            timeout,
        )
        return result


class Form:
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
    def state(self) -> FormState:
        """What is to be shown, as regd has told it last."""
        return cast(FormState, self._box.state)

    def set(self, **fields: str | None) -> FormState:
        """Sets fields: email, password, passwordConfirmation, code, invitation, terms."""
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

    def _ask(self, method: str, fields: Mapping[str, Any]) -> FormState:
        params = {"form": self._number, **fields}
        result: FormStateResult = self._connection.ask(method, params, self._timeout)
        self._box.state = result["state"]
        return result["state"]

    def __enter__(self) -> Form:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        self.rpc = RpcMethods(self._call)
        self.registration = RegistrationMethods(self._call)
        self.session = SessionMethods(self._call)
        self.claim = ClaimMethods(self._call)
        self.recovery = RecoveryMethods(self._call)
        self.owner = OwnerMethods(self._call)
        self.account = AccountMethods(self._call)
        self.invitation = InvitationMethods(self._call)
        self.outbox = OutboxMethods(self._call)
        self.mail = MailMethods(self._call)
        self.events = EventsMethods(self._call)
        self.daemon = DaemonMethods(self._call)

    def form(
        self,
        kind: Literal["registration", "signIn", "recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> Form:
        """Opens a form."""
        connection = self._connected(self._timeout)
        params = {"kind": kind, "origin": origin, "language": language}
        opened: FormWithState = connection.ask("form.open", params, self._timeout)
        return Form(connection, self._timeout, opened)

    def subscribe(self) -> Iterator[Event]:
        """Tells what happens, on a connection of its own; ends with NoAnswer."""
        connection = self._connect(self._timeout)
        try:
            connection.ask("events.subscribe", {}, self._timeout)
            while (event := connection.events.get()) is not None:
                yield event
            raise NoAnswer("the connection has ended")
        finally:
            connection.close()

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


class AsyncRpcMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def ping(
        self,
        *,
        timeout: float | None = None,
    ) -> Literal["pong"]:
        """Answers "pong"."""
        result: Literal["pong"] = await self._call(
            "rpc.ping",
            {},
            timeout,
        )
        return result

    async def discover(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Describes all methods, as an OpenRPC document."""
        result: dict[str, Any] = await self._call(
            "rpc.discover",
            {},
            timeout,
        )
        return result

    async def server_info(
        self,
        *,
        timeout: float | None = None,
    ) -> ServerInfo:
        """Says which regd this is, what it runs on and its limits."""
        result: ServerInfo = await self._call(
            "rpc.serverInfo",
            {},
            timeout,
        )
        return result


class AsyncRegistrationMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def validate(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        language: str | None = None,
        invitation: str | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> Validation:
        """Says which rules an entry breaks; asks neither network nor store.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        invitation: The code of an invitation; case, spaces and hyphens do not count.
        terms: The version of the terms of use that the person accepts.
        """
        result: Validation = await self._call(
            "registration.validate",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "language": language,
                "invitation": invitation,
                "terms": terms,
            },
            timeout,
        )
        return result

    async def check_email(
        self,
        *,
        email: str | None = None,
        timeout: float | None = None,
    ) -> RegistrationCheckEmailResult:
        """Says whether an address could be registered now.

        email: The e-mail address as it was typed.

        Raises RegdError, for reasons of its own:
            validation.failed, network.offline, network.unavailable, network.timeout,
            network.emptyResponse, network.malformedResponse, network.rejected,
            network.untrusted, network.failed, store.unavailable, store.full,
            store.readOnly.
        """
        result: RegistrationCheckEmailResult = await self._call(
            "registration.checkEmail",
            {
                "email": email,
            },
            timeout,
        )
        return result

    async def register(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        request_id: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        invitation: str | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        """Registers an account; where addresses are proven first, makes a claim of one.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        request_id: What the caller's user calls this registration: asked again by the same name, it is answered again.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        invitation: The code of an invitation; case, spaces and hyphens do not count.
        terms: The version of the terms of use that the person accepts.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, request.conflict, registration.closed,
            invitation.rejected, rate.limited, server.busy, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed, store.unavailable, store.full, store.readOnly.
        """
        result: AccountOrClaim = await self._call(
            "registration.register",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "requestId": request_id,
                "origin": origin,
                "language": language,
                "invitation": invitation,
                "terms": terms,
            },
            timeout,
        )
        return result

    async def status(
        self,
        *,
        request_id: str,
        timeout: float | None = None,
    ) -> RegistrationStatusResult:
        """Says what has become of the registration that was asked for with this requestId.

        request_id: What the caller's user calls this registration: asked again by the same name, it is answered again.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: RegistrationStatusResult = await self._call(
            "registration.status",
            {
                "requestId": request_id,
            },
            timeout,
        )
        return result


class AsyncSessionMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def sign_in(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> SessionSignInResult:
        """Says whose account an address and a password are.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: SessionSignInResult = await self._call(
            "session.signIn",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def check(
        self,
        *,
        account: str,
        stamp: str,
        timeout: float | None = None,
    ) -> AccountResult:
        """Says whether an account that signed in before still may, and what it is now.

        account: The id of the account that signed in.
        stamp: The stamp that the sign-in was answered with.

        Raises RegdError, for reasons of its own:
            session.ended, store.unavailable, store.full, store.readOnly.
        """
        result: AccountResult = await self._call(
            "session.check",
            {
                "account": account,
                "stamp": stamp,
            },
            timeout,
        )
        return result


class AsyncClaimMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def prove(
        self,
        *,
        claim: str,
        code: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> ProvenAccount:
        """Proves an address by the code that was mailed to it: the account is registered, or gets the address.

        claim: The id of a claim.
        code: The code from the mail; spaces and hyphens do not count.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, code.rejected, email.taken, registration.closed,
            server.busy, network.offline, network.unavailable, network.timeout,
            network.emptyResponse, network.malformedResponse, network.rejected,
            network.untrusted, network.failed, store.unavailable, store.full,
            store.readOnly.
        """
        result: ProvenAccount = await self._call(
            "claim.prove",
            {
                "claim": claim,
                "code": code,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def resend(
        self,
        *,
        claim: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> ClaimResult:
        """Mails the code of a claim again: the same while it lives, else a new one.

        claim: The id of a claim.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, email.taken, registration.closed, rate.limited,
            store.unavailable, store.full, store.readOnly.
        """
        result: ClaimResult = await self._call(
            "claim.resend",
            {
                "claim": claim,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> ClaimListResult:
        """Lists claims of addresses that are still to be proven or were proven, a page at a time.

        after: The id of the last claim of the page before.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: ClaimListResult = await self._call(
            "claim.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result


class AsyncRecoveryMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def start(
        self,
        *,
        email: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
    ) -> ClaimResult:
        """Mails a code by which another password can be set; answers alike whether there is such an account.

        email: The address of the account, as it was typed.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.

        Raises RegdError, for reasons of its own:
            validation.failed, feature.off, store.unavailable, store.full,
            store.readOnly.
        """
        result: ClaimResult = await self._call(
            "recovery.start",
            {
                "email": email,
                "language": language,
                "origin": origin,
            },
            timeout,
        )
        return result

    async def finish(
        self,
        *,
        claim: str,
        code: str,
        password: str | None = None,
        password_confirmation: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Sets another password for the owner who has the code.

        claim: The id of a claim.
        code: The code from the mail; spaces and hyphens do not count.
        password: The new password.
        password_confirmation: The new password a second time.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            claim.notFound, code.rejected, validation.failed, rate.limited, server.busy,
            feature.off, store.unavailable, store.full, store.readOnly.
        """
        result: StampedAccount = await self._call(
            "recovery.finish",
            {
                "claim": claim,
                "code": code,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result


class AsyncOwnerMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def change_password(
        self,
        *,
        email: str,
        password: str,
        new_password: str | None = None,
        new_password_confirmation: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Sets another password, which has to keep the rules for new ones.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        new_password: Another password.
        new_password_confirmation: The other password a second time.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, feature.off.
        """
        result: StampedAccount = await self._call(
            "owner.changePassword",
            {
                "email": email,
                "password": password,
                "newPassword": new_password,
                "newPasswordConfirmation": new_password_confirmation,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def change_email(
        self,
        *,
        email: str,
        password: str,
        new_email: str | None = None,
        language: str | None = None,
        origin: str | None = None,
        timeout: float | None = None,
    ) -> AccountOrClaim:
        """Asks for another address, which is proven by claim.prove first where addresses are.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        new_email: Another address.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, email.taken, feature.off.
        """
        result: AccountOrClaim = await self._call(
            "owner.changeEmail",
            {
                "email": email,
                "password": password,
                "newEmail": new_email,
                "language": language,
                "origin": origin,
            },
            timeout,
        )
        return result

    async def accept_terms(
        self,
        *,
        email: str,
        password: str,
        terms: str | None = None,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Notes that the owner accepts the present terms of use.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        terms: The version of the terms of use.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, validation.failed, feature.off.
        """
        result: AccountResult = await self._call(
            "owner.acceptTerms",
            {
                "email": email,
                "password": password,
                "terms": terms,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def sign_out(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> StampedAccount:
        """Ends all sign-ins of the account; the stamp is that of those who sign in from now on.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: StampedAccount = await self._call(
            "owner.signOut",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result

    async def delete(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Deletes the account, and all that regd knows of its owner.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly, feature.off.
        """
        await self._call(
            "owner.delete",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )

    async def export(
        self,
        *,
        email: str,
        password: str,
        origin: str | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> OwnerExportResult:
        """Gives all that regd knows of its owner.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        origin: Whom the caller asks for: an address, a session, whatever tells its users apart; up to 128 bytes.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            credentials.rejected, account.disabled, account.pending, account.waiting,
            rate.limited, server.busy, network.offline, network.unavailable,
            network.timeout, network.emptyResponse, network.malformedResponse,
            network.rejected, network.untrusted, network.failed, store.unavailable,
            store.full, store.readOnly.
        """
        result: OwnerExportResult = await self._call(
            "owner.export",
            {
                "email": email,
                "password": password,
                "origin": origin,
                "language": language,
            },
            timeout,
        )
        return result


class AsyncAccountMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def get(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountWithTerms:
        """Shows an account.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        result: AccountWithTerms = await self._call(
            "account.get",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    async def disable(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Switches an account off: it cannot sign in, and its address is not free.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting.
        """
        result: AccountResult = await self._call(
            "account.disable",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    async def enable(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Switches a disabled account on again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting.
        """
        result: AccountResult = await self._call(
            "account.enable",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    async def sign_out(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Ends all sign-ins of an account.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        result: AccountResult = await self._call(
            "account.signOut",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    async def approve(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Approves an account that waits; with an upstream that is asked first.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, email.taken, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed.
        """
        result: AccountResult = await self._call(
            "account.approve",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )
        return result

    async def refuse(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes an account that waits; its address is free again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly.
        """
        await self._call(
            "account.refuse",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )

    async def delete(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes an account for good; its address is free again.

        id: The account's UUID; or email.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending.
        """
        await self._call(
            "account.delete",
            {
                "id": id,
                "email": email,
            },
            timeout,
        )

    async def set_password(
        self,
        *,
        id: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Sets another password, which has to keep the rules for new ones.

        id: The account's UUID; or email.
        password: The new password.
        password_confirmation: The new password a second time.
        email: The account's address; or id.

        Raises RegdError, for reasons of its own:
            validation.failed, account.notFound, store.unavailable, store.full,
            store.readOnly, account.pending, account.waiting, server.busy.
        """
        result: AccountResult = await self._call(
            "account.setPassword",
            {
                "id": id,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "email": email,
            },
            timeout,
        )
        return result

    async def create(
        self,
        *,
        email: str | None = None,
        password: str | None = None,
        password_confirmation: str | None = None,
        state: Literal["active", "disabled"] | None = None,
        terms: str | None = None,
        timeout: float | None = None,
    ) -> AccountResult:
        """Makes an account; without a password nobody signs in until one is set.

        email: The e-mail address as it was typed.
        password: The password as it was typed.
        password_confirmation: The password a second time.
        state: active, or disabled; else active.
        terms: The version of the terms of use that the person has accepted.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, server.busy, network.offline,
            network.unavailable, network.timeout, network.emptyResponse,
            network.malformedResponse, network.rejected, network.untrusted,
            network.failed, store.unavailable, store.full, store.readOnly.
        """
        result: AccountResult = await self._call(
            "account.create",
            {
                "email": email,
                "password": password,
                "passwordConfirmation": password_confirmation,
                "state": state,
                "terms": terms,
            },
            timeout,
        )
        return result

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        state: Literal["active", "pending", "disabled", "waiting"] | None = None,
        timeout: float | None = None,
    ) -> AccountListResult:
        """Lists accounts in the order of their ids, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.
        state: Only accounts in this state; else in any.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountListResult = await self._call(
            "account.list",
            {
                "after": after,
                "limit": limit,
                "state": state,
            },
            timeout,
        )
        return result

    async def export(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AccountExportResult:
        """Lists accounts with their password hashes, as account.import takes them: for moving house.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountExportResult = await self._call(
            "account.export",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    async def import_(
        self,
        *,
        records: Sequence[AccountRecord],
        timeout: float | None = None,
    ) -> AccountImportResult:
        """Imports accounts with their password hashes; what cannot be imported is named, and the others are.

        records: Objects {email, passwordHash, state?, createdAt?, id?, terms?}.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: AccountImportResult = await self._call(
            "account.import",
            {
                "records": records,
            },
            timeout,
        )
        return result


class AsyncInvitationMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        *,
        email: str | None = None,
        domain: str | None = None,
        uses: int | None = None,
        expires_seconds: int | None = None,
        note: str | None = None,
        send: bool | None = None,
        language: str | None = None,
        timeout: float | None = None,
    ) -> InvitationCreateResult:
        """Makes an invitation, whose code is told once.

        email: The only address that it admits.
        domain: The only domain that it admits, without its subdomains.
        uses: How many accounts it admits: 1 to 100000, else 1; 1 with an email.
        expires_seconds: How long it is good: 1 to 31536000; else registration.invitationSeconds.
        note: For administrators: up to 256 bytes.
        send: Whether the code is mailed to the email, and told to nobody else.
        language: Of the sentences for a person: BCP 47, or a list as in Accept-Language, of up to 255 bytes.

        Raises RegdError, for reasons of its own:
            validation.failed, email.taken, rate.limited, feature.off,
            store.unavailable, store.full, store.readOnly.
        """
        result: InvitationCreateResult = await self._call(
            "invitation.create",
            {
                "email": email,
                "domain": domain,
                "uses": uses,
                "expiresSeconds": expires_seconds,
                "note": note,
                "send": send,
                "language": language,
            },
            timeout,
        )
        return result

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> InvitationListResult:
        """Lists invitations in the order of their ids, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: InvitationListResult = await self._call(
            "invitation.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    async def revoke(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> InvitationResult:
        """Ends an invitation, and what addresses that are yet to be proven hold of it.

        id: The invitation's UUID.

        Raises RegdError, for reasons of its own:
            invitation.notFound, store.unavailable, store.full, store.readOnly.
        """
        result: InvitationResult = await self._call(
            "invitation.revoke",
            {
                "id": id,
            },
            timeout,
        )
        return result


class AsyncOutboxMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> OutboxListResult:
        """Lists registrations that wait for the upstream, in their order, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: OutboxListResult = await self._call(
            "outbox.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    async def retry(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Has one registration that waits tried now, or all of them; does not wait for what comes of it.

        id: The account's UUID; absent for all.

        Raises RegdError, for reasons of its own:
            account.notFound, network.offline, store.unavailable, store.full,
            store.readOnly.
        """
        await self._call(
            "outbox.retry",
            {
                "id": id,
            },
            timeout,
        )

    async def discard(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Gives up a registration that waits: its address is free again here. The upstream is not told, and may have it.

        id: The account's UUID.

        Raises RegdError, for reasons of its own:
            account.notFound, account.pending, store.unavailable, store.full,
            store.readOnly.
        """
        await self._call(
            "outbox.discard",
            {
                "id": id,
            },
            timeout,
        )


class AsyncMailMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> MailListResult:
        """Lists mails that wait to be sent, in their order, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: MailListResult = await self._call(
            "mail.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result

    async def retry(
        self,
        *,
        id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Has one mail that waits sent now, or all of them; does not wait for what comes of it.

        id: The mail's UUID; absent for all.

        Raises RegdError, for reasons of its own:
            mail.notFound, feature.off, store.unavailable, store.full, store.readOnly.
        """
        await self._call(
            "mail.retry",
            {
                "id": id,
            },
            timeout,
        )

    async def discard(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Gives up a mail that waits; one that is being handed over at that moment may arrive.

        id: The mail's UUID.

        Raises RegdError, for reasons of its own:
            mail.notFound, store.unavailable, store.full, store.readOnly.
        """
        await self._call(
            "mail.discard",
            {
                "id": id,
            },
            timeout,
        )

    async def sent(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> None:
        """Says that a mail of mail.wanted was sent: it waits no more.

        id: The mail's UUID.

        Raises RegdError, for reasons of its own:
            mail.notFound, store.unavailable, store.full, store.readOnly.
        """
        await self._call(
            "mail.sent",
            {
                "id": id,
            },
            timeout,
        )


class AsyncEventsMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> EventsListResult:
        """Lists what was changed of accounts and invitations, by whom and when, a page at a time.

        after: The "next" of the page before; absent for the first page.
        limit: How many at most: 1 to 1000; else 100.

        Raises RegdError, for reasons of its own:
            store.unavailable, store.full, store.readOnly.
        """
        result: EventsListResult = await self._call(
            "events.list",
            {
                "after": after,
                "limit": limit,
            },
            timeout,
        )
        return result


class AsyncDaemonMethods:
    def __init__(self, call: _AsyncCall) -> None:
        self._call = call

    async def status(
        self,
        *,
        timeout: float | None = None,
    ) -> DaemonStatus:
        """Says how the daemon is, and what each user takes of it."""
        result: DaemonStatus = await self._call(
            "daemon.status",
            {},
            timeout,
        )
        return result

    async def metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> Metrics:
        """Gives all metrics as OpenMetrics text."""
        result: Metrics = await self._call(
            "daemon.metrics",
            {},
            timeout,
        )
        return result

    async def reload(
        self,
        *,
        dry_run: bool | None = None,
        hold: str | None = None,
        timeout: float | None = None,
    ) -> DaemonReloadResult:
        """Reads the configuration again; it is in force, or refused, as a whole.

        dry_run: Whether only to check it and to say what would change.
        hold: As daemon.holdStore has answered it, if a move of the store ends by this: it may be another one then.

        Raises RegdError, for reasons of its own:
            configuration.refused, server.busy.
        """
        result: DaemonReloadResult = await self._call(
            "daemon.reload",
            {
                "dryRun": dry_run,
                "hold": hold,
            },
            timeout,
        )
        return result

    async def hold_store(
        self,
        *,
        milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> DaemonHoldStoreResult:
        """Has changes of the store wait for a second at most, and answers when those that had begun are done.

        milliseconds: How long at most, 1 to 1000, which is the default.

        Raises RegdError, for reasons of its own:
            server.busy.
        """
        result: DaemonHoldStoreResult = await self._call(
            "daemon.holdStore",
            {
                "milliseconds": milliseconds,
            },
            timeout,
        )
        return result

    async def release_store(
        self,
        *,
        hold: str,
        timeout: float | None = None,
    ) -> DaemonReleaseStoreResult:
        """Lets changes of the store go on; does nothing if that hold is over.

        hold: As daemon.holdStore has answered it.
        """
        result: DaemonReleaseStoreResult = await self._call(
            "daemon.releaseStore",
            {
                "hold": hold,
            },
            timeout,
        )
        return result


class AsyncForm:
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
    def state(self) -> FormState:
        """What is to be shown, as regd has told it last."""
        return cast(FormState, self._box.state)

    async def set(self, **fields: str | None) -> FormState:
        """Sets fields: email, password, passwordConfirmation, code, invitation, terms."""
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

    async def _ask(self, method: str, fields: Mapping[str, Any]) -> FormState:
        params = {"form": self._number, **fields}
        result: FormStateResult = await self._connection.ask(
            method, params, self._timeout
        )
        self._box.state = result["state"]
        return result["state"]

    async def __aenter__(self) -> AsyncForm:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


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
        self.rpc = AsyncRpcMethods(self._call)
        self.registration = AsyncRegistrationMethods(self._call)
        self.session = AsyncSessionMethods(self._call)
        self.claim = AsyncClaimMethods(self._call)
        self.recovery = AsyncRecoveryMethods(self._call)
        self.owner = AsyncOwnerMethods(self._call)
        self.account = AsyncAccountMethods(self._call)
        self.invitation = AsyncInvitationMethods(self._call)
        self.outbox = AsyncOutboxMethods(self._call)
        self.mail = AsyncMailMethods(self._call)
        self.events = AsyncEventsMethods(self._call)
        self.daemon = AsyncDaemonMethods(self._call)

    async def form(
        self,
        kind: Literal["registration", "signIn", "recovery"],
        *,
        origin: str | None = None,
        language: str | None = None,
    ) -> AsyncForm:
        """Opens a form."""
        connection = await self._connected(self._timeout)
        params = {"kind": kind, "origin": origin, "language": language}
        opened: FormWithState = await connection.ask("form.open", params, self._timeout)
        return AsyncForm(connection, self._timeout, opened)

    async def subscribe(self) -> AsyncGenerator[Event, None]:
        """Tells what happens, on a connection of its own; ends with NoAnswer."""
        connection = await self._connect(self._timeout)
        try:
            await connection.ask("events.subscribe", {}, self._timeout)
            while (event := await connection.events.get()) is not None:
                yield event
            raise NoAnswer("the connection has ended")
        finally:
            await connection.close()

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
