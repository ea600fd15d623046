#!/usr/bin/env bash
# Starts the site by `npm start`, waits until it prints the first admin's link and answers, and stops it by SIGTERM.
set -euo pipefail
log=$(mktemp)
DATA_DIR=$(mktemp -d) PORT=3999 npm start > "$log" 2>&1 &
npm=$!
trap 'kill "$npm" 2> /dev/null || true' EXIT
for _ in $(seq 300); do
  if grep -q '/auth?setup=' "$log"; then break; fi
  sleep 1
done
cat "$log"
grep -q '/auth?setup=' "$log"
curl --fail --silent --show-error --output /dev/null http://localhost:3999/
kill -TERM "$npm"
wait "$npm"
if curl --silent --output /dev/null http://localhost:3999/; then
  echo 'The server goes on after SIGTERM to npm.' >&2
  exit 1
fi
