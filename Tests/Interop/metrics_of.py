"""Prints what daemon.metrics gives."""

import json
import sys

from lines import Lines

reply = json.loads(Lines(sys.argv[1]).exchange(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "daemon.metrics"})))
print(reply["result"]["text"], end="")
