#!/bin/bash
# Runs inside a booted systemd: tests mistakes that need a unit and the machine's users.  doctor.sh CHECKOUT
# Each line "ok …" is a fact. The first fact that is not true ends the script.
set -euo pipefail
checkout=$1
has() { # WHAT OUTPUT TEXT...
  local what=$1 output=$2 text
  shift 2
  for text in "$@"; do case $output in *"$text"*) ;; *) echo "FAIL $what: no \"$text\" in"; echo "$output"; exit 1 ;; esac; done
  echo "ok $what"
}
# on one line, because the report is wrapped and aligned
doctor() { { "$@" regctl doctor 2>&1 || true; } | tr -s ' \n' ' '; }

install -D -m 644 "$checkout/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
systemd-sysusers
install -D -m 640 -g regd "$checkout/Config/regd.yaml" /etc/regd/regd.yaml
useradd alice

has "before the start" "$(doctor env)" "problem socket" "/run/regd/regd.sock does not exist" "> systemctl start regd.service" \
  "unknown service" "ok configuration /etc/regd/regd.yaml is valid"
systemctl start regd
has "a regd that is well" "$(doctor env)" "ok socket" "ok service regd.service is active" "ok store" \
  "ok lock /run/regd/regd.sock.lock belongs to the running regd" "ok descriptors"
session() { doctor setpriv --reuid alice --regid alice "$@"; }
has "who is no member" "$(session --clear-groups)" "group regd; alice is not a member" "> sudo usermod -aG regd alice" \
  "unknown configuration" "> sudo regctl doctor"
usermod -aG regd,regd-admin alice
has "who has become one" "$(session --clear-groups)" "alice is a member, but was not when this session" "> newgrp regd" \
  "warning groups"
has "after a new log-in" "$(session --init-groups)" "ok socket" "ok groups alice is in regd and regd-admin" \
  "ok administration"
mkdir -p /etc/systemd/system/regd.service.d
printf '[Service]\nLimitNOFILE=1000\n' >/etc/systemd/system/regd.service.d/less.conf
systemctl daemon-reload
systemctl restart regd
has "too few descriptors" "$(doctor env)" "warning descriptors" "> systemctl edit regd.service # LimitNOFILE=4224"
sed -i 's/idBytes:/idByte:/' /etc/regd/regd.yaml
systemctl restart regd || true
has "a wrong file" "$(doctor env)" "problem service" "regd.service has failed (exit-code)" "> journalctl -u regd.service" \
  "problem configuration /etc/regd/regd.yaml:" "limits.idByte: unknown; did you mean \"limits.idBytes\"?"
# the store's directory, as the unit's user sees it from its sandbox
sed -i 's/idByte:/idBytes:/; s|/var/lib/regd/regd.db|/srv/regd/regd.db|' /etc/regd/regd.yaml
install -d -o regd -m 700 /srv/regd
systemctl restart regd || true
has "a place that the sandbox does not allow" "$(doctor env)" "problem filesystem" "regd.service cannot write to /srv/regd: its sandbox" \
  "> systemctl edit regd.service # [Service] ReadWritePaths=/srv/regd"
printf '[Service]\nReadWritePaths=/srv/regd\n' >/etc/systemd/system/regd.service.d/place.conf
chown root: /srv/regd
systemctl daemon-reload
systemctl restart regd || true
has "a directory of another user" "$(doctor env)" "problem filesystem /srv/regd belongs to root (mode 0700), but regd.service runs as regd" \
  "> chown regd: /srv/regd"
sed -i 's|/srv/regd/regd.db|/var/lib/regd/regd.db|' /etc/regd/regd.yaml
# systemd would start a failed unit again each second, and the doctor would warn of these restarts
systemctl stop regd
# systemd has made the socket, and the kernel names systemd as the listener
install -m 644 "$checkout/systemd/regd.socket" /etc/systemd/system
systemctl daemon-reload
systemctl reset-failed
systemctl start regd.socket
has "a socket that systemd holds" "$(doctor env)" "ok socket" "ok service regd.service is active" \
  "ok configuration /etc/regd/regd.yaml is valid" "regd may open 1000 files"
echo done
