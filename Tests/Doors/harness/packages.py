"""Debian's packages, downloaded and extracted beside each other; nothing is installed."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

APT = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=3"]
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


class Missing(Exception):
    """Why packages cannot be had."""


def tree(names: list[str], place: pathlib.Path) -> pathlib.Path:
    """Returns the directory with the files of the packages and of what they depend on that this machine lacks."""
    if not names:
        (place / "trees" / "none").mkdir(parents=True, exist_ok=True)
        return place / "trees" / "none"
    key = "+".join(sorted(names))
    if len(key) > 80:
        key = key[:60] + hashlib.sha256(key.encode()).hexdigest()[:12]
    made = place / "trees" / key
    if (made / ".complete").exists():
        return made
    archives = [archive(package, version, place / "archives") for package, version in lacking(names)]
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    for file in archives:
        extract(file, made)
    (made / ".complete").write_text(" ".join(names) + "\n")
    return made


def lacking(names: list[str], update: bool = True) -> list[tuple[str, str]]:
    """Returns what apt would install for the packages and which versions, and those that are installed without a version."""
    asked = subprocess.run([*APT, "install", "--simulate", "--no-install-recommends", *names], env=ENVIRONMENT, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if asked.returncode != 0:
        if not update:
            raise Missing(asked.stdout.strip().splitlines()[-1])
        refresh()
        return lacking(names, update=False)
    found = re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+) ", asked.stdout, re.MULTILINE)
    # installed packages are also extracted, so that a tree does not depend on them
    return found + [(name, "") for name in names if name not in {package for package, _ in found}]


def refresh():
    """Fetches apt's lists."""
    subprocess.run([*APT, "update"], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def archive(package: str, version: str, place: pathlib.Path) -> pathlib.Path:
    """Returns the package's file, which is downloaded once."""
    place.mkdir(parents=True, exist_ok=True)
    pattern = f"{package.split(':')[0]}_{version.replace(':', '%3a') or '*'}_*.deb"
    for attempt in range(2):
        found = sorted(place.glob(pattern))
        if found:
            return found[0]
        got = subprocess.run([*APT, "download", f"{package}={version}" if version else package], cwd=place, env=ENVIRONMENT, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if got.returncode != 0 and attempt == 0:
            refresh()  # the lists name a version that the archive has replaced
    raise Missing((got.stdout.strip().splitlines() or [f"{package} cannot be downloaded"])[-1])


def extract(file: pathlib.Path, place: pathlib.Path):
    """Extracts a package into a tree as a merged /usr has it, where /lib is a link that an overlay must not hide."""
    apart = place / ".package"
    subprocess.run(["dpkg-deb", "-x", file, apart], check=True)
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        if (apart / name).is_dir() and not (apart / name).is_symlink():
            (apart / "usr").mkdir(exist_ok=True)
            subprocess.run(["cp", "-a", "--no-target-directory", apart / name, apart / "usr" / name], check=True)
            shutil.rmtree(apart / name)
    for name in ("run", "var/run", "var/lock"):  # links or a separate file system on the machine
        if (apart / name).is_dir() and not (apart / name).is_symlink():
            shutil.rmtree(apart / name)
    subprocess.run(["cp", "-a", "--no-target-directory", apart, place], check=True)
    shutil.rmtree(apart)
