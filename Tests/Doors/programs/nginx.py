from harness.program import Program
from programs import _application


class Nginx(Program):
    name = "nginx"
    title = "nginx, auth_request"
    folder = "nginx"
    packages = ["nginx-light"]
    right, wrong, refused, away = "200", "401", "403", "503"

    def start(self, stage):
        _application.serve()
        stage.user("www-data")
        stage.directory("/var/lib/nginx")
        stage.directory("/var/log/nginx")
        stage.place("nginx.conf", "/etc/nginx/nginx.conf")
        stage.spawn("nginx", "-g", "daemon off;")
        stage.port(80)

    def attempt(self, login, password):
        return _application.get(80, login, password)
