#!/usr/bin/env bash
# nginx reads no environment variables: this script writes the settings to an include file, then executes nginx.
#   start.sh CONFIGURATION
set -euo pipefail

# Docker's name server, or with RESOLVER=system those of the container, IPv6 addresses in brackets.
name_servers() {
  if [[ ${RESOLVER:-} != system ]]; then echo 127.0.0.11 ipv6=off; return; fi
  local keyword address rest
  while read -r keyword address rest; do
    if [[ $keyword != nameserver ]]; then continue; fi
    if [[ $address == *:* ]]; then echo "[$address]"; else echo "$address"; fi
  done </etc/resolv.conf
}

{
  printf 'limit_conn per_address %d;\n' "$CONNECTIONS_PER_ADDRESS"
  # Started and stopped replicas are noticed within seconds.
  printf 'resolver %s valid=2s;\n' "$(name_servers | paste -sd ' ')"
  # Variables, so that nginx also starts while a name is unknown.
  printf 'map $host $analysts { default "%s"; }\n' "${ANALYSTS:-analysts:8087}"
  printf 'map $host $influxdb { default "%s"; }\n' "${INFLUXDB_URL:-http://influxdb:8086}"
  if [[ -n $REAL_IP_FROM ]]; then
    printf 'set_real_ip_from %s;\n' ${REAL_IP_FROM//,/ }
    printf 'real_ip_header X-Forwarded-For;\nreal_ip_recursive on;\n'
  fi
} >/tmp/settings.conf
directives='daemon off;'
# A stop ends streams after 5 s. With TLS they go on while a certificate is renewed, which the same setting would end.
[[ $1 == lobbystats-tls.conf ]] || directives+=' worker_shutdown_timeout 5s;'
exec nginx -c "/etc/lobbystats/$1" -g "$directives"
