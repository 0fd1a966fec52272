#!/usr/bin/env bash
# Installs cb as people do, in a Debian without Node and with an empty HOME, from a server on loopback. Needs root, debootstrap, and
# dist/release/ with install.sh described for http://127.0.0.1:8417/cb. Takes a minute after the first download of Debian's base.
# The last line is `N passed, N failed`; exits with 1 if any failed.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
release=$root/dist/release
base=${CB_TEST_BASE:-/var/cache/cb-test-base}
work=$(mktemp -d)

cleanup() {
  [ -z "${server:-}" ] || kill "$server"
  mountpoint -q "$work/root/small" && umount "$work/root/small"
  mountpoint -q "$work/root/proc" && umount "$work/root/proc"
  rm -rf "$work"
}
trap cleanup EXIT

# shellcheck source=test/support/check.sh
. "$root/test/support/check.sh"

[ -d "$base/usr" ] || debootstrap --variant=minbase --include=curl,ca-certificates bookworm "$base" >/dev/null || exit 1
cp -a "$base" "$work/root"
mkdir -p "$work/root"/{home/vendor,small,packages}
# Node reads /proc; curl needs no resolver for an address.
mount -t proc proc "$work/root/proc"
cp "$release"/*.deb "$work/root/packages/"

# /cb serves the release, /tampered other bytes, and /cut half of each archive.
cat >"$work/server.cjs" <<'JS'
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
createServer(({ url }, reply) => {
  const [, way, name] = /^\/(cb|tampered|cut)\/.*?([^/]+)$/.exec(url) ?? [];
  const bytes = readFileSync(`${process.argv[2]}/${name}`);
  const isArchive = name.includes('.tar.');
  if (way === 'tampered' && isArchive) bytes[bytes.length >> 1] ^= 1;
  if (name === 'install.sh') return reply.end(bytes.toString().replaceAll('/cb/releases', `/${way}/releases`));
  reply.setHeader('content-length', bytes.length);
  if (way !== 'cut') return reply.end(bytes);
  reply.write(bytes.subarray(0, bytes.length >> 1), () => reply.destroy());
}).listen(8417, '127.0.0.1');
JS
node "$work/server.cjs" "$release" &
server=$!
sleep 1

# Runs a line in the Debian, in which nothing but loopback is needed.
inside() {
  chroot "$work/root" /usr/bin/env -i HOME=/home/vendor PATH=/home/vendor/.local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    bash -euc "cd; $1"
}

script() { echo "curl -fsS http://127.0.0.1:8417/$1/releases/download/v/install.sh | sh -s -- ${2:-}"; }

# refuses WAY SENTENCE [OPTIONS]: the script fails with this sentence and leaves the folder as it was.
refuses() {
  local folder=/home/vendor/.local/bin
  [[ ${3:-} == *small* ]] && folder=/small
  local before after
  before=$(ls -lA "$work/root$folder" 2>/dev/null)
  inside "set -o pipefail; $(script "$1" "${3:-}")" >"$work/said" 2>&1 && return 1
  cat "$work/said"
  after=$(ls -lA "$work/root$folder" 2>/dev/null)
  # The folder itself may be new.
  [ "$before" = "$after" ] || [ "$after" = 'total 0' ] || return 1
  grep -q "$2" "$work/said"
}

put_version() {
  mkdir -p "$work/root/home/vendor/.local/bin"
  printf '#!/bin/sh\necho %s\n' "$1" >"$work/root/home/vendor/.local/bin/cb"
  chmod 755 "$work/root/home/vendor/.local/bin/cb"
}

small_disk() { mount -t tmpfs -o size=60m tmpfs "$work/root/small"; }

without_node() { ! inside 'command -v node || command -v npm'; }

first_ten_minutes() {
  inside '
    cb --version
    cb --sandbox today
    cb --sandbox orders list --period last-7-days -o csv --out week.csv && test -s week.csv
    cb --sandbox orders list --period last-7-days --out week.xlsx
    cb --sandbox sync --since -10d
    test "$(cb --sandbox sql "select count(*) > 10 as many from orders" -o json | tr -d " \n")" = "[{\"many\":1}]"
    cb sandbox exec -- cb orders count --period last-month
    export CB_INS_SECRET=SECRET1KEY2026AB
    cb ins trigger SALE | cb ins decrypt -o tsv --no-header --fields transactionType | grep -x SALE
    printf "%s\n" "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}" |
      cb --sandbox mcp | grep -q serverInfo
    cb completion bash | grep -q "complete "'
}

check 'the system has no Node' without_node
check 'refuses a tampered archive' refuses tampered 'damaged or not the released one'
check 'refuses a cut download' refuses cut 'The download failed'
check 'mounts a small disk' small_disk
check 'reports a full disk' refuses cb 'Is the disk full' '--dir /small'
check 'installs' inside "$(script cb)"
check 'leaves nothing but cb' test "$(ls -A "$work/root/home/vendor/.local/bin")" = cb
check 'runs the first commands' first_ten_minutes
put_version 0.0.1
check 'replaces an older version' inside "$(script cb) && test \"\$(cb --version)\" != 0.0.1"
put_version 99.0.0
check 'keeps a newer version' inside "$(script cb) | grep 'is newer than' && test \"\$(cb --version)\" = 99.0.0"
check 'uninstalls' inside "$(script cb --uninstall) && ! test -e .local/bin/cb"
rm -rf "$work/root/home/vendor" && mkdir "$work/root/home/vendor"
check 'installs the .deb' inside 'dpkg --install /packages/*.deb && test "$(command -v cb)" = /usr/bin/cb'
check 'runs the first commands of the .deb' first_ten_minutes
check 'has man pages and completion' inside 'dpkg -L clickbank-cli | grep -q "man1/cb.1" && test -s /usr/share/bash-completion/completions/cb'
check 'removes the .deb' inside 'dpkg --remove clickbank-cli && ! test -e /usr/bin/cb'

if command -v rpm >/dev/null; then
  # The names of the dependencies are those of Fedora.
  check 'installs the .rpm' rpm --root "$work/root" --nodeps --install "$release"/*.rpm
  check 'runs the first commands of the .rpm' first_ten_minutes
  check 'the .rpm has man pages and completion' bash -c \
    'cd "$0/usr/share" && test -s man/man1/cb.1* && test -s bash-completion/completions/cb' "$work/root"
  check 'removes the .rpm' bash -c 'rpm --root "$0" --erase clickbank-cli && ! test -e "$0/usr/bin/cb"' "$work/root"
fi

report
