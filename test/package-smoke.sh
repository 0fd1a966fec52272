#!/usr/bin/env bash
# Tests the package as a user gets it: packs the repository, installs the package locally, globally and
# from Git, and runs cb with an empty home, also on other versions of Node, which are packages of the
# registry. Needs dist/. The last line is `N passed, N failed`; exits with 1 if any failed.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

# shellcheck source=test/support/check.sh
. "$root/test/support/check.sh"

# begin NAME COMMAND...: starts what takes long, beside the checks. `check … ended NAME` waits for it and reports it.
declare -A begun
begin() {
  local name=$1
  shift
  "$@" >"$work/begun-$name" 2>&1 </dev/null &
  begun[$name]=$!
}

ended() {
  local status
  wait "${begun[$1]}"
  status=$?
  cat "$work/begun-$1"
  return "$status"
}

pack() { (cd "$root" && npm pack --ignore-scripts --pack-destination "$work"); }

# The folder of the Node that runs cb; empty for the one in PATH.
node=

contains_required_files() {
  local files
  files=$(tar -tzf "$work"/*.tgz | sed 's,^package/,,')
  echo "$files"
  for needed in bin/cb.js bin/package.json dist/main.js dist/package.json \
    dist/THIRD-PARTY-LICENSES.txt dist/library/index.js dist/library/index.d.ts dist/library/sandbox.js \
    dist/library/sandbox.d.ts dist/library/package.json dist/library/THIRD-PARTY-LICENSES.txt \
    LICENSE README.md package.json; do
    grep -qxF "$needed" <<<"$files" || return 1
  done
  ! grep -qE '^(src|test|node_modules|\.)|meta\.json$' <<<"$files"
}

# The tarball has no native parts, so its size is the same everywhere.
is_small() {
  local bytes
  bytes=$(cat "$work"/*.tgz | wc -c)
  echo "$bytes bytes"
  [ "$bytes" -le 2000000 ]
}

# Every program file is loaded, directly or indirectly, by an entry file.
contains_no_unused_files() {
  local dist=$work/full/node_modules/clickbank-cli/dist
  node "$root/test/support/unused-files.cjs" "$dist" main.js &&
    node "$root/test/support/unused-files.cjs" "$dist/library" index.js ins.js sandbox.js
}

# A program on the library reads orders of a sandbox, and creates a ticket.
write_program() {
  cat >"$work/full/program.mts" <<'END'
import { createClient, type Order } from 'clickbank-cli';
import { startSandbox } from 'clickbank-cli/sandbox';

const sandbox = await startSandbox({ orders: 100, now: new Date('2026-03-18T18:30:00Z') });
const client = createClient(sandbox);
const orders: Order[] = await client.orders
  .list({ startDate: '2026-01-01', endDate: '2026-03-18' })
  .toArray({ limit: 3 });
const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', refundType: 'FULL' } as const;
const { state } = await client.safe.tickets.create({ receipt: 'DIGITAL1', ...refund });
console.log(`${orders.length} orders, ${state}`);
await client.close();
await sandbox.close();
END
}

type_checks_a_program() {
  write_program && cd "$work/full" && node "$root/node_modules/typescript/bin/tsc" program.mts --noEmit \
    --ignoreConfig --strict --module nodenext --target es2023 --lib es2023,dom --types ''
}

runs_a_program() {
  write_program && cd "$work/full" &&
    "$root/node_modules/.bin/esbuild" program.mts --outfile=program.mjs --log-level=warning || return 1
  local output
  output=$(env -i PATH="${node:+$node:}$PATH" HOME="$work/home-full" \
    NODE_OPTIONS="--require $root/test/support/loopback-only.cjs" node program.mjs) || return 1
  [ "$output" = '3 orders, done' ]
}

# npm runs `prepare` only where it builds the package: in a clone, and when it installs from Git.
has_no_install_scripts() {
  ! tar -xOzf "$work"/*.tgz package/package.json | grep -E '"(pre|post)?install"|"(pre|post)pack"'
}

# install_into FOLDER OPTION...: installs the package. npm may use the cache of this user.
install_into() {
  local folder=$work/$1
  shift
  mkdir -p "$folder" && cd "$folder" && npm init -y &&
    npm install --prefer-offline --no-audit --no-fund "$@" "$work"/*.tgz
}

# cb FOLDER ARGUMENT...: runs the cb of FOLDER with an empty home, without a terminal or a network.
cb() {
  local folder=$1
  shift
  mkdir -p "$work/home-$folder"
  local program=$work/$folder/node_modules/.bin/cb
  [ -e "$program" ] || program=$work/$folder/bin/cb
  env -i PATH="${node:+$node:}$PATH" HOME="$work/home-$folder" CI=true \
    NODE_OPTIONS="--require $root/test/support/loopback-only.cjs" "$program" "$@"
}

# install_globally FOLDER PACKAGE OPTION...: as `npm install --global`, into a prefix of its own.
install_globally() {
  local folder=$work/$1
  shift
  mkdir -p "$folder" && cd "$work" &&
    npm install --global --prefix "$folder" --prefer-offline --no-audit --no-fund "$@"
}

runs_by_npx() {
  local version
  version=$(cd "$work" && npm exec --yes --prefer-offline --package="$(ls "$work"/*.tgz)" -- cb --version) || return 1
  [ "$version" = "$(node -p "require('$root/package.json').version")" ]
}

# npm installs the development dependencies of a Git package, builds it by `prepare`, and packs it.
contains_only_the_build() {
  local installed=$work/$1/lib/node_modules/clickbank-cli
  ls "$installed" "$installed/dist"
  [ -f "$installed/dist/main.js" ] && [ ! -e "$installed/src" ] && [ ! -e "$installed/node_modules/esbuild" ]
}

has_man_pages() { [ -e "$work/$1/share/man/man1/cb.1" ]; }

prints_the_version() {
  [ "$(cb "$1" --version)" = "$(node -p "require('$root/package.json').version")" ]
}

prints_help() { cb "$1" --help | grep -q 'orders'; }

# A pipe gets a header line and three orders.
lists_three_orders() {
  local lines
  lines=$(cb "$1" --sandbox orders list --limit 3) || return 1
  echo "$lines"
  [ "$(wc -l <<<"$lines")" -eq 4 ] && head -n 1 <<<"$lines" | grep -q 'receipt'
}

reports_missing_package() {
  local output
  if output=$(cb lean --sandbox orders list --period last-7-days --limit 3 2>&1 >"$work/stdout"); then return 1; fi
  echo "$output"
  [ ! -s "$work/stdout" ] && [ "$(wc -l <<<"$output")" -eq 1 ] && grep -q 'npm install -g libsql' <<<"$output"
}

# install_node VERSION: installs Node as a package of the registry, and links the folder of its program.
install_node() {
  local folder=$work/node-$1 machine
  case $(uname -sm) in
    'Linux x86_64') machine=linux-x64 ;;
    'Linux aarch64') machine=linux-arm64 ;;
    *) return 1 ;;
  esac
  mkdir -p "$folder" && cd "$folder" && npm init -y &&
    npm install --prefer-offline --no-audit --no-fund --ignore-scripts "node-$machine@$1" || return 1
  ln -s "$folder/node_modules/node-$machine/bin" "$folder/bin"
}

versions='20.18 22 24'
# --omit=dev leaves out nothing that npm needs to build.
begin git install_globally git "git+file://$root" --omit=dev
for version in $versions; do begin "$version" install_node "$version"; done

check 'npm pack' pack
check 'the package contains all required files, and no sources or tests' contains_required_files
check 'npm install of the package' install_into full
check 'cb --version' prints_the_version full
check 'cb --help' prints_help full
check 'cb --sandbox orders list --limit 3' lists_three_orders full
check 'the package is at most 2 MB' is_small
check 'the package has no install scripts' has_no_install_scripts
check 'the package contains no unused files' contains_no_unused_files
check 'types of the library' type_checks_a_program
check 'a program on the library' runs_a_program
check 'npm install without optional packages' install_into lean --omit=optional
check 'cb --version without optional packages' prints_the_version lean
check 'the sandbox reports a missing optional package in one line' reports_missing_package
check 'npm install --global of the package' install_globally global "$work"/*.tgz
check 'cb --version after npm install --global' prints_the_version global
check 'man pages after npm install --global' has_man_pages global
check 'npx runs the package without installing it' runs_by_npx

runs_on() { [[ $("$node/node" --version) == "v$1."* ]]; }

writes_a_file() {
  rm -f "$work/home-full/orders.csv"
  cb full --sandbox orders list --period last-7-days --out "$work/home-full/orders.csv" || return 1
  head -n 1 "$work/home-full/orders.csv" | grep -q '^transactionTime,'
}

# Node 20 can't keep compiled code.
keeps_compiled_code() {
  local folder=$work/home-full/.local/state/clickbank-cli/compiled
  if [ "$1" = 20.18 ]; then [ ! -e "$folder" ]; return; fi
  [ "$(stat -c %a "$folder")" = 700 ] && [ -n "$(find "$folder" -type f)" ]
}

reports_node() { cb full doctor -o json | grep -q '"node"'; }

keeps_the_contract() {
  cd "$root" && CB_TEST_NODES=$nodes npx vitest run --config .vitest.config.ts test/library/contract.test.ts
}

nodes=
for version in $versions; do
  check "Node $version from the registry" ended "$version"
  node=$work/node-$version/bin
  [ -x "$node/node" ] || continue
  nodes=$nodes${nodes:+:}$node/node
  check "Node $version runs" runs_on "$version"
  # The second run uses what the first one cached.
  for turn in first second; do
    check "Node $version, $turn run: --version" prints_the_version full
    check "Node $version, $turn run: --help" prints_help full
    check "Node $version, $turn run: orders list" lists_three_orders full
    check "Node $version, $turn run: orders list --out" writes_a_file
  done
  check "Node $version: compiled code is private" keeps_compiled_code "$version"
  check "Node $version: doctor" reports_node
  check "Node $version: a program on the library" runs_a_program
done
node=
check 'the contract of the library in each Node' keeps_the_contract

check 'npm install --global from Git' ended git
check 'the package from Git contains the build, and no sources or build tools' contains_only_the_build git
check 'cb --version from Git' prints_the_version git
check 'cb --sandbox orders list --limit 3 from Git' lists_three_orders git

report
