"""Debian's Prometheus, fetched and unpacked: installed, it would be a service of this machine."""

import pathlib
import shutil
import subprocess


def prometheus(place: pathlib.Path) -> pathlib.Path:
    """The directory that has prometheus and promtool."""
    if found := shutil.which("prometheus"):
        return pathlib.Path(found).parent
    programs = place / "usr/bin"
    if not (programs / "promtool").exists():
        print("fetching Debian's prometheus")
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run("apt-get -q download prometheus || { $(test $(id -u) = 0 || echo sudo) apt-get -q update && apt-get -q download prometheus; }",
                       shell=True, check=True, cwd=place, stdin=subprocess.DEVNULL)
        (package,) = place.glob("prometheus_*.deb")
        subprocess.run(["dpkg-deb", "-x", package, place], check=True)
        package.unlink()
    return programs
