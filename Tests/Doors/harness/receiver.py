"""A mail server of Debian that regd sends to, and what regd must tell of each of its answers."""

import importlib
import pathlib
from typing import NamedTuple

LOOPBACK = "smtp://127.0.0.1:25"
# by STARTTLS, with the machine's own certificate as the only authority
SECURE = {"REGD_MAIL_SMTP_URL": "smtp://mail.example.org:25", "REGD_MAIL_SMTP_CA_FILE": "/etc/ssl/certs/ssl-cert-snakeoil.pem"}
USER = {"REGD_MAIL_SMTP_USER": "regd", "REGD_MAIL_SMTP_PASSWORD": "a long: password"}


class Case(NamedTuple):
    """One way of the server, and what becomes of eight mails to eight addresses."""

    name: str
    outcome: str  # sent, refused, deferred, or recipient: refused because of the addresses, which is not an outage
    begins: str = ""  # how the server's words begin
    variables: dict[str, str] = {}  # of regd
    settings: object = None  # of the server, with a type that the receiver defines
    users: str = "u"  # followed by a number, the names before the @, none of which may be "nobody0"


class Receiver:
    """A mail server; a file in receivers/ has one class for each."""

    name = ""
    title = ""
    packages: list[str] = []
    cases: list[Case] = []

    def prepare(self, stage):
        """Makes what stays the same in all cases."""

    def configure(self, stage, settings):
        """Starts the server with these settings, or starts it again; returns when it serves."""

    def mailboxes(self) -> str:
        """Returns all mails that the server has delivered."""
        raise NotImplementedError


def every() -> list[Receiver]:
    """Returns one of each receiver, in the order of their files."""
    found = []
    for file in sorted((pathlib.Path(__file__).parent.parent / "receivers").glob("*.py")):
        module = importlib.import_module(f"receivers.{file.stem}")
        found += [value() for value in vars(module).values()
                  if isinstance(value, type) and issubclass(value, Receiver) and value.name and value.__module__ == module.__name__]
    return found
