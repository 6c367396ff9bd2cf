import ftplib
import ssl

from harness import wire
from harness.program import Program


class Vsftpd(Program):
    name = "vsftpd"
    title = "vsftpd, pam_regd.so"
    folder = "vsftpd"
    packages = ["vsftpd", "openssl"]
    right, wrong, away = "230", "530", "530"
    mute = "FTP has one code for it, and vsftpd says it for every end of PAM but success; the journal has pam_regd.so's reason"

    skip = {"works/typed": "its directories are named by what was typed"}

    def start(self, stage):
        stage.user("ftp", home="/srv/ftp")
        stage.directory("/var/run/vsftpd/empty")
        stage.directory(f"/srv/ftp/{self.login}", owner="ftp", group="ftp")
        stage.place("vsftpd.conf", "/etc/vsftpd.conf")
        stage.place("pam", "/etc/pam.d/vsftpd")
        stage.certificate()
        stage.spawn("vsftpd", "/etc/vsftpd.conf")
        stage.port(21)

    @wire.answered
    def attempt(self, login, password):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with ftplib.FTP_TLS(timeout=wire.PATIENCE, context=context, encoding="utf-8") as client:
            client.connect("127.0.0.1", 21)
            try:
                return client.login(login, password)[:3]
            except ftplib.Error as refusal:
                return str(refusal)[:3]
