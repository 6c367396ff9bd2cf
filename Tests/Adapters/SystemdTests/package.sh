#!/bin/bash
# Runs inside a booted systemd: dpkg installs, upgrades, removes and purges the package, and regd's promises are
# checked.
#   package.sh CHECKOUT PACKAGE NEXT-PACKAGE DEVTOOLS-PACKAGE
set -euo pipefail
checkout=$1 package=$2 next=$3 devtools=$4
# shellcheck source=promises.sh
source "$checkout/Tests/Adapters/SystemdTests/promises.sh"
export DEBIAN_FRONTEND=noninteractive
# Container images leave files of packages out, which does not concern this test.
rm -f /etc/dpkg/dpkg.cfg.d/*
# dpkg syncs each file. Under the callers' load, which syncs each registration, that takes minutes on a busy disk.
echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/without-sync
quietly() { "$@" >/root/log 2>&1 || fail "$*: $(cat /root/log)"; }

installs() {
  quietly dpkg -i "$package"
  is "it runs once it is installed, behind its socket" "$(states regd.service regd.socket)" "active active "
  is "and at the next boot" "$(systemctl is-enabled regd.service regd.socket | tr '\n' ' ')" "enabled enabled "
  is "the configuration, which may hold a token, is regd's to read and nobody else's" \
    "$(stat -c '%U %G %a' /etc/regd/regd.yaml)" "root regd 640"
  is "what is for monitoring is off" "$(systemctl is-enabled regd-metrics.socket regd-backup.timer regd-audit-head.timer | tr '\n' ' ')" \
    "disabled disabled disabled "
  is "and its examples are there" "$(ls /usr/share/doc/regd/examples/monitoring | tr '\n' ' ')" "prometheus.yml regd-dashboard.json regd.rules.yml "
  has "it is the operator's to change" "$(dpkg-query -W -f '${Conffiles}' regd)" /etc/regd/regd.yaml
  is "every file is as it was packed" "$(dpkg --verify regd)" ""
  has "environments to rehearse with are there" "$(dpkg -L regd)" /etc/regd/environments/offline.yaml
  has "sentences in each language are there, for the operator to change" "$(dpkg-query -W -f '${Conffiles}' regd)" /etc/regd/messages/ar.yaml
  for file in bash-completion/completions/regctl zsh/vendor-completions/_regctl fish/vendor_completions.d/regctl.fish regd/messages/ar.yaml \
    man/man8/regd.8.gz man/man5/regd.yaml.5.gz man/man5/regd-doors.5.gz man/man7/regd-methods.7.gz man/man1/regctl.1.gz \
    man/man1/regctl-status.1.gz doc/regd/copyright doc/regd/NOTICE.gz \
    doc/regd/examples/site/server.py doc/regd/examples/site/pages/sign-up.html doc/regd/examples/site/words/ar.json; do
    [ -s /usr/share/$file ] || fail "no /usr/share/$file"
  done
  ok "completions, man pages, the example's site and what licences ask for are there"
  is "the example's site can be started" "$(stat -c %a /usr/share/doc/regd/examples/site/start)" 755
  is "the programs that regctl becomes are there" "$(ls /usr/libexec/regd | tr '\n' ' ')" "regd-login regd-tools "
  is "the example for PAM starts one of them" \
    "$(grep -o '/usr/libexec/[^ ]*' /usr/share/doc/regd/examples/doors/pam.d/regd | sort -u)" /usr/libexec/regd/regd-login
  is "bash can read the completions" "$(bash -c 'source /usr/share/bash-completion/completions/regctl && complete -p regctl | wc -l')" 1
  has "what it was linked to is in Depends" "$(dpkg-query -W -f '${Depends}' regd)" libsodium23
  # the names of the first two packages go on differently in each release of Debian
  for package_name in libcurl4 libldap libpq5 libssl3; do
    has "Depends has $package_name, which regd loads when it needs it" "$(dpkg-query -W -f '${Depends}' regd)" "$package_name"
  done
  is "both programs say the package's version" "$(regd --version), $(regctl --version)" "regd $(program_version), regctl $(program_version)"
}
# without the release that the package is built for
program_version() { version | sed 's/~.*//'; }
version() { dpkg-query -W -f '${Version}' regd; }

# The commands for developers, whose programs are in the other package.
has_tools_for_developers() {
  has "without the developers' package, regctl names it" "$(regctl matrix 2>&1 || true)" "the package regd-devtools installs it"
  quietly dpkg -i "$devtools"
  quietly regctl simulate --seed 1
  ok "with it, regctl simulates the configuration"
  quietly regctl matrix --filter answer-lost
  ok "and plays an environment"
  is "its notices are those of regd" "$(readlink /usr/share/doc/regd-devtools)" regd
  quietly dpkg --purge regd-devtools
  is "and it takes its programs away" "$(ls /usr/libexec/regd | tr '\n' ' ')" "regd-login regd-tools "
}

# Its size, and the resources that it uses while idle.
measures() {
  systemctl restart regd
  ask rpc.ping >/dev/null
  echo "   the package: $(stat -c %s "$package") bytes; installed: $(dpkg-query -W -f '${Installed-Size}' regd) KiB"
  grep -E '^(VmRSS|RssAnon|RssFile|Threads)' "/proc/$(property MainPID)/status" | sed 's/^/   idle: /'
}

