import itertools

from harness.program import Program
from programs import _xmpp


class Ejabberd(Program):
    name = "ejabberd"
    title = "ejabberd, regctl helper ejabberd"
    folder = "ejabberd"
    packages = ["ejabberd", "openssl"]
    right, wrong, away = "success", "not-authorized", "not-authorized"
    mute = "ejabberd says not-authorized for db_failure too; its log tells them apart"

    def prepare(self, stage):
        stage.user("ejabberd", home="/var/lib/ejabberd", groups=["ssl-cert"])

    def start(self, stage):
        stage.certificate()
        stage.directory("/var/lib/ejabberd", 0o700, "ejabberd", "ejabberd")
        stage.directory("/var/log/ejabberd", 0o750, "ejabberd", "ejabberd")
        # here one client registers many accounts
        stage.place("ejabberd.yml", "/etc/ejabberd/ejabberd.yml", 0o600, "ejabberd:ejabberd",
                    replace={"registration_timeout: 600": "registration_timeout: infinity"})
        stage.spawn("ejabberdctl", "foreground", user="ejabberd", env={"HOME": "/var/lib/ejabberd"})
        stage.port(5222)

    def attempt(self, login, password):
        return _xmpp.sign_in(5222, login, password)


class EjabberdRegisters(Ejabberd):
    """In place of a right password a new person registers over XMPP and signs in; in place of others, one that regd refuses."""

    name = "ejabberd-registers"
    title = "ejabberd, registering over XMPP"
    right, wrong, away = "registered", ("conflict", "not-allowed"), ("internal-server-error", "conflict")
    mute = "that an address is taken or a password too short regd knows without its upstream, and says so"
    skip = {"late": "the upstream is late with sign-ins alone", "works/typed": "the address is taken, however it is typed",
            "restarted": "it registers and then signs in, which is mute",
            "crashed": "it registers and then signs in, which is mute"}
    numbers = itertools.count(1)

    def attempt(self, login, password):
        if login == self.login and password == self.password:
            login = f"new{next(self.numbers)}@example.org"
        elif login.startswith("nobody"):
            password = "short"
        said = _xmpp.register(5222, login, password)
        if said == "result" and (signed := _xmpp.sign_in(5222, login, password)) != "success":
            return f"registered, but {signed}"
        return "registered" if said == "result" else said
