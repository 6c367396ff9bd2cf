from harness.program import Program
from programs import _xmpp


class Prosody(Program):
    name = "prosody"
    title = "Prosody, mod_auth_cyrus"
    folder = "prosody"
    packages = ["prosody", "prosody-modules", "lua-sec", "lua-cyrussasl", "libsasl2-modules", "openssl"]
    right, wrong, away = "success", "not-authorized", "undefined-condition"

    def prepare(self, stage):
        stage.user("prosody", home="/var/lib/prosody", groups=["ssl-cert"])

    def start(self, stage):
        stage.certificate()
        for path in ("/var/lib/prosody", "/var/log/prosody", "/run/prosody"):
            stage.directory(path, 0o750, "prosody", "prosody")
        stage.place("prosody.cfg.lua", "/etc/prosody/prosody.cfg.lua", 0o640, "root:prosody")
        stage.place("prosody.conf", "/etc/sasl/prosody.conf")
        stage.spawn("prosody", "-F", user="prosody")
        stage.port(5222)

    def attempt(self, login, password):
        return _xmpp.sign_in(5222, login, password)
