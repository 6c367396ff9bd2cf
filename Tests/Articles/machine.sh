# A machine on which regd is installed and runs, and the functions that the comments above the articles' blocks may
# call.
set -euo pipefail
export LC_ALL=C.UTF-8 TERM=xterm NO_COLOR=1 SYSTEMD_PAGER= PATH=/usr/sbin:/usr/bin:/sbin:/bin
now="before the first command"
at() { now=$1; }
trap 'status=$?; [ $status = 0 ] || { echo "FAIL at $now (exit status $status)"; journalctl --no-pager -u "regd*" | tail -30; }' EXIT

# refused REASON COMMAND: the command fails and prints the reason. "refused" means any reason.
refused() {
  local said
  if said=$(eval "$2" 2>&1); then echo "$said"; echo "FAIL at $now: it is not refused"; exit 1; fi
  echo "$said"
  [ "$1" = refused ] || [[ $said == *"$1"* ]] || { echo "FAIL at $now: it is not refused as $1"; exit 1; }
}

# endless COMMAND: a command that runs until Control-C. It is ended with its block. Before that, it must print something
# or accept a connection at its port.
running=()
started=0
endless() {
  local log=/root/endless-$((started++))
  # a separate program, and not a function of this shell
  setsid bash -c "exec $1" >$log 2>&1 </dev/null &
  running+=($!)
  case $1 in
    *events*) reached subscribed ;;
    *.py*) reached nc -z 127.0.0.1 8080 ;;
    *) reached grep -q Serving $log ;;
  esac
}
# lasting COMMAND: a regd that all blocks from here on use.
lasting() {
  setsid "$@" >/root/lasting 2>&1 </dev/null &
  reached grep -q Serving /root/lasting
}
subscribed() { regctl call daemon.status | grep -q '"subscribers":[1-9]'; }
# stays: the endless commands of the next block run until the end of the article.
stays() { staying=yes; }
staying=
ended() {
  local process
  [ -z "$staying" ] || running=()
  staying=
  for process in "${running[@]}"; do kill -TERM "$process" 2>/dev/null || true; wait "$process" || true; done
  running=()
}
reached() {
  for _ in $(seq 600); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  echo "FAIL at $now: never: $*"
  cat /root/endless-* 2>/dev/null
  exit 1
}

# left COMMAND: a command with a full screen, at which Control-C is typed.
left() {
  local status=0
  eval "$1" || status=$?
  [ $status = 0 ] || [ $status = 130 ] || { echo "FAIL at $now: exit status $status"; exit 1; }
}

# edited TEXT: the text that is typed into the next systemctl edit.
edited() { printf '%s\n' "$1" >/root/edited; }
cat >/root/typist <<'TYPIST'
#!/bin/sh
if grep -qs '^### Anything' "$1"; then sed -i '/^### Anything/r /root/edited' "$1"; else cat /root/edited >"$1"; fi
TYPIST
chmod +x /root/typist
export SYSTEMD_EDITOR=/root/typist

# settings KEY=VALUE…: regd runs with these variables. Without arguments, it runs with no variables.
settings() {
  mkdir -p /etc/systemd/system/regd.service.d
  { echo '[Service]'; for setting in "$@"; do echo "Environment=\"$setting\""; done; } >/etc/systemd/system/regd.service.d/settings.conf
  systemctl daemon-reload
  systemctl restart regd
}
# postgresql: a server exists, whose administrator is root.
postgresql() {
  pg_dropcluster 15 main 2>/dev/null || true
  pg_createcluster 15 main -- --auth=trust >/dev/null
  pg_ctlcluster 15 main start
  export PGUSER=postgres
}
# registered ADDRESS…: the accounts exist.
registered() { local address; for address in "$@"; do echo 'a fine phrase' | regctl register "$address" --password-stdin >/dev/null; done; }
# saved FILE…: each block of the article that begins with the line "# FILE" is that file in the working directory.
saved() {
  local file
  for file in "$@"; do
    awk -v "head=# $file" '/^```/ { if (found) exit; first = 1; next } first { found = $0 == head } { first = 0 } found' "$CHECKOUT/$ARTICLE" >"$file"
    [ -s "$file" ] || { echo "FAIL at $now: no block of $ARTICLE begins with # $file"; exit 1; }
  done
}
# mailed ADDRESS: the code of the last mail to the address, with mail.backend file.
mails=/var/lib/regd/mails
mailed() { reached grep -lrq "To:.*$1" $mails; grep -l "To:.*$1" $mails/* | tail -1 | xargs grep -oE '\b[0-9]{6}\b' | head -1; }

mkdir -p /root/book/.build && cd /root/book
ln -s "$CHECKOUT/Config" Config
ln -s /usr/bin .build/debug
install -D -m 644 -t /usr/lib/systemd/system "$CHECKOUT"/systemd/*.{service,socket,timer}
install -D -m 644 "$CHECKOUT/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
install -D -m 644 "$CHECKOUT/systemd/regd.tmpfiles" /usr/lib/tmpfiles.d/regd.conf
install -D -m 644 "$CHECKOUT/systemd/regd.catalog" /usr/lib/systemd/catalog/regd.catalog
install -D -m 640 Config/regd.yaml /etc/regd/regd.yaml
install -D -m 644 -t /etc/regd/messages Config/messages/*.yaml
install -D -m 644 -t /etc/regd/environments Config/environments/*.yaml
install -D -m 644 -t /usr/share/doc/regd/examples/monitoring Config/monitoring/*
mkdir -p /usr/share/doc/regd/examples && cp -r Config/doors /usr/share/doc/regd/examples/doors
install -D -m 644 "$CHECKOUT/systemd/upstream.conf" /usr/share/doc/regd/examples/upstream.conf
useradd --create-home alice
systemd-sysusers
systemd-tmpfiles --create regd.conf 2>/dev/null
install -d -o regd -g regd -m 700 /var/lib/regd $mails
journalctl --update-catalog
systemctl daemon-reload
systemctl --quiet enable --now regd.socket regd
