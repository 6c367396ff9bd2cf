"""python-lsp-jsonrpc reads and writes any file that speaks Content-Length; ids are UUIDs, replies arrive on a thread."""

import socket
import sys
import threading

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
reader = JsonRpcStreamReader(connection.makefile("rb"))
writer = JsonRpcStreamWriter(connection.makefile("wb"))
endpoint = Endpoint({}, writer.write)
threading.Thread(target=reader.listen, args=[endpoint.consume], daemon=True).start()

print(endpoint.request("rpc.ping").result(timeout=30))
answer = endpoint.request("registration.validate", FORM).result(timeout=30)
print(",".join(problem["reason"] for problem in answer["problems"]))
endpoint.shutdown()
