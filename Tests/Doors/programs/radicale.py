import http.client
import re
import ssl
import urllib.parse

from harness import wire
from harness.program import Program
from harness.regd import PEOPLE, call

CALENDAR = """<?xml version="1.0"?>
<mkcalendar xmlns="urn:ietf:params:xml:ns:caldav"><set><prop xmlns="DAV:"><displayname>Choir</displayname></prop></set></mkcalendar>"""

EVENT = "\r\n".join((
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example.org//doors//EN", "BEGIN:VEVENT", "UID:rehearsal", "DTSTAMP:20260101T000000Z",
    "DTSTART:20260102T180000Z", "SUMMARY:Rehearsal", "END:VEVENT", "END:VCALENDAR", ""))

PRINCIPAL = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>'


class Radicale(Program):
    """Radicale behind nginx: calendars for the members of a group."""

    name = "radicale"
    title = "Radicale, nginx's auth_request"
    folder = "radicale"
    packages = ["radicale", "nginx-light"]
    right, wrong, refused, away = "207", "401", "403", "503"
    origin = True

    def prepare(self, stage):
        stage.user("www-data")
        stage.user("radicale", home="/var/lib/radicale")

    def start(self, stage):
        stage.directory("/var/lib/radicale/collections", 0o750, "radicale", "radicale")
        for path in ("/var/lib/nginx", "/var/log/nginx", "/etc/nginx/sites-enabled"):
            stage.directory(path)
        stage.place("config", "/etc/radicale/config")
        stage.place("nginx.conf", "/etc/nginx/sites-enabled/radicale")
        # the example's own commands make the certificates
        stage.run("sh", "-euc", "\n".join(re.findall(r"^#     (.*)$", (stage.examples / "config").read_text(), re.MULTILINE)))
        stage.spawn("radicale", user="radicale")
        stage.spawn("nginx", "-g", "daemon off;")
        stage.port(5232)
        stage.port(80)
        self.guard_calendars()
        self.guard_port()

    def guard_calendars(self):
        """Makes a calendar with an event as somebody outside the group, as a member, and as a former member."""
        home = f"/{urllib.parse.quote(self.login)}/"
        calendar = home + "choir/"
        event = calendar + "rehearsal.ics"
        said = [self.ask("PROPFIND", "/", "not " + self.password, PRINCIPAL), self.ask("MKCALENDAR", calendar, self.password, CALENDAR)]
        call("account.addGroups", email=self.login, groups=["calendar"])
        said += [self.ask("MKCALENDAR", calendar, self.password, CALENDAR), self.ask("PUT", event, self.password, EVENT),
                 self.ask("GET", event, self.password), self.ask("PROPFIND", f"/{PEOPLE['disabled']}/", self.password, PRINCIPAL)]
        call("account.removeGroups", email=self.login, groups=["calendar"])
        said.append(self.ask("GET", event, self.password))
        call("account.addGroups", email=self.login, groups=["calendar"])
        said.append(self.ask("GET", event, self.password))
        # the first 403 and the last come from regd, and the one for the calendars of another from Radicale
        if said != ["401", "403", "201", "201", "200", "403", "403", "200"]:
            raise ValueError(f"the calendars of a group: {said}")

    def guard_port(self):
        """Asks Radicale without nginx, as any local user can."""
        connection = http.client.HTTPSConnection("127.0.0.1", 5232, timeout=wire.PATIENCE, context=ssl._create_unverified_context())
        try:
            connection.request("PROPFIND", "/", headers={"X-Remote-User": self.login})
            raise ValueError(f"Radicale answers a local user: {connection.getresponse().status}")
        except (ssl.SSLError, ConnectionError):
            pass
        finally:
            connection.close()

    def attempt(self, login, password):
        return self.ask("PROPFIND", "/", password, PRINCIPAL, login)

    @wire.answered
    def ask(self, method: str, path: str, password: str, body: str = "", login: str = "") -> str:
        """A request of CalDAV by a client that tries to pass for another: the status, and the user that Radicale takes it for."""
        login, other = login or self.login, PEOPLE["disabled"]
        connection = http.client.HTTPConnection("127.0.0.1", 80, timeout=wire.PATIENCE, source_address=wire.address())
        headers = {"Host": "calendar.example.org", "Authorization": "Basic " + wire.encoded(f"{login}:{password}"), "Depth": "0",
                   "X-Remote-User": other, "X_Remote_User": other, "Remote-User": other, "X-Script-Name": "/elsewhere"}
        try:
            connection.request(method, path, body=body.encode(), headers=headers)
            answer = connection.getresponse()
            text = urllib.parse.unquote(answer.read().decode())
            if answer.status == 207 and f"<href>/{self.login}/</href>" not in text:
                return f"207 as {text}"
            if answer.status == 503 and not answer.getheader("Retry-After"):
                return "503 without Retry-After"
            return str(answer.status)
        finally:
            connection.close()
