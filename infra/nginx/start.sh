#!/usr/bin/env bash
# nginx reads no environment variables: this script writes the settings to an include file, then executes nginx.
#   start.sh CONFIGURATION
set -euo pipefail
{
  printf 'limit_conn per_address %d;\n' "$CONNECTIONS_PER_ADDRESS"
  # Empty for a request without TLS, and then not sent.
  printf "map \$https \$hsts { default ''; on 'max-age=%d'; }\n" "${HSTS_MAX_AGE:-31536000}"
  if [[ -n $REAL_IP_FROM ]]; then
    printf 'set_real_ip_from %s;\n' ${REAL_IP_FROM//,/ }
    printf 'real_ip_header X-Forwarded-For;\nreal_ip_recursive on;\n'
  fi
} >/tmp/settings.conf
exec nginx -c "/etc/lobbystats/$1" -g 'daemon off;'
