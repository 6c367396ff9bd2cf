"""Cyrus IMAP, by Cyrus SASL and saslauthd."""

from harness import wire
from harness.program import Program


class CyrusIMAP(Program):
    name = "cyrus-imap"
    title = "Cyrus IMAP, saslauthd"
    folder = "cyrus-imap"
    door = "saslauthd"
    packages = ["cyrus-imapd", "libsasl2-modules"]
    right, wrong, away = "OK", "NO authentication failure", "NO generic failure"

    def prepare(self, stage):
        stage.user("cyrus", home="/var/spool/cyrus", groups=["sasl", "mail"])

    def start(self, stage):
        stage.run("sed", "-i", "/^sasl_pwcheck_method:/d; /^unixhierarchysep:/d", "/etc/imapd.conf")
        stage.run("sed", "-i", "-E", r"s/^\s*(pop3|nntp|http|sieve)\s/#&/", "/etc/cyrus.conf")  # packages that are not installed
        stage.place("imapd.conf", "/etc/imapd.conf", append=True)
        for folder in ("/var/lib/cyrus", "/var/spool/cyrus/mail", "/var/spool/cyrus/news", "/var/spool/sieve", "/run/cyrus",
                       "/run/cyrus/socket", "/run/cyrus/proc", "/run/cyrus/lock"):
            stage.directory(folder, 0o750, "cyrus", "mail")
        stage.run("/usr/lib/cyrus/bin/makedirs", check=False)
        stage.spawn("/usr/lib/cyrus/bin/master")
        stage.port(143)

    def attempt(self, login, password):
        return wire.imap(143, login, password)
