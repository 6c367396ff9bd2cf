import http.client
import http.server
import pathlib
import re
import threading

from harness import wire
from programs._application import Seen, WebServer

ARTICLE = pathlib.Path(__file__).parents[3] / "Sources/Daemon/Daemon/Daemon.docc/Nginx.md"


class Nginx(WebServer):
    name = "nginx"
    title = "nginx, auth_request"
    folder = "nginx"
    logs = ["/var/log/nginx/access.log"]
    packages = ["nginx-light"]
    wrong, refused, away = "401", "403", "503"
    tells_origins = tells_groups = has_staff = True

    def prepare(self, stage):
        stage.user("www-data")

    def serve(self, stage):
        stage.directory("/var/lib/nginx")
        stage.directory("/var/log/nginx")
        stage.place("nginx.conf", "/etc/nginx/nginx.conf")
        stage.spawn("nginx", "-g", "daemon off;")
        self.page(stage)

    def page(self, stage):
        """The article's lines for a page's own program: whoever asks says nothing about where from, and the rest of the path is there."""
        lines = re.search(r"```nginx\n(.*?)```", ARTICLE.read_text(), re.DOTALL).group(1)
        stage.write("/etc/nginx/page.conf", "pid /run/page.pid; events {} http { server { listen 81; %s } }" % lines)
        program = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Seen)
        threading.Thread(target=program.serve_forever, daemon=True).start()
        stage.spawn("nginx", "-c", "/etc/nginx/page.conf", "-g", "daemon off;")
        stage.port(81)
        for path, status in (("/account/sign-in", 200), ("/account/broken", 500), ("/sign-in", 404)):
            connection = http.client.HTTPConnection("127.0.0.1", 81, timeout=wire.PATIENCE)
            connection.request("GET", path, headers={"X-Real-IP": "192.0.2.1"})
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status != status or (status == 200 and "X-Real-IP: 127.0.0.1\n" not in text):
                raise ValueError(f"{path} behind the article's nginx: {answer.status}, {text!r}")
            connection.close()
