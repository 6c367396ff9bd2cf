#!/bin/bash
# Runs inside a booted systemd: the units of a checkout, and the programs that were built last.  service.sh CHECKOUT
set -euo pipefail
checkout=$1
# shellcheck source=promises.sh
source "$checkout/Tests/Adapters/SystemdTests/promises.sh"

install -D -m 644 -t /usr/lib/systemd/system "$checkout"/systemd/*.{service,socket,timer}
install -D -m 644 "$checkout/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
install -D -m 640 "$checkout/Config/regd.yaml" /etc/regd/regd.yaml
install -D -m 644 "$checkout/systemd/regd.tmpfiles" /usr/lib/tmpfiles.d/regd.conf
systemctl daemon-reload
systemd-sysusers
is "before it is given to the group, the configuration is root's alone" "$(stat -c '%U %G %a' /etc/regd/regd.yaml)" "root root 640"
systemd-tmpfiles --create regd.conf
is "the configuration, which may hold a token, is regd's to read and nobody else's" \
  "$(stat -c '%U %G %a' /etc/regd/regd.yaml)" "root regd 640"

start_and_access
backup_and_restore "$checkout"
stop
first_caller_starts_it
reload
upstream_and_credentials "$checkout"
metrics_for_monitoring
backup_each_night
head_each_day
several_daemons
without_the_socket_unit
wrong_configuration
cannot_start "$checkout"
no_secrets
echo "done"
