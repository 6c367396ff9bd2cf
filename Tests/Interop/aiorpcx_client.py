"""aiorpcX has a transport for Unix sockets; its framing is a newline."""

import asyncio
import sys

from aiorpcx import connect_us

FORM = {"email": "email@test", "password": "12345", "passwordConfirmation": None}


async def main(path: str) -> None:
    async with connect_us(path) as session:
        print(await session.send_request("rpc.ping"))
        answer = await session.send_request("registration.validate", FORM)
        print(",".join(problem["reason"] for problem in answer["problems"]))


asyncio.run(main(sys.argv[1]))
