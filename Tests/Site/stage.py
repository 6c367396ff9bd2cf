"""A regd (REGD names another one than was built last), the site in front of it, and the mails that go out: real ones, in a directory
that is gone afterwards.
"""

import contextlib
import email
import email.policy
import html
import http.client
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = pathlib.Path(os.environ.get("SITE", ROOT / "Config/site"))
REGD = os.environ.get("REGD", str(ROOT / ".build/debug/regd"))
sys.dont_write_bytecode = True  # leaves no files next to the sources
# the client with which the site calls regd, as `start` makes it
CLIENT = tempfile.TemporaryDirectory()
with open(f"{CLIENT.name}/regd_client.py", "wb") as file:
    subprocess.run([f"{os.path.dirname(REGD)}/regctl", "client", "python"], stdout=file, check=True)
os.environ["PYTHONPATH"] = CLIENT.name
sys.path.insert(0, CLIENT.name)
PATIENCE = int(os.environ.get("PATIENCE", "300"))  # seconds, which only end a test that hangs
PROGRAMS = {"python": ["python3", "-B", str(SITE / "server.py")], "node": ["node", str(SITE / "node/sign-up.js")]}


def until(reached, sentence: str):
    """Waits for a fact that nobody announces."""
    end = time.monotonic() + PATIENCE
    while not (found := reached()):
        if time.monotonic() > end:
            raise AssertionError(f"never: {sentence}")
        select.select([], [], [], 0.05)
    return found


class Stage(contextlib.ExitStack):
    def __init__(self, program: str = "python", port: int = 0, **settings: str):
        super().__init__()
        self.place = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory()))
        self.mails, self.program = self.place / "mails", PROGRAMS[program]
        self.mails.mkdir()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("REGD_", "SITE"))}
        self.environment = inherited | {
            "REGD_SOCKET_PATH": str(self.place / "regd.sock"), "REGD_SOCKET_GROUP": "", "REGD_ACCESS_ADMIN_GROUPS": "",
            "REGD_ACCESS_ADMIN_UIDS": str(os.getuid()), "REGD_STORE_SQLITE_PATH": str(self.place / "regd.db"),
            "REGD_MAIL_BACKEND": "file", "REGD_MAIL_FROM": "noreply@example.com", "REGD_MAIL_FILE_DIRECTORY": str(self.mails),
            "REGD_REGISTRATION_VERIFICATION": "required", "PORT": "0", "STATE_DIRECTORY": str(self.place), "SITE_BEHIND_PROXY": "yes",
        }  # fmt: skip
        self.regd = None
        self.start_regd(**settings)
        self.site, self.port = None, port
        self.start_site()

    def spawn(self, command: list[str], mark: str, file: str, **variables: str) -> tuple[subprocess.Popen, str]:
        """Starts a program, and is back when a line of what it prints begins with the mark, or has it."""
        log = self.place / file
        with open(log, "w") as output:
            process = subprocess.Popen(command, env=self.environment | variables, stdout=output, stderr=output)
        self.callback(lambda: (process.kill(), process.wait()))

        def line():
            if process.poll() is not None:
                raise AssertionError(f"{command[0]} ended: {log.read_text()}")
            return next((one for one in log.read_text().splitlines(True) if mark in one and one.endswith("\n")), None)

        return process, until(line, f"{command} says {mark}")

    def start_regd(self, **settings: str):
        """Ends the regd that there is, and starts one with other settings on the same database."""
        self.end_regd()
        names = {f"REGD_{name.upper()}": value for name, value in settings.items()}
        config = ["--config", str(ROOT / "Config/regd.yaml")]
        self.regd, _ = self.spawn([REGD, *config], "Serving", "regd.log", **names)

    def end_regd(self):
        if self.regd:
            self.regd.kill()
            self.regd.wait()

    def start_site(self, **variables: str):
        if self.site:
            self.site.kill()
            self.site.wait()
        if self.port:
            variables["PORT"] = str(self.port)
        self.site, line = self.spawn(self.program, "http://localhost:", "site.log", **variables)
        self.url = re.search(r"http://localhost:\d+", line)[0]
        self.port = int(self.url.rpartition(":")[2])

    def call(self, method: str, **params):
        """Asks regd itself, as an administrator."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self.place / "regd.sock"))
            connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
            answer = json.loads(connection.makefile().readline())
        assert "result" in answer, answer
        return answer["result"]

    def mailed(self, address: str) -> list[str]:
        """What has been mailed to an address, the oldest first."""
        texts = []
        for file in sorted(self.mails.glob("*.eml"), key=lambda file: (file.stat().st_mtime_ns, file.name)):
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            if message["To"] == address:
                texts.append(message.get_content())
        return texts

    def code(self, address: str, mails: int = 1) -> str:
        """The newest code for an address that has got so many codes."""

        def newest():
            found = [code[1] for text in self.mailed(address) if (code := re.search(r"^ +(\d{6,12})\s*$", text, re.M))]
            return found[-1] if len(found) >= mails else None

        return until(newest, f"{mails} codes for {address}")

    def account(self, address: str, password: str = "a fine phrase"):
        fields = {"email": address, "password": password, "passwordConfirmation": password}
        return self.call("account.create", **fields)["account"]


class Visitor:
    """A browser without scripts: it keeps cookies, and sends the forms that it was shown."""

    def __init__(self, stage: Stage, address: str = "192.0.2.1", language: str = "en"):
        self.stage, self.cookies, self.fields, self.page = stage, {}, {}, ""
        self.headers = {"X-Real-IP": address, "Accept-Language": language}

    def get(self, path: str) -> int:
        return self.ask("GET", path)

    def post(self, path: str, follow: bool = True, **fields: str) -> int:
        """Sends the page's hidden fields with these; where the answer is another page, as most browsers, goes there."""
        self.ask("POST", path, urllib.parse.urlencode({**self.fields, **fields}))
        return self.get(self.location) if follow and self.location else self.status

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> int:
        connection = http.client.HTTPConnection("localhost", self.stage.port, timeout=PATIENCE)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        connection.request(method, path, body, self.headers | kind | {"Cookie": cookies} | headers)
        answer = connection.getresponse()
        self.status, self.head, self.page = answer.status, answer.headers, answer.read().decode()
        connection.close()
        self.location = answer.headers["Location"]
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if "<main" in self.page:
            found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.page)
            self.fields = {name: html.unescape(value) for name, value in found}
        return self.status

    @property
    def text(self) -> str:
        """What a person reads on the page."""
        main = self.page[self.page.find("<main") : self.page.find("</main")]
        return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main))).strip()

    def sign_up(self, address: str, password: str = "a fine phrase", **also: str) -> int:
        self.get("/sign-up")
        return self.post("/sign-up", email=address, password=password, passwordConfirmation=password, **also)

    def sign_in(self, address: str, password: str = "a fine phrase") -> int:
        self.get("/sign-in")
        return self.post("/sign-in", email=address, password=password)

    def own(self, do: str, password: str = "a fine phrase", **fields: str) -> int:
        """Does something with the account, on its page."""
        self.get("/account")
        return self.post("/account", do=do, password=password, **fields)
