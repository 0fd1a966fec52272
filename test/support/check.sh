# Sourced by the smoke tests: runs checks, counts them, and reports them. They write below $work.
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

# The last line of a smoke test. Fails if a check failed.
report() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
