"""A regd that is started, asked, broken, killed; and its metrics on a port, as regd-metrics.socket has them."""

import json
import os
import pathlib
import socket
import subprocess
import time

FINE = "a fine phrase"
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent


class Regd:
    def __init__(self, name: str, number: int, place: pathlib.Path, built: pathlib.Path):
        self.name, self.port, self.built = name, 9957 + number, built
        self.place = place / name
        self.place.mkdir()
        self.socket, self.database = self.place / "regd.sock", self.place / "regd.db"
        self.config = REPOSITORY / "Config/regd.yaml"
        self.process = None
        words = ["systemd-socket-activate", "--accept", "--inetd", "-l", f"127.0.0.1:{self.port}"]
        words += [built / "regctl", "metrics", "--http", "--timeout", "4", "--socket", self.socket]
        with open(self.place / "scrapes.log", "w") as log:
            self.scraper = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self, **settings: str) -> None:
        # the caller's own settings are for another regd
        environment = {key: value for key, value in os.environ.items() if not key.startswith("REGD_")}
        environment |= {"REGD_SOCKET_PATH": str(self.socket), "REGD_SOCKET_GROUP": "", "REGD_STORE_SQLITE_PATH": str(self.database),
                        "REGD_ACCESS_ADMIN_GROUPS": ""} | settings
        with open(self.place / "regd.log", "a") as log:
            self.process = subprocess.Popen([self.built / "regd", "--config", self.config], env=environment, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        for _ in range(600):
            try:
                self.ask("rpc.ping")
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not answer:\n{self.log()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        for process in (self.process, self.scraper):
            if process:
                process.kill()
                process.wait()

    def log(self) -> str:
        return "".join((self.place / name).read_text() for name in ("regd.log", "scrapes.log") if (self.place / name).exists())

    def ask(self, method: str, **params) -> dict:
        return self.ask_all([(method, params)])[0]

    def ask_all(self, calls: list[tuple[str, dict]]) -> list[dict]:
        """All at once, over one connection: the replies as they come."""
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(120)
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
