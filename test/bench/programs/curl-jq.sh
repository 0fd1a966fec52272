#!/usr/bin/env bash
# What one writes in a shell: curl for a page, jq to make it CSV, and the next page.
# Arguments: URL of a list, number of pages, columns as a JSON list. Says on file descriptor 3 what
# the shell and what its children took.
set -euo pipefail

# shellcheck disable=SC2016 # $columns is jq's
rows='.orderData | if type == "array" then .[] else . end
  | [.[$columns[]]
     | if type == "object" and has("@nil") then null
       elif type == "object" or type == "array" then tojson
       else . end]
  | @csv'

for ((page = 1; page <= $2; page++)); do
  curl --silent --fail --header "Authorization: $CB_API_KEY" --header 'Accept: application/json' \
    --header "Page: $page" "$1" | jq --raw-output --argjson columns "$3" "$rows"
done

times >&3
