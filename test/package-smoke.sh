#!/usr/bin/env bash
# What a user gets: packs the repository, installs the package into an empty folder and runs cb with
# an empty home. Needs dist/. The last line is `N passed, N failed`; exits with 1 if any failed.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME COMMAND...: silent when it succeeds, shows its output when it does not.
check() {
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
    tail -n 40 "$work/log" | sed 's/^/  /'
  fi
}

pack() { (cd "$root" && npm pack --ignore-scripts --pack-destination "$work"); }

# What nobody needs, or must not see, stays out; what has to be there is.
holds_what_it_should() {
  local files
  files=$(tar -tzf "$work"/*.tgz | sed 's,^package/,,')
  echo "$files"
  for needed in bin/cb.js bin/package.json dist/main.js dist/package.json \
    dist/THIRD-PARTY-LICENSES.txt LICENSE README.md package.json; do
    grep -qxF "$needed" <<<"$files" || return 1
  done
  ! grep -qE '^(src|test|node_modules|\.)|meta\.json$' <<<"$files"
}

# install FOLDER OPTION...: the package cache of this user is used, the home is not.
install_into() {
  local folder=$work/$1
  shift
  mkdir -p "$folder" && cd "$folder" && npm init -y &&
    npm install --prefer-offline --no-audit --no-fund "$@" "$work"/*.tgz
}

# cb FOLDER ARGUMENT...: with an empty home, no terminal, and no way out to the network.
cb() {
  local folder=$1
  shift
  mkdir -p "$work/home-$folder"
  env -i PATH="$PATH" HOME="$work/home-$folder" CI=true \
    NODE_OPTIONS="--require $root/test/support/loopback-only.cjs" \
    "$work/$folder/node_modules/.bin/cb" "$@"
}

prints_the_version() {
  [ "$(cb "$1" --version)" = "$(node -p "require('$root/package.json').version")" ]
}

prints_help() { cb "$1" --help | grep -q 'orders'; }

# A pipe gets a header line and three orders.
lists_three_orders() {
  local lines
  lines=$(cb full --sandbox orders list --limit 3) || return 1
  echo "$lines"
  [ "$(wc -l <<<"$lines")" -eq 4 ] && head -n 1 <<<"$lines" | grep -q 'receipt'
}

says_what_is_missing() {
  local said
  if said=$(cb lean --sandbox orders list --period last-7-days --limit 3 2>&1 >"$work/stdout"); then return 1; fi
  echo "$said"
  [ ! -s "$work/stdout" ] && [ "$(wc -l <<<"$said")" -eq 1 ] && grep -q 'libsql' <<<"$said"
}

check 'npm pack' pack
check 'the package holds what it should' holds_what_it_should
check 'npm install of the package' install_into full
check 'cb --version' prints_the_version full
check 'cb --help' prints_help full
check 'cb --sandbox orders list --limit 3' lists_three_orders
check 'npm install without optional packages' install_into lean --omit=optional
check 'cb --version without optional packages' prints_the_version lean
check 'the sandbox says in one line what is missing' says_what_is_missing

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
