#!/usr/bin/env bash
# Starts the public nginx with TLS. While there is no certificate, it only redirects and answers ACME challenges. A new or renewed
# certificate is in use within ten seconds, without a restart.
set -euo pipefail
certificate=/run/lobbystats-tls/cert.pem key=/run/lobbystats-tls/key.pem
[[ $PUBLIC_URL =~ ^https://[A-Za-z0-9.:-]+$ ]] || { echo "PUBLIC_URL must be https:// and a host, without a path: $PUBLIC_URL" >&2; exit 1; }

# A certificate that this user can't read would look like none.
check_readable() {
  local file
  for file in "$certificate" "$key"; do
    if [[ -e $file && ! -r $file ]]; then
      echo "$file can't be read by nginx, user $(id -u): give it to this user, or to its group" >&2
      return 1
    fi
  done
}

# Of no certificate as well.
fingerprint() { { cat "$certificate" "$key" 2>/dev/null || true; } | sha256sum; }

write_https() {
  printf 'map $host $public_origin { default "%s"; }\n' "$PUBLIC_URL"
  if [[ -r $certificate && -r $key ]]; then printf 'include /etc/lobbystats/https-server.conf;\n'; fi
}

watch_certificate() {
  local used=$1 found
  while sleep 10; do
    found=$(fingerprint)
    if ! check_readable || [[ $found == "$used" ]]; then continue; fi
    write_https >/tmp/https.conf
    # A certificate without its key, in the midst of a renewal, fails this test, and is tried again.
    if nginx -t -q -c /etc/lobbystats/lobbystats-tls.conf; then
      nginx -s reload -c /etc/lobbystats/lobbystats-tls.conf
      used=$found
    fi
  done
}

check_readable
used=$(fingerprint)
write_https >/tmp/https.conf
watch_certificate "$used" &
exec bash /etc/lobbystats/start.sh lobbystats-tls.conf
