#!/bin/sh
# Installs cb @VERSION@ on Linux or macOS without root:   sh install.sh [--dir FOLDER] [--uninstall]
# Everything is in functions, so that a script that was cut while downloading does nothing.
set -eu

url='@URL@'
version='@VERSION@'
folder=${CB_INSTALL_DIR:-"${HOME:-}/.local/bin"}
work=

say() { printf '%s\n' "$*"; }

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# Prints the name of the archive for this machine and its SHA-256.
archive() {
  system=$(uname -s)-$(uname -m)
  kind=gz
  if command -v xz >/dev/null; then kind=xz; fi
  case $system-$kind in
@ARCHIVES@
  *) fail "There is no cb for $system. Install Node and use the npm package." ;;
  esac
}

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location "$1" --output "$2"
  elif command -v wget >/dev/null; then
    wget --quiet "$1" --output-document "$2"
  else
    fail 'This needs curl or wget.'
  fi
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Whether version $1 is newer than version $2.
newer() {
  [ "$1" != "$2" ] &&
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1)" = "$1" ]
}

install_cb() {
  if ldd --version 2>&1 | grep -qi musl; then
    fail 'This system uses musl instead of glibc. Install Node and use the npm package.'
  fi
  chosen=$(archive)
  name=${chosen% *}
  hash=${chosen#* }
  if [ -x "$folder/cb" ]; then
    installed=$("$folder/cb" --version 2>/dev/null) || installed=0
    if newer "$installed" "$version"; then
      say "cb $installed in $folder is newer than $version. Nothing was changed."
      return
    fi
  fi
  mkdir -p "$folder" || fail "The folder $folder can't be created. Choose another one with --dir."
  # In the same folder, so that the last step replaces cb at once.
  work=$(mktemp -d "$folder/.cb-install.XXXXXX") || fail "$folder can't be written. Choose another one with --dir."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  say "Downloading cb $version…"
  download "$url/$name" "$work/$name" || fail "The download failed: $url/$name. Nothing was changed."
  if [ "$(sha256 "$work/$name")" != "$hash" ]; then
    fail "The downloaded file is damaged or not the released one (its SHA-256 differs). Nothing was changed."
  fi
  case $name in
  *.xz) xz -dc "$work/$name" >"$work/tar" ;;
  *) gzip -dc "$work/$name" >"$work/tar" ;;
  esac || fail "The archive can't be unpacked. Is the disk full? Nothing was changed."
  tar -xf "$work/tar" -C "$work" cb || fail "The archive can't be unpacked. Is the disk full? Nothing was changed."
  [ "$("$work/cb" --version)" = "$version" ] || fail "cb doesn't run on this system. Nothing was changed."
  mv -f "$work/cb" "$folder/cb"
  say "Installed cb $version as $folder/cb."
  case :$PATH: in
  *":$folder:"*) say 'Try it: cb --sandbox today' ;;
  *) say "Add it to your PATH: export PATH=\"$folder:\$PATH\"" ;;
  esac
}

uninstall_cb() {
  [ -e "$folder/cb" ] || fail "There is no cb in $folder."
  rm -f "$folder/cb" || fail "$folder/cb can't be removed."
  say "Removed $folder/cb. Profiles and data stay; docs/guide/install.md names their folders."
}

main() {
  action=install_cb
  while [ $# -gt 0 ]; do
    case $1 in
    --uninstall) action=uninstall_cb ;;
    --dir)
      [ $# -gt 1 ] || fail '--dir needs a folder.'
      folder=$2
      shift
      ;;
    *) fail "Unknown option $1. Use --dir FOLDER or --uninstall." ;;
    esac
    shift
  done
  case $folder in
  /.local/bin) fail 'HOME is not set. Choose a folder with --dir.' ;;
  /*) ;;
  *) folder=$PWD/$folder ;;
  esac
  $action
}

main "$@"
