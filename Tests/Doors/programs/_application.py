"""The application that stands behind a web server, and a client of it."""

import http.client
import http.server
import threading

from harness import wire

PORT = 3000


class Seen(http.server.BaseHTTPRequestHandler):
    """Answers who it was told is asking, and whether it was shown a password."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        names = ("Remote-User", "Forwarded", "Authorization", "Proxy-Authorization")
        text = "\n".join(f"{name}: {self.headers.get(name) or ''}" for name in names).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def serve():
    """Starts the application, which ends with the machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Seen)
    threading.Thread(target=server.serve_forever, daemon=True).start()


@wire.answered
def get(port: int, login: str, password: str, told: str = "Remote-User: {}\n", scheme: str = "Authorization") -> str:
    """GET with Basic, as a client who tries to pass for another: the status, and what the application should not have been told."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=wire.PATIENCE)
    headers = {scheme: "Basic " + wire.encoded(f"{login}:{password}"), "Remote-User": "root", "X-Real-IP": "192.0.2.1",
               "Forwarded": 'remote_user="root"'}
    try:
        connection.request("GET", "/" if scheme == "Authorization" else f"http://127.0.0.1:{PORT}/", headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            return str(answer.status)
        if told and told.format(login) not in text:
            return f"200 as {text.splitlines()[0]}"
        return "200, with the password" if "Basic" in text else "200"
    finally:
        connection.close()
