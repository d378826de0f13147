#!/usr/bin/env bash
# Health check. mongosh uses seconds of processor time, so it runs until the server is a primary, and every five minutes from then on.
# In between, an accepted connection is enough.
set -euo pipefail
seen=/tmp/seen-well
if [[ -n $(find "$seen" -newermt '-5 minutes' 2>/dev/null) ]]; then
  exec 3<>/dev/tcp/127.0.0.1/27017
else
  rm -f "$seen"
  mongosh --quiet --norc "$(dirname "$0")/healthy.js"
  touch "$seen"
fi
