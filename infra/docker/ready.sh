#!/usr/bin/env bash
# Health check of the service containers: succeeds if the readiness path responds with 200. It runs six times a minute in each container.
# Starting Node for it would use more processor time than all idle services.
#   ready.sh [PORT [PATH]]
set -euo pipefail
port=${1:-${PORT:-8080}} path=${2:-/readyz}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$path" >&3
IFS= read -r status <&3
[[ $status == 'HTTP/1.'?' 200 '* ]] || { cat <&3 >&2; exit 1; }
