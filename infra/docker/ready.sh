#!/usr/bin/env bash
# The health check of a container of ours: ready is what says so at a path of its own port. Six times a minute in each of them: a
# Node for it would take more of a processor than all of them do at rest.
#   ready.sh [PORT [PATH]]
set -euo pipefail
port=${1:-${PORT:-8080}} path=${2:-/readyz}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$path" >&3
IFS= read -r status <&3
[[ $status == 'HTTP/1.'?' 200 '* ]] || { cat <&3 >&2; exit 1; }
