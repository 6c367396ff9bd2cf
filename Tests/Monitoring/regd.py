"""A regd that is started, asked, broken, killed and scraped."""

import json
import os
import pathlib
import socket
import subprocess
import time
from collections.abc import Callable

FINE = "a fine phrase"
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST = 1800  # seconds of the whole run: the only time limit, and it only ends a run that hangs
END = time.monotonic() + LONGEST

Scrape = dict[str, str]  # the value of each series, or empty if the scrape failed


def left() -> float:
    seconds = END - time.monotonic()
    if seconds <= 0:
        raise TimeoutError(f"not finished after {LONGEST} s")
    return seconds


class Regd:
    def __init__(self, name: str, place: pathlib.Path, built: pathlib.Path):
        self.name, self.built = name, built
        self.place = place / name
        self.place.mkdir()
        self.socket, self.database = self.place / "regd.sock", self.place / "regd.db"
        self.config = REPOSITORY / "Config/regd.yaml"
        self.process: subprocess.Popen | None = None
        self.body = ""  # of the last scrape that succeeded

    def start(self, **settings: str) -> None:
        # the caller's own settings are for another regd
        environment = {key: value for key, value in os.environ.items() if not key.startswith("REGD_")}
        environment |= {"REGD_SOCKET_PATH": str(self.socket), "REGD_SOCKET_GROUP": "", "REGD_STORE_SQLITE_PATH": str(self.database),
                        "REGD_ACCESS_ADMIN_GROUPS": "", "REGD_ACCESS_ADMIN_UIDS": str(os.getuid()),
                        "REGD_LIMITS_REQUEST_SECONDS": str(LONGEST)} | settings
        with open(self.place / "log", "a") as log:
            self.process = subprocess.Popen([self.built / "regd", "--config", self.config], env=environment, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        while self.process.poll() is None and left():
            try:
                self.ask("rpc.ping")
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("regd does not start")

    def restart(self, **settings: str) -> None:
        self.kill()
        self.start(**settings)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        return "\n".join((self.place / "log").read_text().splitlines()[-30:])

    def scrape(self) -> Scrape:
        """With the command of regd-metrics@.service, whose standard input and output are the HTTP connection."""
        words = [self.built / "regctl", "metrics", "--http", "--timeout", str(LONGEST), "--socket", self.socket]
        with open(self.place / "log", "a") as log:
            answer = subprocess.run(words, input=b"GET /metrics HTTP/1.1\r\n\r\n", stdout=subprocess.PIPE, stderr=log, timeout=left()).stdout
        head, _, body = answer.decode().partition("\r\n\r\n")
        if not head.startswith("HTTP/1.1 200 "):
            return {}
        if "application/openmetrics-text; version=1.0.0" not in head or not body.endswith("# EOF\n"):
            raise RuntimeError(f"the answer is not OpenMetrics: {head}")
        self.body = body
        return dict(line.rsplit(" ", 1) for line in body.splitlines() if not line.startswith("#"))

    def until(self, holds: Callable[[Scrape], bool]) -> Scrape:
        """The first scrape for which the condition holds."""
        while not holds(scrape := self.scrape()):
            time.sleep(0.05)
        return scrape

    def ask(self, method: str, **params) -> dict:
        return self.ask_all([(method, params)])[0]

    def ask_all(self, calls: list[tuple[str, dict]]) -> list[dict]:
        """All at once, over one connection: the replies as they come."""
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(left())
            caller.connect(str(self.socket))
            requests = [{"jsonrpc": "2.0", "id": i, "method": method, "params": params} for i, (method, params) in enumerate(calls)]
            caller.sendall("".join(json.dumps(request) + "\n" for request in requests).encode())
            caller.shutdown(socket.SHUT_WR)
            with caller.makefile() as lines:
                return [json.loads(line) for line in lines]

    def register(self, name: str) -> dict:
        return self.ask("registration.register", **entry(name))

    def sign_in(self, name: str, password: str = FINE) -> dict:
        return self.ask("session.signIn", email=f"{name}@example.com", password=password)


def entry(name: str) -> dict:
    return {"email": f"{name}@example.com", "password": FINE, "passwordConfirmation": FINE}
