#!/usr/bin/env python3
"""Registers addresses with several regd during a fault, and compares what they acknowledged with what the store then contains.

    ledger.py FAULT LEDGER SOCKET...

LEDGER has a line for each acknowledged registration, of this fault and of earlier ones. Every request is repeated with the same
requestId until it is answered. SIGTERM ends the load, and prints the row of the table. SIGUSR1 reports that an operator accepts a
database that has gone back: what was acknowledged before may be missing from it.
"""

import collections
import itertools
import json
import random
import signal
import socket
import sys
import threading
import time

CALLERS = 6
PAUSE = 0.1  # seconds between two attempts. A registration costs a hash, so six callers need a fraction of a processor
PACE = 0.3  # seconds between two registrations of a caller

fault, ledger, *sockets = sys.argv[1:]
stopping = threading.Event()
lock = threading.Lock()
with open(ledger) as lines:
    acknowledged = [tuple(line.split()) for line in lines]
before = len(acknowledged)
accepted = 0  # as many of the first registrations may be missing
errors = collections.Counter()
conflicts = set()  # requests that got another answer than their account
stale = set()
longest, last = 0.0, None


def call(path, method, params):
    """Returns the result of a call, or None and the reason of the error."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(35)
            connection.connect(path)
            connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
            reply = json.loads(connection.makefile().readline())
    except (OSError, ValueError) as problem:
        return None, type(problem).__name__
    return reply.get("result"), reply.get("error", {}).get("data", {}).get("reason")


def register(number):
    """Registers an address, at another regd after each error."""
    global longest, last
    name = f"{fault}-{before}-{number}"
    entry = {"email": f"{name}@example.com", "password": "a fine phrase", "passwordConfirmation": "a fine phrase", "requestId": name}
    for attempt in itertools.count(number):
        result, reason = call(sockets[attempt % len(sockets)], "registration.register", entry)
        with lock:
            if result and result["account"]["state"] == "active":
                now = time.monotonic()
                longest, last = max(longest, now - (last or now)), now
                acknowledged.append((entry["email"], result["account"]["id"]))
                print(*acknowledged[-1], file=record, flush=True)
                return
            errors[reason or result["account"]["state"]] += 1
            if reason in ("email.taken", "request.conflict", "validation.failed"):
                conflicts.add(f"{name}: {reason}")
                return
        time.sleep(PAUSE)


def keep_registering(numbers):
    while not stopping.is_set():
        register(next(numbers))
        time.sleep(PACE)


def keep_reading(path):
    """Asks a regd whether acknowledged addresses are available, mostly the latest ones."""
    while not stopping.is_set():
        with lock:
            known = acknowledged[accepted:]
        if known:
            check(path, random.choice(known[-random.choice((5, 50, 500)):])[0])
        time.sleep(0.05)


def check(path, email):
    since = accepted
    result, _ = call(path, "registration.checkEmail", {"email": email})
    if result and result["available"] and since == accepted:
        stale.add(f"{email} at {path} {time.strftime('%T')}")


def every(path, method, member):
    """Returns all entries of a list, which has pages."""
    entries, after = [], {}
    while True:
        page, reason = call(path, method, {"limit": 1000, **after})
        if page is None:
            time.sleep(PAUSE)
            continue
        entries += page[member]
        if "next" not in page or not page[member]:
            return entries
        after = {"after": page["next"]}


def accept(*_):
    global accepted
    accepted = len(acknowledged)


def verdict():
    """Prints the row, and what is wrong; returns whether anything is."""
    problems = [f"stale: {one}" for one in sorted(stale)] + [f"answer: {one}" for one in sorted(conflicts)]
    missing = set()
    for path in sockets:
        ids = {}
        for account in every(path, "account.list", "accounts"):
            ids.setdefault(account["email"], []).append(account["id"])
        entries = every(path, "events.list", "events")
        made = collections.Counter(entry["account"] for entry in entries if entry["event"] == "account.registered")
        numbers = {entry["entry"] for entry in entries}
        lost = {one for one in acknowledged if one[1] not in ids.get(one[0], ())}
        doubled = {email for email, some in ids.items() if len(some) > 1 or made[some[0]] != 1}
        doubled |= {email for email, count in collections.Counter(email for email, _ in acknowledged).items() if count > 1}
        gaps = set(range(1, max(numbers, default=0) + 1)) - numbers
        missing |= lost
        problems += [f"lost: {one} at {path}" for one in sorted(lost - set(acknowledged[:accepted]))]
        problems += [f"doubled: {one} at {path}" for one in sorted(doubled)] + [f"gap: {one} at {path}" for one in sorted(gaps)]
    print(f"{fault:12}{len(acknowledged) - before:13}{len(missing):6}{len(doubled):9}{len(stale):7}{len(gaps):6}{longest:10.1f} s  ",
          "regd refused the earlier state until it was accepted" if accepted else "", flush=True)
    print(fault, "errors:", dict(errors), *problems[:10], sep="\n  ", file=sys.stderr, flush=True)
    with open(ledger, "w") as lines:  # later faults do not report the missing ones again
        lines.writelines(f"{email} {account}\n" for email, account in acknowledged if (email, account) not in missing)
    return bool(problems)


signal.signal(signal.SIGTERM, lambda *_: stopping.set())
signal.signal(signal.SIGUSR1, accept)
with open(ledger, "a") as record:
    numbers = itertools.count(1)
    threads = [threading.Thread(target=keep_registering, args=(numbers,)) for _ in range(CALLERS)]
    threads += [threading.Thread(target=keep_reading, args=(path,)) for path in sockets]
    for thread in threads:
        thread.start()
    stopping.wait()
    for thread in threads:
        thread.join()
for path in sockets:
    for email, _ in acknowledged[max(before, accepted):]:
        check(path, email)
sys.exit(verdict())
