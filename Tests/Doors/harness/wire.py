"""What clients of programs say, and what the programs answer them: the first words, as they came."""

import base64
import http.client
import itertools
import socket
import ssl
import struct

PATIENCE = 25  # in seconds. A program that does not answer within this time is "silent".


ADDRESSES = itertools.count(1)


def address() -> tuple[str, int]:
    """Returns an address of loopback that nobody has called from: who guesses waits, and the next who is asked for is somebody else."""
    number = next(ADDRESSES)
    return f"127.1.{number // 250}.{number % 250 + 1}", 0


class Line:
    """A connection of a protocol of lines."""

    def __init__(self, where: int | str, tls: bool = False):
        if isinstance(where, int):
            self.socket = socket.create_connection(("127.0.0.1", where), timeout=PATIENCE, source_address=address())
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(PATIENCE)
            self.socket.connect(where)
        self.file = self.socket.makefile("rb")
        if tls:
            self.secure()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def read(self) -> str:
        """Returns a line; raises Ended when there is none."""
        line = self.file.readline()
        if not line:
            raise Ended()
        return line.decode(errors="replace").rstrip("\r\n")

    def secure(self):
        """Goes on in TLS; who answers is known, for it is the only machine there."""
        context = ssl._create_unverified_context()
        self.file.close()
        self.socket = context.wrap_socket(self.socket)
        self.file = self.socket.makefile("rb")

    def write(self, text: str):
        self.socket.sendall(text.encode() + b"\r\n")


class Ended(Exception):
    """The program has closed the connection."""


def answered(function):
    """Makes words of a connection that ends, or of an answer that does not come."""

    def wrapped(*arguments, **named):
        try:
            return function(*arguments, **named)
        except (Ended, EOFError, ConnectionResetError, BrokenPipeError, ssl.SSLEOFError, http.client.RemoteDisconnected, http.client.IncompleteRead):
            return "closed"
        except ConnectionRefusedError:
            return "refused"
        except TimeoutError:
            return "silent"

    return wrapped


def plain(login: str, password: str) -> str:
    return base64.b64encode(f"\0{login}\0{password}".encode()).decode()


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@answered
def smtp(port: int, login: str, password: str, mechanism: str = "PLAIN") -> str:
    """AUTH, as a phone does: the code of the answer."""

    said: list[str] = []

    def reply() -> str:
        said[:] = [connection.read()]
        while said[-1][3:4] == "-":
            said.append(connection.read())
        return said[-1]

    def ask(command: str, code: str) -> str:
        """Returns the code if it is another one."""
        connection.write(command)
        got = reply()[:3]
        return "" if got == code else got

    with Line(port) as connection:
        if (code := reply()[:3]) != "220":
            return code
        if other := ask("EHLO [127.0.0.1]", "250"):
            return other
        if any("STARTTLS" in line for line in said):
            if other := ask("STARTTLS", "220"):
                return other
            connection.secure()
            if other := ask("EHLO [127.0.0.1]", "250"):
                return other
        if mechanism == "PLAIN":
            connection.write(f"AUTH PLAIN {plain(login, password)}")
        else:
            connection.write("AUTH LOGIN")
            for text in (login, password):
                if (line := reply())[:3] != "334":
                    return line[:3]
                connection.write(encoded(text))
        return reply()[:3]


@answered
def imap(port: int, login: str, password: str, command: str = "AUTHENTICATE", tls: bool = False) -> str:
    """AUTHENTICATE PLAIN or LOGIN: the word, and the code in brackets if there is one."""
    with Line(port, tls) as connection:
        connection.read()
        if command == "AUTHENTICATE":
            connection.write("a AUTHENTICATE PLAIN")
            while not (line := connection.read()).startswith(("+", "a ")):
                pass
            if line.startswith("+"):
                connection.write(plain(login, password))
        else:
            connection.write(f"a LOGIN {{{len(login.encode())}+}}\r\n{login} {{{len(password.encode())}+}}\r\n{password}")
        while not (line := connection.read()).startswith("a "):
            if line.startswith("* BYE"):
                return "BYE"
        return imap_words(line)


def imap_words(line: str) -> str:
    """Returns `OK`, `NO [AUTHENTICATIONFAILED]` of a refusal with a code, and the whole of one without."""
    word, _, rest = line[2:].partition(" ")
    if word == "OK":
        return word
    return f"{word} {rest[:rest.index(']') + 1]}" if rest.startswith("[") and "]" in rest else f"{word} {rest}"


@answered
def web(port: int, login: str, password: str, path: str = "/") -> str:
    """GET with Basic: the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=address())
    try:
        connection.request("GET", path, headers={"Authorization": "Basic " + encoded(f"{login}:{password}")})
        return str(connection.getresponse().status)
    finally:
        connection.close()


# LDAP: the part of BER that a simple bind needs


def ber(tag: int, body: bytes) -> bytes:
    length = bytes([len(body)]) if len(body) < 128 else b"\x82" + struct.pack(">H", len(body))
    return bytes([tag]) + length + body


@answered
def ldap(where: int | str, name: str, password: str) -> str:
    """A simple bind: the result code."""
    bind = ber(0x60, ber(0x02, b"\x03") + ber(0x04, name.encode()) + ber(0x80, password.encode()))
    with Line(where) as connection:
        connection.socket.sendall(ber(0x30, ber(0x02, b"\x01") + bind))
        head = connection.file.read(2)
        if len(head) < 2:
            raise Ended()
        length = head[1]
        if length & 0x80:
            length = int.from_bytes(connection.file.read(length & 0x7F), "big")
        body = connection.file.read(length)
        at = body.index(0x0A, 3)  # ENUMERATED, after the message's id and the response's tag
        return str(body[at + 2])
