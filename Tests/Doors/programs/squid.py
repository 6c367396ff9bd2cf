from harness.program import Program
from programs import _application


class Squid(Program):
    name = "squid"
    title = "Squid, regctl helper squid"
    folder = "squid"
    packages = ["squid"]
    right, wrong, away = "200", "407", "407"
    mute = "Squid asks for other credentials whatever its helper says but OK; its log has the reason"

    def start(self, stage):
        _application.serve()
        stage.user("proxy", home="/bin")
        for path in ("/var/log/squid", "/var/spool/squid", "/run/squid"):
            stage.directory(path, owner="proxy", group="proxy")
        stage.place("squid.conf", "/etc/squid/squid.conf")
        stage.spawn("squid", "-N", "-f", "/etc/squid/squid.conf")
        stage.port(3128)

    def attempt(self, login, password):
        return _application.get(3128, login, password, told="", scheme="Proxy-Authorization")
