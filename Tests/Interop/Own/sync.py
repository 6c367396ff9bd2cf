"""What the generated client in Python is asked to do: sync.py SOCKET all|register. Its words are those of every language."""

import sys
from concurrent.futures import ThreadPoolExecutor

import regd

PASSWORD = "a fine phrase"


def register(client: regd.Client, email: str) -> None:
    try:
        result = client.registration.register(email=email, password=PASSWORD, password_confirmation=PASSWORD)
        print("register", result["account"]["state"])
    except regd.RegdError as error:
        print("register", error.reason, error.retryable and "retryable", error.pending and "pending", error.retry_after)
    except regd.NoAnswer as error:
        print("register no answer", error.may_have_happened and "perhaps")


def sign_in(client: regd.Client, password: str) -> None:
    try:
        signed_in = client.session.sign_in(email="you@example.com", password=password)
        checked = client.session.check(account=signed_in["account"]["id"], stamp=signed_in["stamp"])
        print("sign-in", checked["account"]["state"])
    except regd.RegdError as error:
        assert error.reason is regd.Reason.CREDENTIALS_REJECTED
        print("sign-in", error.reason, error.code)


def form(client: regd.Client) -> None:
    with client.form("signIn") as form:
        form.set(email="you@example.com", password=PASSWORD)
        events = form.submit()
        print("form", " ".join(event["event"] for event in events), events[-1]["to"])
        print("form", form.state["signedIn"])


def names(client: regd.Client) -> None:
    named = client.owner.set_display_name(email="you@example.com", password=PASSWORD, display_name="Ada")["account"]
    unnamed = client.owner.set_display_name(email="you@example.com", password=PASSWORD, display_name=None)["account"]
    print("name", named.get("displayName"), "displayName" in unnamed)
    client.account.add_groups(email="you@example.com", groups=["staff"])
    group = client.group.list()["groups"][0]
    print("group", group["name"], group["members"])


def everything(client: regd.Client, path: str) -> None:
    print(client.rpc.ping())
    problems = client.registration.validate(email="email@test", password="12345")["problems"]
    print(" ".join(problem["reason"] for problem in problems))
    register(client, "you@example.com")
    register(client, "you@example.com")
    sign_in(client, PASSWORD)
    sign_in(client, "a wrong phrase")
    form(client)
    names(client)
    with ThreadPoolExecutor(20) as threads:
        emails = [f"n{number}@example.com" for number in range(20)]
        found = threads.map(lambda email: client.registration.check_email(email=email), emails)
        print("many", sum(answer["available"] for answer in found))
    try:
        client.registration.register(email="x")
    except regd.RegdError as error:
        print("problems", " ".join(problem["field"] for problem in error.problems))
    print("import", client.account.import_(records=[{"email": "x", "passwordHash": "x"}])["refused"][0]["index"])
    # the events include those between the call and the first look at them
    with client.subscribe() as events:
        register(client, "late@example.com")
        event = next(events)
    print("event", event["event"], event["email"])


path, what = sys.argv[1:]
with regd.Client(path, timeout=5) as client:
    everything(client, path) if what == "all" else register(client, "you@example.com")
