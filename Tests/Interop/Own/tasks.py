"""The same as sync.py with the asynchronous client: tasks.py SOCKET all|register."""

import asyncio
import sys

import regd

PASSWORD = "a fine phrase"


async def register(client: regd.AsyncClient, email: str) -> None:
    try:
        result = await client.registration.register(email=email, password=PASSWORD, password_confirmation=PASSWORD)
        print("register", result["account"]["state"])
    except regd.RegdError as error:
        print("register", error.reason, error.retryable and "retryable", error.pending and "pending", error.retry_after)
    except regd.NoAnswer as error:
        print("register no answer", error.may_have_happened and "perhaps")


async def sign_in(client: regd.AsyncClient, password: str) -> None:
    try:
        signed_in = await client.session.sign_in(email="you@example.com", password=password)
        checked = await client.session.check(account=signed_in["account"]["id"], stamp=signed_in["stamp"])
        print("sign-in", checked["account"]["state"])
    except regd.RegdError as error:
        print("sign-in", error.reason, error.code)


async def form(client: regd.AsyncClient) -> None:
    async with await client.form("signIn") as form:
        await form.set(email="you@example.com", password=PASSWORD)
        events = await form.submit()
        print("form", " ".join(event["event"] for event in events), events[-1]["to"])
        print("form", form.state["signedIn"])


async def names(client: regd.AsyncClient) -> None:
    you = "you@example.com"
    named = await client.owner.set_display_name(email=you, password=PASSWORD, display_name="Ada")
    unnamed = await client.owner.set_display_name(email=you, password=PASSWORD, display_name=None)
    print("name", named["account"].get("displayName"), "displayName" in unnamed["account"])
    await client.account.add_groups(email=you, groups=["staff"])
    group = (await client.group.list())["groups"][0]
    print("group", group["name"], group["members"])


async def everything(client: regd.AsyncClient) -> None:
    print(await client.rpc.ping())
    problems = (await client.registration.validate(email="email@test", password="12345"))["problems"]
    print(" ".join(problem["reason"] for problem in problems))
    await register(client, "you@example.com")
    await register(client, "you@example.com")
    await sign_in(client, PASSWORD)
    await sign_in(client, "a wrong phrase")
    await form(client)
    await names(client)
    emails = [f"n{number}@example.com" for number in range(20)]
    found = await asyncio.gather(*(client.registration.check_email(email=email) for email in emails))
    print("many", sum(answer["available"] for answer in found))
    try:
        await client.registration.register(email="x")
    except regd.RegdError as error:
        print("problems", " ".join(problem["field"] for problem in error.problems))
    imported = await client.account.import_(records=[{"email": "x", "passwordHash": "x"}])
    print("import", imported["refused"][0]["index"])
    # the events include those between the subscription and the first look at them
    async with client.subscribe() as events:
        await register(client, "late@example.com")
        event = await anext(events)
    print("event", event["event"], event["email"])


async def main(path: str, what: str) -> None:
    async with regd.AsyncClient(path, timeout=5) as client:
        await (everything(client) if what == "all" else register(client, "you@example.com"))


asyncio.run(main(*sys.argv[1:]))
