from programs._application import WebServer


class Squid(WebServer):
    name = "squid"
    title = "Squid, regctl helper squid"
    folder = "squid"
    logs = ["/var/log/squid/cache.log"]
    packages = ["squid"]
    port, scheme, told = 3128, "Proxy-Authorization", ""
    wrong, away = "407", "407"
    mute = "Squid asks for other credentials whatever its helper says but OK; cache.log has the reason"

    def prepare(self, stage):
        stage.user("proxy", home="/bin")

    def serve(self, stage):
        for path in ("/var/log/squid", "/var/spool/squid", "/run/squid"):
            stage.directory(path, owner="proxy", group="proxy")
        stage.place("squid.conf", "/etc/squid/squid.conf")
        stage.spawn("squid", "-N", "-f", "/etc/squid/squid.conf")
