"""json-rpc has messages and a server, but no client: it checks what we send and what comes back."""

import itertools
import sys

from jsonrpc.jsonrpc2 import JSONRPC20Request, JSONRPC20Response

from lines import Lines

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}
lines = Lines(sys.argv[1])
ids = itertools.count(1)


def call(request: JSONRPC20Request):
    reply = JSONRPC20Response.deserialize(lines.exchange(request.json))
    # The constructor refuses a reply that has both or neither of result and error, and an error of another shape.
    outcome = {name: reply[name] for name in ("result", "error") if name in reply}
    response = JSONRPC20Response(_id=reply["id"], **outcome)
    if response.error or response._id != request._id:
        sys.exit(f"{request.method}: {response.json}")
    return response.result


# The method's setter refuses every name that begins with "rpc.", even a name that callers may use. `data` does not.
ping = JSONRPC20Request(method="ping", _id=next(ids))
ping.data = {"method": "rpc.ping", "id": ping._id}
print(call(ping))

answer = call(JSONRPC20Request(method="registration.validate", params=FORM, _id=next(ids)))
print(",".join(problem["reason"] for problem in answer["problems"]))
