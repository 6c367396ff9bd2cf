"""jsonrpcclient makes and parses messages and leaves sending them, and matching their ids, to us."""

import json
import sys

from jsonrpcclient import Ok, parse_json, request

from lines import Lines

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}
lines = Lines(sys.argv[1])


def call(method: str, params: dict | None = None):
    asked = request(method, params)
    match parse_json(lines.exchange(json.dumps(asked))):
        case Ok(result, answered) if answered == asked["id"]:
            return result
        case other:
            sys.exit(f"{method}: {other}")


print(call("rpc.ping"))
print(",".join(problem["reason"] for problem in call("registration.validate", FORM)["problems"]))
