from programs._application import WebServer


class Lighttpd(WebServer):
    name = "lighttpd"
    title = "lighttpd, mod_authn_ldap"
    folder = "lighttpd"
    logs = ["/var/log/lighttpd/error.log"]
    packages = ["lighttpd", "lighttpd-modules-ldap"]
    told = 'remote_user="{}"'
    as_typed = True
    wrong, away = "401", "401"
    mute = "mod_auth denies whenever a backend did not grant; the log says why"

    def prepare(self, stage):
        stage.user("www-data")

    def serve(self, stage):
        stage.directory("/var/log/lighttpd", owner="www-data", group="www-data")
        stage.directory("/var/www/html")
        stage.place("lighttpd.conf", "/etc/lighttpd/lighttpd.conf")
        stage.spawn("lighttpd", "-D", "-f", "/etc/lighttpd/lighttpd.conf")
