"""A certificate of example.org, as a maintainer script or an operator would have made it."""


def make(stage, path: str, owner: str):
    """Writes key and certificate into one file, which its owner alone reads."""
    stage.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
              "-subj", "/CN=example.org", "-addext", "subjectAltName=DNS:example.org", "-keyout", "/tmp/key.pem", "-out", "/tmp/certificate.pem")
    stage.write(path, open("/tmp/key.pem").read() + open("/tmp/certificate.pem").read(), 0o600, owner)
