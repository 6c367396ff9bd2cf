#!/usr/bin/env bash
# A shell and nc. The request ends with the client's side of the connection, not with a newline, so each call opens a
# connection.
set -euo pipefail
socket=$1

call() {
  printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' "$1" "$2" | nc -U -N "$socket"
}

values() {
  grep -o "\"$1\":\"[^\"]*\"" | cut -d '"' -f 4
}

call rpc.ping null | values result
call registration.validate '{"email":"email@test","password":"12345","passwordConfirmation":null}' |
  values reason | paste -s -d ,
