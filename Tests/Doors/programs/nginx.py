from programs._application import WebServer


class Nginx(WebServer):
    name = "nginx"
    title = "nginx, auth_request"
    folder = "nginx"
    logs = ["/var/log/nginx/access.log"]
    packages = ["nginx-light"]
    wrong, refused, away = "401", "403", "503"
    tells_origins = True

    def prepare(self, stage):
        stage.user("www-data")

    def serve(self, stage):
        stage.directory("/var/lib/nginx")
        stage.directory("/var/log/nginx")
        stage.place("nginx.conf", "/etc/nginx/nginx.conf")
        stage.spawn("nginx", "-g", "daemon off;")
