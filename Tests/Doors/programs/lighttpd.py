from harness.program import Program
from programs import _application


class Lighttpd(Program):
    name = "lighttpd"
    title = "lighttpd, mod_authn_ldap"
    folder = "lighttpd"
    packages = ["lighttpd", "lighttpd-modules-ldap"]
    right, wrong, away = "200", "401", "401"
    mute = "mod_auth denies whenever a backend did not grant; the log says why"

    def start(self, stage):
        _application.serve()
        stage.user("www-data")
        stage.directory("/var/log/lighttpd", owner="www-data", group="www-data")
        stage.directory("/var/www/html")
        stage.place("lighttpd.conf", "/etc/lighttpd/lighttpd.conf")
        stage.spawn("lighttpd", "-D", "-f", "/etc/lighttpd/lighttpd.conf")
        stage.port(80)

    def attempt(self, login, password):
        return _application.get(80, login, password, told='remote_user="{}"')
