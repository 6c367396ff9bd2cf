from programs._application import WebServer


class Caddy(WebServer):
    name = "caddy"
    title = "Caddy, forward_auth"
    folder = "caddy"
    packages = ["caddy"]
    wrong, refused, away = "401", "403", "503"
    tells_origins = tells_groups = True

    def prepare(self, stage):
        stage.user("caddy", home="/var/lib/caddy")

    def serve(self, stage):
        stage.directory("/var/lib/caddy", owner="caddy", group="caddy")
        stage.place("Caddyfile", "/etc/caddy/Caddyfile")
        stage.run("setcap", "cap_net_bind_service=+ep", "/usr/bin/caddy")  # the unit's AmbientCapabilities
        stage.spawn("caddy", "run", "--config", "/etc/caddy/Caddyfile", user="caddy", env={"HOME": "/var/lib/caddy"})
