#!/usr/bin/env bash
# Installs the runtimes of the contract test (test/library/runtimes.test.ts) once, into node_modules/.cache/runtimes: about
# 235 MB to download and 730 MB on the disk, so they are no dependencies of the project. Versions and hashes are
# those of package-lock.json beside this file; no script of a package is run.
set -euo pipefail

cd "$(dirname "$0")"
folder=../../node_modules/.cache/runtimes

if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo 'The runtimes are installed on Linux x86_64 only. The contract test skips them here.'
  exit
fi
cmp -s package-lock.json "$folder/installed.json" && exit

rm -rf "$folder"
mkdir -p "$folder"
cp package.json package-lock.json "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
# npm leaves out an optional package that it can't download.
for program in node-22/bin/node node-24/bin/node @oven/bun-linux-x64/bin/bun @deno/linux-x64-glibc/deno \
  @cloudflare/workerd-linux-64/bin/workerd; do
  "$folder/node_modules/$program" --version
done
cp package-lock.json "$folder/installed.json"
