"""Exim, which asks by its authenticator dovecot, or by its condition saslauthd."""

from harness import wire
from harness.program import Program
from harness.regd import call

# the file that debconf writes for an internet site with split configuration
UPDATE = """dc_eximconfig_configtype='internet'
dc_other_hostnames='example.org'
dc_local_interfaces='127.0.0.1'
dc_readhost=''
dc_relay_domains=''
dc_minimaldns='true'
dc_relay_nets=''
dc_smarthost=''
CFILEMODE='644'
dc_use_split_config='true'
dc_hide_mailname=''
dc_mailname_in_oh='true'
dc_localdelivery='mail_spool'
"""


class Exim(Program):
    name = "exim-dovecot"
    title = "Exim, authenticator dovecot"
    origin = True
    folder = "exim"
    packages = ["exim4-daemon-heavy"]
    # 435 is Exim's code for an authenticator that could not decide
    right, wrong, away = "235", "535", "435"

    def prepare(self, stage):
        stage.user("Debian-exim", home="/var/spool/exim4")

    def start(self, stage):
        stage.certificate()
        stage.run("cp", "/etc/ssl/certs/ssl-cert-snakeoil.pem", "/etc/exim4/exim.crt")
        stage.run("install", "-m", "640", "-g", "Debian-exim", "/etc/ssl/private/ssl-cert-snakeoil.key", "/etc/exim4/exim.key")
        stage.write("/etc/exim4/update-exim4.conf.conf", UPDATE)
        stage.directory("/var/lib/exim4", 0o755)
        for folder in ("/var/spool/exim4", "/var/log/exim4"):
            stage.directory(folder, 0o750, "Debian-exim", "Debian-exim")
        stage.write("/etc/aliases", "postmaster: root\n")
        stage.place("conf.d", "/etc/exim4/conf.d")
        stage.run("update-exim4.conf")
        stage.spawn("exim4", "-bdf", "-q30m")
        stage.port(587)
        call("account.addGroups", email=self.login, groups=["staff", "admins"])  # regd's answers then name them

    def attempt(self, login, password):
        return wire.smtp(587, login, password)


class EximSaslauthd(Exim):
    name = "exim-saslauthd"
    title = "Exim, condition saslauthd"
    origin = False  # libsasl 2.1.28 does not say, and Exim\'s condition cannot
    folder = "exim-saslauthd"
    door = "saslauthd"

    def prepare(self, stage):
        stage.user("Debian-exim", home="/var/spool/exim4", groups=["sasl"])
