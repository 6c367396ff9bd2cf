#!/usr/bin/env python3
"""Verifies regd's audit without any code of regd: computes the Merkle tree (RFC 9162) over all entries of events.list, and
compares it with audit.head and with a file of heads. Exit status: 0 everything fits, 1 something differs, 5 not verified."""
import argparse, base64, functools, hashlib, json, os, socket, sys
try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None

TROUBLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)  # no connection, regd's error, or unexpected JSON
encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
decoded = functools.partial(base64.b64decode, validate=True)
def canonical(value):  # RFC 8785, for the strings, whole numbers and lists of which entries and heads consist
    return encoder.encode(value).encode()
def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
def send(regd, method, **params):
    regd.write(canonical({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + b"\n")
    regd.flush()
def receive(regd):
    reply = json.loads(regd.readline() or b'{"error": {"message": "no reply", "data": {"reason": "disconnected"}}}')
    if "error" in reply:
        raise ValueError(f"{reply['error']['message']!r} ({reply['error']['data']['reason']!r})")  # no control characters
    return reply["result"]
def entries(regd, after, most=1 << 60):
    page = {"next": after, "events": []}
    while page:
        most -= len(page["events"])
        goes_on = most > 0 and "next" in page
        if goes_on:  # before this page is used, so that regd reads the next one meanwhile
            send(regd, "events.list", after=page["next"], limit=min(most, 1000))
        yield from page["events"]
        page = receive(regd) if goes_on else None

# The peaks of a tree are the roots of its complete subtrees, the largest first: the hashes to the left of the next leaf's path.
def add(peaks, size, leaf):  # size: of the tree with the leaf
    while not size & 1:
        leaf, size = sha256(b"\1", peaks.pop(), leaf), size >> 1
    peaks.append(leaf)
def root(peaks):
    return functools.reduce(lambda right, left: sha256(b"\1", left, right), reversed(peaks)) if peaks else sha256()
def leaf(entry, problems):
    private = {name: entry.pop(name) for name in ("email", "origin") if name in entry}
    salt = entry.pop("salt", None)
    if (private or salt) and decoded(entry.get("commitment", "")) != sha256(decoded(salt or ""), canonical(private)):
        problems.append(f"entry {entry['entry']}: the address and the origin do not fit the commitment")
    return sha256(b"\0", canonical(entry))

def left_of(index, size, path):  # the hashes to the left of a path (RFC 9162, 2.1.3), the largest first
    inner = (index ^ size - 1).bit_length()  # from this level on, the path is at the right edge of the tree
    return [decoded(path[level]) for level in reversed(range(len(path))) if level >= inner or index >> level & 1]

def locate(regd, marks, head):  # the place of the first entry that differs from regd's stored tree, and what is wrong there
    def prove(number):  # the place of the entry in the stored tree, or -1, and the peaks of that tree before it
        send(regd, "audit.prove", entry=number, size=head["size"])
        try:
            proof = receive(regd)
        except ValueError as error:
            if "('rpc.invalidParams')" not in str(error): raise
            return -1, []
        return proof["index"], left_of(proof["index"], head["size"], proof["path"])
    def last_fit(marks):  # by halves: the last entry that both trees have at this place, after the same entries
        low, high = -1, len(marks)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if prove(marks[middle][1]) == marks[middle][::2] else (low, middle)
        return low
    (place, number, peaks), near = marks[max(last_fit(marks), 0)] if marks else (0, 1, []), []
    for entry in entries(regd, number - 1, 1026):
        near.append((place + len(near), +entry["entry"], peaks[:]))  # + fails for a string, which could contain control characters
        add(peaks, place + len(near), leaf(entry, []))
    at = last_fit(near)
    last, place, other = near[at][1] if at >= 0 else None, place + at, "entry {} is not the one that the tree contains"
    missing = f"entries are missing {f'after entry {last}' if last else 'at the beginning'}"
    if at + 1 == len(near):
        return (place + 1, missing) if head["size"] > place + 1 else (place, other.format(last))
    (_, number, peaks), (index, _) = near[at + 1], prove(near[at + 1][1])
    if index == place + 1:  # the next entry is in its place, but not after the same entries
        return place, other.format(last)
    if index < 0:  # it was added, or replaces another one: then the first later entry of the tree has not moved
        later = ((*prove(number), its_place) for its_place, number, _ in near[at + 2:])
        index, left, its_place = next((found for found in later if found[0] >= 0), (head["size"], None, near[-1][0] + 1))
        if index >= its_place: return place + 1, other.format(number)
        fits = index != place + 1 or (root(peaks) == decoded(head["root"]) if left is None else left == peaks)
        return (place + 1, f"entry {number} was added by another program") if fits else (place, other.format(last))
    moved = at + 2 < len(near) and 0 <= prove(near[at + 2][1])[0] <= place + 2  # without missing entries, only this one moved
    return place + 1, other.format(number) if moved or index <= place else f"{missing}, before entry {number}"

def verify(regd, heads, problems):  # heads: each with its place in the file
    peaks, size, last, marks, roots = [], 0, 0, [], {head["size"]: None for _, head in heads} | {0: (sha256(), 0)}
    def read(most):
        nonlocal size, last
        for entry in entries(regd, last, most):
            if entry["entry"] <= last:
                raise ValueError(f"events.list returned entry {entry['entry']} after entry {last}")
            last, size = entry["entry"], size + 1
            if size % 1024 == 1:
                marks.append((size - 1, last, peaks[:]))
            add(peaks, size, leaf(entry, problems))
            if size in roots:
                roots[size] = (root(peaks), last)
    read(1 << 60)
    send(regd, "audit.head")
    present = receive(regd)
    read(present["size"] - size)  # the entries of the meantime
    first = size
    if (size, root(peaks)) != (present["size"], decoded(present["root"])):
        problems.append("the entries do not have the root of audit.head")  # if regd proves nothing
        first, problems[-1] = locate(regd, marks, present)
    if any(first < head["size"] <= size and decoded(head["root"]) == roots[head["size"]][0] for _, head in heads):
        first = size  # the entries there are the original ones, and regd's hashes are not
    if wrong := [head["size"] for _, head in heads if head["size"] <= first and decoded(head["root"]) != roots[head["size"]][0]]:
        good = max(size for size in roots if size < min(wrong))
        problems.append(f"an entry after entry {roots[good][1]}, up to entry {roots[min(wrong)][1]}, was changed or is missing")
    for (place, head), (_, before) in zip([*heads, ("audit.head", present)], [*heads[:1], *heads, ("", present)]):
        if head["size"] > max(size, present["size"]):
            problems.append(f"{place}: the head has {head['size']} entries, but there are {size}: the last ones were cut off")
        if head["key"] != before["key"]:
            print(f"{place}: the key changes to {head['key']!r}")
        try:
            signed = canonical({name: head[name] for name in ("root", "size", "time")})
            Ed25519PublicKey and Ed25519PublicKey.from_public_bytes(decoded(head["key"])).verify(decoded(head["signature"]), signed)
        except Exception:  # the signature does not fit, or the key is not an Ed25519 key
            problems.append(f"{place}: the signature is wrong")
    print(f"{size} entries, {len(heads)} heads{'' if Ed25519PublicKey else '; signatures not checked (python3-cryptography)'}")

def parsed(line):  # a line of the file of heads, or None if it is not a head
    try:
        head = json.loads(line)
        return head if len(decoded(head["root"])) == 32 and head["size"] >= 0 and head["key"] and head["signature"] else None
    except TROUBLE:
        return None

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--socket", metavar="PATH", default=os.environ.get("REGD_SOCKET_PATH", "/run/regd/regd.sock"))
parser.add_argument("--heads", metavar="FILE")
options, problems, status = parser.parse_args(), [], 0
try:
    lines = [(f"{options.heads}:{n}", parsed(line)) for n, line in enumerate(open(options.heads, "rb") if options.heads else (), 1)]
    regd = socket.socket(socket.AF_UNIX)
    regd.settimeout(60)
    regd.connect(options.socket)
    verify(regd.makefile("rwb", 1 << 20), [line for line in lines if line[1]], problems)
    if unread := [place for place, head in lines if not head] or options.heads and not lines:
        raise ValueError(f"{unread[0] if lines else options.heads}: there is no head")
except TROUBLE as error:
    print(f"not verified: {error}", file=sys.stderr)
    status = 5
sys.stdout.writelines(f"{problem}\n" for problem in problems)
sys.exit(1 if problems else status)
