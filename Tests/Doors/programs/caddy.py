from harness.program import Program
from programs import _application


class Caddy(Program):
    name = "caddy"
    title = "Caddy, forward_auth"
    folder = "caddy"
    packages = ["caddy"]
    right, wrong, refused, away = "200", "401", "403", "503"

    def start(self, stage):
        _application.serve()
        stage.user("caddy", home="/var/lib/caddy")
        stage.directory("/var/lib/caddy", owner="caddy", group="caddy")
        stage.place("Caddyfile", "/etc/caddy/Caddyfile")
        stage.run("setcap", "cap_net_bind_service=+ep", "/usr/bin/caddy")  # the unit's AmbientCapabilities
        stage.spawn("caddy", "run", "--config", "/etc/caddy/Caddyfile", user="caddy", env={"HOME": "/var/lib/caddy"})
        stage.port(80)

    def attempt(self, login, password):
        return _application.get(80, login, password)
