"""A web server with an application behind it, and a client of both."""

import http.client
import http.server
import itertools
import threading

from harness import wire
from harness.program import Program
from harness.regd import call

PORT = 3000
ABOUT = ("Remote-Email", "Remote-Groups", "Remote-Name")  # what the application is told besides who is asking


class Seen(http.server.BaseHTTPRequestHandler):
    """Answers who it was told is asking, and whether it was shown a password; with 500 on /broken."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        names = ("Remote-User", *ABOUT, "Forwarded", "X-Real-IP", "Authorization", "Proxy-Authorization")
        text = "\n".join(f"{name}: {self.headers.get(name) or ''}" for name in names).encode()
        self.send_response(500 if self.path.endswith("/broken") else 200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class WebServer(Program):
    """A program that lets requests for the application pass, or not. Subclasses configure and start it."""

    port = 80
    scheme = "Authorization"
    told = "Remote-User: {}\n"  # how the application receives the name of the user
    logs: list[str] = []  # the application's own log files
    as_typed = False  # whether that name is the typed one, and not the account's own address
    tells_origins = False  # whether regd receives the client's address
    tells_groups = False  # whether the application receives the account's groups and display name
    has_staff = False  # whether the pages below /staff/ are for members of the group staff only
    text = ""  # the application's last answer
    claims = itertools.cycle(range(1, 255))
    right = "200"

    def serve(self, stage):
        raise NotImplementedError

    def start(self, stage):
        self.stage = stage
        application = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Seen)
        threading.Thread(target=application.serve_forever, daemon=True).start()
        self.serve(stage)
        stage.port(self.port)
        # output of the application itself must not be taken for regd's
        if (said := self.get("/broken", self.login, self.password)) != "500":
            raise ValueError(f"the application's 500 is told as {said}")
        if self.has_staff:
            self.guard_pages()
        if self.tells_groups:
            self.tell_groups()
        # a client that claims another address with each guess is also slowed down
        if self.tells_origins and self.away not in [self.get("/", "guessed@example.org", f"not this {number}") for number in range(12)]:
            raise ValueError("a client says itself who is asking")

    def guard_pages(self):
        """Asks for a page of a group as somebody outside it, as a member, and as a former member."""
        said = [self.get("/staff/x", self.login, "not " + self.password), self.get("/staff/x", self.login, self.password)]
        for method in ("account.addGroups", "account.removeGroups"):
            call(method, email=self.login, groups=["staff"])
            said.append(self.get("/staff/x", self.login, self.password))
        if said != [self.wrong, "403", self.right, "403"]:
            raise ValueError(f"the pages of a group: {said}")

    def tell_groups(self):
        """Looks at what the application is told about an account without groups and name, and with both."""
        told = [self.about()]
        call("account.addGroups", email=self.login, groups=["staff", "admins"])
        call("account.setDisplayName", email=self.login, displayName="Anna \u00d6")
        told.append(self.about())
        if told != [[self.login, "", ""], [self.login, "admins,staff", "Anna%20%C3%96"]]:
            raise ValueError(f"the application is told {told}")

    def about(self) -> list[str]:
        if (status := self.get("/", self.login, self.password)) != self.right:
            return [status]
        told = dict(line.split(": ", 1) for line in self.text.splitlines())
        return [told.get(name, "nothing") for name in ABOUT]

    def stop(self):
        for path in self.logs:
            self.stage.log(f"{path}:\n{open(path, errors='replace').read()}")

    def attempt(self, login, password):
        return self.get("/", login, password)

    @wire.answered
    def get(self, path: str, login: str, password: str) -> str:
        """GET with Basic, as a client who tries to pass for another: the status, and what the application should not have been told."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=wire.PATIENCE)
        claimed = f"192.0.2.{next(self.claims)}"
        headers = {self.scheme: "Basic " + wire.encoded(f"{login}:{password}"), "Remote-User": "root", "Forwarded": 'remote_user="root"',
                   "X-Real-IP": claimed, "X-Forwarded-For": claimed, **dict.fromkeys(ABOUT, "root")}
        try:
            connection.request("GET", path if self.scheme == "Authorization" else f"http://127.0.0.1:{PORT}{path}", headers=headers)
            answer = connection.getresponse()
            self.text = text = answer.read().decode()
            if answer.status == 200 and self.told.format(login if self.as_typed else login.lower()) not in text:
                return f"200 as {text.splitlines()[:2]}"
            if answer.status == 200 and "Basic" in text:
                return "200, with the password"
            if answer.status == 503 and not answer.getheader("Retry-After"):
                return "503 without Retry-After"
            return str(answer.status)
        finally:
            connection.close()
