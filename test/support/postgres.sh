#!/usr/bin/env bash
# Runs a PostgreSQL server in FOLDER until stdin closes, so that it never outlives its test, and removes the folder.
# Prints a line when the server accepts connections. `stop` on stdin stops it as a crash does, `start` starts it again;
# each is answered by a line. Usage: postgres.sh BIN FOLDER FSYNC, where FSYNC is on or off
set -u
bin=$1
folder=$2
fsync=$3

# initdb refuses root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
  as_user=(setpriv --reuid=postgres --regid=postgres --init-groups)
  chown postgres "$folder"
fi
cd "$folder" || exit 1
trap '' INT TERM

server=
start() {
  # Durability is not tested by cutting the power, and fsync takes most of the time.
  "${as_user[@]}" "$bin/postgres" -D data -k "$folder" -c listen_addresses= -c fsync="$fsync" \
    -c max_connections=20 -c shared_buffers=64MB >>log 2>&1 </dev/null &
  server=$!
  until "$bin/pg_isready" -q -h "$folder"; do
    kill -0 "$server" 2>/dev/null || { cat log >&2; exit 1; }
    sleep 0.05
  done
}

# The signal of an immediate shutdown: the server recovers at its next start, as after a crash.
stop() {
  kill -QUIT "$server" 2>/dev/null
  wait "$server" 2>/dev/null
}

finish() {
  [ -z "$server" ] || stop
  cd / && rm -rf "$folder"
}
trap finish EXIT

"${as_user[@]}" "$bin/initdb" -D data -U postgres -A trust --no-sync --encoding=UTF8 --locale=C >/dev/null || exit 1
# One role needs a password; everybody else on this socket is trusted.
{ echo 'local all needs_password scram-sha-256'; cat data/pg_hba.conf; } >hba && cat hba >data/pg_hba.conf
start
echo ready
while read -r command; do
  case $command in
    stop) stop ;;
    start) start ;;
  esac
  echo done
done
