#!/bin/sh
# Runs Quarterdeck with the runtime that came with it: quarterdeck start, quarterdeck --help.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
home=$(CDPATH='' cd -- "$(dirname -- "$self")" && pwd -P) || exit 1
case $0 in
  */*) command=$0 ;;
  *) command=quarterdeck ;;
esac
export QUARTERDECK_HOME="$home" QUARTERDECK_COMMAND="$command"
export PRIVATE_SEEDS_DIR="${PRIVATE_SEEDS_DIR:-settings}"

[ $# -gt 0 ] || set -- --help
if [ "$1" != start ]; then
  exec "$home/current/runtime/node" "$home/current/src/launch.mjs" "$@"
fi

# A start goes on with another version when an upgrade asks for it (src/upgrade/place.ts). `.upgrade` says which process that is,
# `.ending` that it ends what runs, `.again` that it wants a start. Should it die in between, whatever is current starts; where that
# is on trial (`.trial`: who tries it, and what was there before) and ends by itself, the one before starts, and takes its place back.
stopping=
program=current
child=
trap 'stopping=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM HUP
trap 'stopping=1; [ -z "$child" ] || kill -INT "$child" 2>/dev/null' INT
trap '[ -z "$child" ] || kill -USR2 "$child" 2>/dev/null' USR2
while :; do
  "$home/$program/runtime/node" "$home/$program/src/launch.mjs" "$@" &
  child=$!
  # A signal ends a wait, not the child.
  while :; do
    wait "$child"
    code=$?
    kill -0 "$child" 2>/dev/null || break
  done
  child=
  while [ -z "$stopping" ] && [ -e "$home/.upgrade" ] && [ ! -e "$home/.again" ] &&
    kill -0 "$(cat "$home/.upgrade")" 2>/dev/null; do
    sleep 0.2
  done
  again=
  if [ -e "$home/.again" ] || [ -e "$home/.ending" ]; then again=1; fi
  rm -f "$home/.again" "$home/.ending"
  if [ "$program" = current ] && [ -z "$again" ] && [ -e "$home/.trial" ]; then
    { read -r tries && read -r before; } < "$home/.trial"
    if [ -x "$home/versions/$before/runtime/node" ]; then program=versions/$before again=1; fi
  else
    program=current
  fi
  kill -0 "$(cat "$home/.upgrade" 2>/dev/null)" 2>/dev/null || rm -f "$home/.upgrade"
  if [ -n "$stopping" ] || [ -z "$again" ]; then exit "$code"; fi
done
