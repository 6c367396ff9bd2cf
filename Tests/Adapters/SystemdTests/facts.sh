# The functions with which the scripts in this directory report facts: one line "ok …" for each fact. The first fact
# that is not true ends the script.
ok() { echo "ok $*"; }
fail() {
  journalctl --no-pager -u 'regd*' | tail -60
  echo "FAIL $*" # last, because the gate shows the end of a log
  exit 1
}
is() { [ "$2" = "$3" ] || fail "$1: \"$2\" is not \"$3\""; ok "$1"; }
has() { case $2 in *"$3"*) ok "$1" ;; *) fail "$1: no \"$3\" in \"$2\"" ;; esac; }
# reached SENTENCE COMMAND…: the command succeeds at some time. The time limit only ends a command that hangs.
reached() {
  local sentence=$1
  shift
  for _ in $(seq 600); do "$@" >/dev/null 2>&1 && { ok "$sentence"; return; }; sleep 0.1; done
  fail "$sentence: never"
}
property() { systemctl show -P "$1" "${2:-regd.service}"; }
states() { systemctl is-active "$@" | tr '\n' ' '; }
socket=/run/regd/regd.sock
# A caller that gives up, so that a regd that hangs is a failure, and the test ends.
ask() { regctl call --timeout 30 "$@"; }
register() { echo 'a fine phrase' | regctl register --timeout 30 "$1" --password-stdin; }
addresses() { regctl account list | awk '{print $NF}' | sort; }

# Callers that register one address after the other, until load_end. Each writes which registrations regd acknowledged,
# and which it did not.
load_begin() {
  rm -rf /root/load && mkdir /root/load && touch /root/load/acknowledged /root/load/refused
  callers=()
  for caller in 1 2 3 4; do
    (
      number=0
      while [ ! -e /root/load/end ]; do
        number=$((number + 1)) address=load-$RANDOM-$caller-$number@example.com
        if register "$address" >/root/load/$caller.said 2>&1; then
          echo "$address" >>/root/load/acknowledged
        else
          echo "$address: exit status $?, $(cat /root/load/$caller.said)" >>/root/load/refused
        fi
      done
    ) &
    callers+=($!)
  done
  more_acknowledged
}
acknowledged() { wc -l </root/load/acknowledged; }
# Waits until the callers have received a dozen more answers.
more_acknowledged() {
  local then
  then=$(acknowledged)
  for _ in $(seq 600); do [ "$(acknowledged)" -ge $((then + 12)) ] && return; sleep 0.1; done
  fail "the callers are answered no more: $(cat /root/load/refused | tail -3)"
}
load_end() {
  touch /root/load/end
  wait "${callers[@]}"
}
none_refused() { is "$1: no caller was refused" "$(cat /root/load/refused)" ""; }
none_lost() {
  is "$1: none of the acknowledged registrations is lost" "$(comm -23 <(sort /root/load/acknowledged) <(addresses))" ""
  echo "   $(acknowledged) were acknowledged"
}
