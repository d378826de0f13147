#!/usr/bin/env bash
# The health check. mongosh takes seconds of a processor: it looks until the server is a primary, and every five minutes from then
# on; in between it is enough that the server takes a connection.
set -euo pipefail
seen=/tmp/seen-well
if [[ -n $(find "$seen" -newermt '-5 minutes' 2>/dev/null) ]]; then
  exec 3<>/dev/tcp/127.0.0.1/27017
else
  rm -f "$seen"
  mongosh --quiet --norc "$(dirname "$0")/healthy.js"
  touch "$seen"
fi
