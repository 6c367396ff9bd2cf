"""Each way to break a regd that a rule is for. Time is simulated: each scrape counts as one minute, however long it takes."""

import itertools
import sqlite3

from regd import FINE, REPOSITORY, Regd, Scrape, entry

BROKEN = 10  # the first minute in which the regd is broken
MINUTES = BROKEN + 36  # of the whole outage: RegdOutboxStuck fires after 30 minutes


class Outage:
    rule: str | None = None
    settings: dict[str, str] = {}

    def __init__(self, regd: Regd):
        self.regd = regd
        self.numbers = itertools.count()
        self.last = ""  # the address that registered last
        self.scrapes: list[Scrape] = []

    def play(self) -> None:
        self.begin()
        while len(self.scrapes) < BROKEN:
            self.load()
            self.scrape()
        self.breaks()
        while len(self.scrapes) < MINUTES:
            self.step()
            self.scrape()

    def begin(self) -> None:
        self.regd.start(**self.settings)

    def breaks(self) -> None:
        pass

    def step(self) -> None:
        """The load of a minute after the break."""
        self.load()

    def load(self) -> None:
        """Each minute, the person who registered last asks for a recovery code. In every fifth minute, somebody registers and signs in, or
        the last person signs in again if the registration fails. In every twentieth, somebody mistypes."""
        number = next(self.numbers)
        name = f"person-{number}"
        if number % 5 == 0:
            if "result" in self.regd.register(name):
                self.last = name
            self.regd.sign_in(self.last)
        if number % 20 == 0:
            self.regd.sign_in(name, "not this one")
        self.regd.ask("registration.checkEmail", email=f"{name}@example.com")
        self.regd.ask("recovery.start", email=f"{self.last}@example.com")

    def scrape(self) -> None:
        """Waits until each email has been sent or refused, or the mail system has failed."""
        self.scrapes.append(self.regd.until(
            lambda now: not now or now["regd_mails_waiting"] == "0" or now.get('regd_healthy{part="mail"}') == "0"))


class Healthy(Outage):
    """With all parts that there are, so that the dashboard has something to show of each."""

    settings = {"REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept", "REGD_MAIL_BACKEND": "file",
                "REGD_MAIL_FROM": "regd@example.com"}

    def begin(self) -> None:
        config = self.regd.place / "regd.yaml"
        door = f"doors: {{mail: {{protocol: saslauthd, path: {self.regd.place}/mux}}}}"
        config.write_text(self.regd.config.read_text().replace("doors: {}", door))
        self.regd.config = config
        (self.regd.place / "mails").mkdir()
        self.regd.start(**self.settings, REGD_MAIL_FILE_DIRECTORY=str(self.regd.place / "mails"),
                        REGD_MESSAGES_DIRECTORY=str(REPOSITORY / "Config/messages"))


class Down(Outage):
    rule = "RegdDown"

    def breaks(self) -> None:
        self.regd.kill()

    def step(self) -> None:
        pass


class Restarts(Outage):
    """Killed and started until the uptime, in whole seconds, has gone down three times from one scrape to the next."""

    rule = "RegdRestarts"

    def breaks(self) -> None:
        seconds, end = 1, len(self.scrapes) + 6
        while len(self.scrapes) < end:
            before = self.regd.until(lambda now: uptime(now) >= seconds)
            self.regd.restart()
            after = self.regd.scrape()
            if uptime(after) < uptime(before):
                self.scrapes += [before, after]
            else:
                seconds *= 2  # the restart took longer


class Store(Outage):
    """The database is moved away while regd runs."""

    rule = "RegdStoreFails"

    def breaks(self) -> None:
        self.regd.database.rename(self.regd.place / "elsewhere.db")


class Damaged(Outage):
    """A row is edited by hand."""

    rule = "RegdStoreDamaged"

    def breaks(self) -> None:
        self.regd.kill()
        with sqlite3.connect(self.regd.database) as database:
            database.execute("UPDATE account SET created_at = 'yesterday' WHERE email LIKE 'person-0@%'")
        database.close()
        self.regd.start()
        self.regd.ask("account.list")


class Background(Outage):
    """Another program reads the database all the time, so that a sweep cannot erase what was deleted."""

    rule = "RegdBackgroundFails"

    def breaks(self) -> None:
        self.reader = sqlite3.connect(self.regd.database, isolation_level=None, check_same_thread=False)
        self.reader.execute("BEGIN")
        self.reader.execute("SELECT count(*) FROM account").fetchall()
        if "result" not in (answer := self.regd.ask("account.delete", email=f"{self.last}@example.com")):
            raise RuntimeError(f"nothing is deleted: {answer}")
        self.regd.until(lambda now: now["regd_failing_tasks"] == "1")


class Upstream(Outage):
    rule = "RegdUpstreamFails"
    settings = {"REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept"}

    def breaks(self) -> None:
        self.regd.restart(REGD_NETWORK_BACKEND="offline")


class Outbox(Outage):
    """Registrations were deferred, and then the configuration loses the upstream."""

    rule = "RegdOutboxStuck"

    def breaks(self) -> None:
        self.regd.restart(REGD_NETWORK_BACKEND="offline", REGD_NETWORK_WHEN_UNREACHABLE="defer")
        self.regd.register("deferred")
        self.regd.restart()


class Mail(Outage):
    rule = "RegdMailFails"
    settings = {"REGD_MAIL_BACKEND": "scripted", "REGD_MAIL_SCRIPTED_SEND": "accept", "REGD_MAIL_FROM": "regd@example.com"}
    broken = {"REGD_MAIL_BACKEND": "offline"}

    def breaks(self) -> None:
        self.regd.restart(**self.settings | self.broken)


class Refused(Mail):
    rule = "RegdMailsRefused"
    broken = {"REGD_MAIL_SCRIPTED_SEND": "reject"}


class Busy(Outage):
    """More passwords at once than fit one thread and a queue of one."""

    rule = "RegdBusy"
    settings = {"REGD_HASHING_WORKERS": "1", "REGD_HASHING_QUEUE": "1"}

    def step(self) -> None:
        replies = ""
        while "server.busy" not in replies:  # regd may have hashed faster than it read
            replies = str(self.regd.ask_all([("registration.register", entry(f"crowd-{next(self.numbers)}")) for _ in range(30)]))


class Guessing(Outage):
    rule = "RegdGuessing"

    def step(self) -> None:
        guesses = [{"email": "person-0@example.com", "password": f"{FINE} {next(self.numbers)}"} for _ in range(100)]
        self.regd.ask_all([("session.signIn", guess) for guess in guesses])


def uptime(now: Scrape) -> float:
    return float(now["regd_uptime_seconds"])


ALL = [Healthy, Down, Restarts, Store, Damaged, Background, Upstream, Outbox, Mail, Refused, Busy, Guessing]
