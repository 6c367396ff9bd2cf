"""As much of XMPP as signing in and registering takes: a stream, TLS, SASL PLAIN, and a form."""

import re
import socket
import ssl
from xml.sax.saxutils import escape

from harness import wire

DOMAIN = "example.org"


class Stream:
    """A client's stream, in TLS. Whatever is read, is read until a pattern is there."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=wire.PATIENCE)
        self.text = ""
        self.open()
        self.say("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", r"<proceed[^>]*>")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket, server_hostname=DOMAIN)
        self.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def open(self) -> str:
        return self.say(f"<?xml version='1.0'?><stream:stream to='{DOMAIN}' version='1.0' xmlns='jabber:client' "
                        "xmlns:stream='http://etherx.jabber.org/streams'>", r"<stream:features.*?</stream:features>|<stream:features\s*/>")

    def say(self, text: str, awaited: str) -> str:
        """Sends a text and returns what matches of the answer; raises Ended when the stream ends before."""
        self.text = ""
        self.socket.sendall(text.encode())
        while not (found := re.search(awaited, self.text, re.DOTALL)):
            chunk = self.socket.recv(65536)
            if not chunk or "</stream:stream>" in self.text:
                raise wire.Ended()
            self.text += chunk.decode(errors="replace")
        return found[0]


@wire.answered
def sign_in(port: int, login: str, password: str) -> str:
    """SASL PLAIN: "success", or the condition of the failure."""
    with Stream(port) as stream:
        answer = stream.say(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
                            f"{wire.plain(login.partition('@')[0], password)}</auth>", r"<success[^>]*>|<failure.*?</failure>")
        if answer.startswith("<success"):
            stream.open()
            bound = stream.say("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", r"<iq.*?</iq>")
            jid = re.search(r"<jid>([^/<]*)", bound)
            return "success" if jid and jid[1].lower() == login.lower() else f"success, as {jid and jid[1]}"
        return re.search(r"<failure[^>]*>\s*<([\w-]+)", answer)[1]


@wire.answered
def register(port: int, login: str, password: str) -> str:
    """Registers in band, XEP-0077: "result", or the condition of the error."""
    with Stream(port) as stream:
        answer = stream.say(f"<iq type='set' id='r' to='{DOMAIN}'><query xmlns='jabber:iq:register'>"
                            f"<username>{escape(login.partition('@')[0])}</username><password>{escape(password)}</password>"
                            "</query></iq>", r"<iq[^>]*type=['\"]result['\"][^>]*>|<iq.*?</iq>")
        found = re.search(r"<error.*?<([\w-]+)[^>]*urn:ietf:params:xml:ns:xmpp-stanzas", answer, re.DOTALL)
        return found[1] if found else "result"
