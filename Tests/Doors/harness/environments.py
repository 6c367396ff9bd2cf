"""What happens to regd while a program runs, and who is asked for then."""

from typing import NamedTuple

from harness import database

# an upstream that decides about passwords, while the accounts are also in the store
UPSTREAM = {"REGD_SIGN_IN_AUTHORITY": "network"}


class Environment(NamedTuple):
    """One state of regd; `right`, `wrong` and so on are what is asked in it."""

    name: str
    summary: str
    asked: tuple[str, ...]
    works: bool = False
    variables: dict[str, str] | None = None  # None: no regd
    sockets: bool = True
    held: bool = False
    database: bool = False  # regd's accounts are in a database that becomes unavailable


ALL = [
    Environment("works", "regd works", ("right", "typed", "wrong", "unknown", "disabled"), True, {}),
    Environment("offline", "the upstream, which decides about passwords, cannot be reached", ("right", "wrong"),
                variables={**UPSTREAM, "REGD_NETWORK_BACKEND": "offline"}),
    Environment("unavailable", "the upstream answers 503", ("right", "wrong"),
                variables={**UPSTREAM, "REGD_NETWORK_BACKEND": "unavailable"}),
    Environment("store", "the database has gone away", ("right", "wrong"),
                variables={"REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": database.URL}, database=True),
    # no "accept": the script's delay ends with its caller, and a program that asks again at once would be admitted by
    # that answer
    Environment("late", "the upstream takes longer than answerSeconds", ("right",),
                variables={**UPSTREAM, "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_SIGN_IN": "timeout delay=25000ms",
                           "REGD_NETWORK_HTTP_TOTAL_SECONDS": "29"}),
    Environment("held", "regd cannot start, and systemd holds its sockets: callers wait", ("right",), held=True),
    Environment("gone", "regd was killed", ("right", "wrong")),
    Environment("removed", "regd is stopped, and there are no sockets", ("right",), sockets=False),
    Environment("restarted", "regd is killed and started again while many sign in", ("right",), variables={}),
    Environment("crashed", "the program is killed and started again while many sign in", ("right",), variables={}),
    Environment("back", "regd works again", ("right", "wrong"), True, {}),
]


def verdict(environment: Environment, asked: str) -> str:
    """Returns what regd's verdict is, or that it has none; `typed` is the right password with the address in capital letters."""
    if not environment.works:
        return "away"
    return {"right": "right", "typed": "right", "wrong": "wrong", "unknown": "wrong", "disabled": "refused"}[asked]
