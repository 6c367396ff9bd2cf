"""Each way to break a regd that a rule is for: begin starts it, breaks breaks it, and step, which is called again and again, loads it."""

import itertools
import sqlite3

from regd import FINE, REPOSITORY, Regd, entry


class Outage:
    rule: str | None = None
    settings: dict[str, str] = {}

    def __init__(self, regd: Regd):
        self.regd = regd
        self.numbers = itertools.count()

    def begin(self) -> None:
        self.regd.start(**self.settings)
        self.load()

    def breaks(self) -> None:
        pass

    def step(self, prometheus) -> None:
        self.load()

    def load(self) -> None:
        """Somebody registers and signs in, or comes back if the registration was refused; one in twenty mistypes."""
        number = next(self.numbers)
        name = f"person-{number}"
        # who was refused does not try the password: a fast machine would make a guesser of that, by the rate of RegdGuessing
        registered = "result" in self.regd.register(name)
        self.regd.sign_in(name if registered else "person-0")
        self.regd.ask("registration.checkEmail", email=f"{name}@example.com")
        if number % 20 == 0:
            self.regd.sign_in(name, "not this one")


class Healthy(Outage):
    """With all parts that there are, so that the dashboard has something to show of each."""

    settings = {"REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept", "REGD_MAIL_BACKEND": "file",
                "REGD_MAIL_FROM": "regd@example.com"}

    def begin(self) -> None:
        config = self.regd.place / "regd.yaml"
        door = f"doors: {{mail: {{protocol: saslauthd, path: {self.regd.place}/mux}}}}"
        config.write_text(self.regd.config.read_text().replace("doors: {}", door))
        self.regd.config = config
        self.settings = self.settings | {"REGD_MAIL_FILE_DIRECTORY": str(self.regd.place / "mails"),
                                         "REGD_MESSAGES_DIRECTORY": str(REPOSITORY / "Config/messages")}
        (self.regd.place / "mails").mkdir()
        super().begin()

    def load(self) -> None:
        super().load()
        self.regd.ask("recovery.start", email="person-0@example.com")


class Down(Outage):
    rule = "RegdDown"

    def breaks(self) -> None:
        self.regd.kill()

    def step(self, prometheus) -> None:
        pass


class Restarts(Outage):
    rule = "RegdRestarts"

    def step(self, prometheus) -> None:
        if prometheus.value('regd_uptime_seconds{instance="restarts"}') >= 2 and prometheus.value('resets(regd_uptime_seconds{instance="restarts"}[10m])') < 4:
            self.regd.kill()
            self.regd.start()
        self.load()


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


class Upstream(Outage):
    rule = "RegdUpstreamFails"
    settings = {"REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept"}

    def breaks(self) -> None:
        self.regd.kill()
        self.regd.start(REGD_NETWORK_BACKEND="offline")


class Outbox(Outage):
    """Registrations were deferred, and then the configuration loses the upstream."""

    rule = "RegdOutboxStuck"

    def breaks(self) -> None:
        self.regd.kill()
        self.regd.start(REGD_NETWORK_BACKEND="offline", REGD_NETWORK_WHEN_UNREACHABLE="defer")
        self.regd.register("deferred")
        self.regd.kill()
        self.regd.start()


class Mail(Outage):
    rule = "RegdMailFails"
    settings = {"REGD_MAIL_BACKEND": "scripted", "REGD_MAIL_SCRIPTED_SEND": "accept", "REGD_MAIL_FROM": "regd@example.com"}
    broken = {"REGD_MAIL_BACKEND": "offline"}

    def breaks(self) -> None:
        self.regd.kill()
        self.regd.start(**self.settings | self.broken)

    def load(self) -> None:
        super().load()
        self.regd.ask("recovery.start", email="person-0@example.com")
        self.regd.ask("recovery.start", email=f"person-{next(self.numbers)}@example.com")


class Refused(Mail):
    rule = "RegdMailsRefused"
    broken = {"REGD_MAIL_SCRIPTED_SEND": "reject"}


class Busy(Outage):
    """More passwords at once than one thread and a queue of one can have."""

    rule = "RegdBusy"
    settings = {"REGD_HASHING_WORKERS": "1", "REGD_HASHING_QUEUE": "1"}

    def step(self, prometheus) -> None:
        self.regd.ask_all([("registration.register", entry(f"crowd-{next(self.numbers)}")) for _ in range(30)])


class Guessing(Outage):
    rule = "RegdGuessing"

    def step(self, prometheus) -> None:
        guesses = [{"email": "person-0@example.com", "password": f"{FINE} {next(self.numbers)}"} for _ in range(20)]
        self.regd.ask_all([("session.signIn", guess) for guess in guesses])


ALL = [Healthy, Down, Restarts, Store, Damaged, Upstream, Outbox, Mail, Refused, Busy, Guessing]