# Upgrades like an operator, with exactly the commands of the article.
upgrades_by_the_book() {
  local install before
  install=$(sed -n 's/^    \(apt-get install .*regd_\*\.deb\) .*/\1/p' "$checkout/Sources/Daemon/Daemon/Daemon.docc/Installing.md")
  is "the article says how to install" "$(echo "$install" | wc -w)" 3
  before=$(version)
  mkdir -p /root/book/.build/deb && cp "$next" /root/book/.build/deb/regd_next_all.deb
  echo 'a fine phrase' | regctl register --timeout 30 kept@example.com --password-stdin >/dev/null
  (cd /root/book && quietly bash -c "$install -y")
  has "apt takes the package of a later commit for an upgrade" "$(cat /root/log)" "1 upgraded"
  is "which is another version" "$([ "$(version)" != "$before" ] && echo yes)" yes
  is "that callers are told" "$(regctl call rpc.serverInfo | sed 's/.*"version":"\([^"]*\)".*/\1/')" "$(program_version)"
  has "and the accounts are there" "$(addresses)" kept@example.com
  quietly dpkg -i --force-confold "$package"
}

signs_in_through_pam() {
  printf 'auth required pam_regd.so socket=%s\naccount required pam_permit.so\n' $socket >/etc/pam.d/regd-package
  pam() { echo "$1" | pamtester regd-package kept@example.com authenticate 2>&1 || true; }
  has "the PAM module is where libpam looks, and lets the right password in" "$(pam 'a fine phrase')" "successfully authenticated"
  has "and not a wrong one" "$(pam 'another phrase')" "Authentication failure"
  systemctl stop regd.socket regd.service
  has "away is not wrong" "$(pam 'a fine phrase')" "Authentication service cannot retrieve"
  systemctl start regd.socket
  rm /etc/pam.d/regd-package
}

upgrades_under_load() {
  local inode
  inode=$(stat -c %i $socket)
  echo '# mine' >>/etc/regd/regd.yaml
  load_begin
  quietly dpkg -i --force-confold "$next"
  more_acknowledged
  quietly dpkg -i --force-confold "$package"
  more_acknowledged
  load_end
  none_refused "an upgrade and a downgrade under load"
  none_lost "an upgrade and a downgrade under load"
  is "the socket has been the same all the time" "$(stat -c %i $socket)" "$inode"
  is "the operator's configuration is kept, and regd's to read" \
    "$(tail -1 /etc/regd/regd.yaml) $(stat -c '%U %G %a' /etc/regd/regd.yaml)" "# mine root regd 640"
}

# A regd that waits for its PostgreSQL server does not hold up dpkg, which may have to start that server afterwards.
upgrades_without_its_server() {
  mkdir -p /etc/systemd/system/regd.service.d
  printf '%s\n' '[Service]' Environment=REGD_STORE_BACKEND=postgresql \
    'Environment=REGD_STORE_POSTGRESQL_URL=postgresql://regd@127.0.0.1:1/regd' >/etc/systemd/system/regd.service.d/test.conf
  systemctl daemon-reload
  systemctl restart --no-block regd
  reached "a regd whose PostgreSQL server is away waits for it" in_words "the store has been failing"
  quietly timeout 300 dpkg -i --force-confold "$next"
  is "an upgrade does not wait for the server" "$(states regd.service)" "activating "
  is "and has restarted regd" "$(regctl call rpc.serverInfo | sed 's/.*"version":"\([^"]*\)".*/\1/')" "$(program_version)"
  rm -r /etc/systemd/system/regd.service.d
  systemctl daemon-reload
  quietly dpkg -i --force-confold "$package"
  is "which is ready with its own store" "$(states regd.service)" "active "
}

removes_and_purges() {
  install -m 640 -g regd /etc/regd/regd.yaml /etc/regd/blue.yaml
  systemctl start regd@blue regd-metrics.socket regd-backup.timer regd-audit-head.timer || fail "systemctl start regd@blue and timers"
  # a caller that connects while regd stops is refused, and must not start regd again
  load_begin
  quietly dpkg --remove regd
  load_end
  is "removing it under load stops all" \
    "$(states regd.service regd.socket regd@blue.service regd@blue.socket regd-metrics.socket regd-backup.timer regd-audit-head.timer)" \
    "inactive inactive inactive inactive inactive inactive inactive "
  is "and no regd runs" "$(pgrep -x regd || true)" ""
  is "and keeps the accounts and the configuration" "$(ls /var/lib/regd/regd.db /etc/regd/regd.yaml | wc -l)" 2
  quietly dpkg -i --force-confold "$package"
  has "which are there when it is installed again" "$(regctl account list)" "a@example.com"
  quietly dpkg --purge regd
  is "purging takes the accounts away" "$(ls -d /var/lib/regd 2>/dev/null)" ""
  is "and what was packed" "$(ls /lib/systemd/system /usr/bin | grep regd || true)" ""
  is "but not what the operator made" "$(ls /etc/regd)" "blue.yaml"
  quietly dpkg -i "$package"
  is "installed again, it begins anew" "$(states regd.service) $(regctl account list)" "active  "
}

installs
measures
has_tools_for_developers
start_and_access
backup_and_restore "$checkout"
stop
first_caller_starts_it
crash
reload
journal_fields
store_away
watchdog
under_load
upgrades_by_the_book
signs_in_through_pam
upgrades_under_load
upgrades_without_its_server
upstream_and_credentials "$checkout"
metrics_for_monitoring
backup_each_night
head_each_day
several_daemons
without_the_socket_unit
wrong_configuration
cannot_start "$checkout"
no_secrets
removes_and_purges
echo "done"
