"""pjrpc speaks HTTP and AMQP by itself; its abstract client takes any transport, its middleware compares the ids."""

import sys

from pjrpc.client import AbstractClient
from pjrpc.client.validators import validate_response_id_middleware

from lines import Lines

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}


class Client(AbstractClient):
    def __init__(self, path: str):
        super().__init__(middlewares=[validate_response_id_middleware])
        self._lines = Lines(path)

    def _request(self, request_text, is_notification, request_kwargs):
        return self._lines.exchange(request_text)


client = Client(sys.argv[1])
print(client.call("rpc.ping"))
print(",".join(problem["reason"] for problem in client.call("registration.validate", **FORM)["problems"]))
