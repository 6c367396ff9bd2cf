"""memcached, by Cyrus SASL and saslauthd."""

import struct

from harness import wire
from harness.program import Program


class Memcached(Program):
    name = "memcached"
    title = "memcached, saslauthd"
    folder = "memcached"
    packages = ["memcached", "libsasl2-modules"]
    right, wrong, away = "0x00", "0x20", "0x20"
    mute = "memcached answers every sign-in that libsasl did not accept with 0x20, \"Auth failure\": its protocol has no other word."

    def prepare(self, stage):
        stage.user("memcache")

    def start(self, stage):
        stage.run("cp", "/usr/share/memcached/memcached.conf.default", "/etc/memcached.conf")
        stage.place("memcached.conf", "/etc/memcached.conf", append=True)
        stage.place("sasl2-memcached.conf", "/etc/sasl2/memcached.conf")
        stage.spawn("/usr/share/memcached/scripts/systemd-memcached-wrapper", "/etc/memcached.conf")
        stage.port(11211)

    @staticmethod
    @wire.answered
    def attempt(login, password):
        """SASL's PLAIN in the binary protocol: the status."""
        key, value = b"PLAIN", f"\0{login}\0{password}".encode()
        with wire.Line(11211) as connection:
            connection.socket.sendall(struct.pack(">BBHBBHIIQ", 0x80, 0x21, len(key), 0, 0, 0, len(key) + len(value), 0, 0) + key + value)
            head = connection.file.read(24)
            if len(head) < 24:
                raise wire.Ended()
            return f"0x{struct.unpack('>H', head[6:8])[0]:02x}"
