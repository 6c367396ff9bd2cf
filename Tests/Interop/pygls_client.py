"""pygls has stdio, TCP and WebSocket; over a Unix socket its protocol gets the reader and the writer from us."""

import asyncio
import sys
import threading

from pygls.client import JsonRPCClient
from pygls.io_ import run_async

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}


async def main(path: str) -> None:
    client = JsonRPCClient()
    reader, writer = await asyncio.open_unix_connection(path)
    client.protocol.set_writer(writer)
    replies = asyncio.create_task(run_async(threading.Event(), reader, client.protocol))
    print(await client.protocol.send_request_async("rpc.ping"))
    answer = await client.protocol.send_request_async("registration.validate", FORM)
    # Results come as objects, their members as attributes.
    print(",".join(problem.reason for problem in answer.problems))
    writer.close()
    await replies


asyncio.run(main(sys.argv[1]))
