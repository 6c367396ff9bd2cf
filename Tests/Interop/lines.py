"""The thinnest transport, for libraries that have none for Unix sockets: a text out as a line, a line back."""

import socket


class Lines:
    def __init__(self, path: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._file = self._socket.makefile("rw", encoding="utf-8", newline="\n")

    def exchange(self, text: str) -> str:
        self._file.write(text + "\n")
        self._file.flush()
        line = self._file.readline()
        if not line.endswith("\n"):
            raise ConnectionError(f"the connection ended after {line!r}")
        return line
