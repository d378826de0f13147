#!/bin/sh
# Gets a certificate from an ACME certificate authority and renews it, if it is due, twice a day. After a failure it tries
# again in 15 minutes. nginx-tls answers the challenges.
#   PUBLIC_URL     https://NAME: the name of the certificate
#   ACME_SERVER    directory URL of the authority (default: that of certbot)
set -eu
: "${PUBLIC_URL:?is missing, such as https://stats.example.org}"
name=${PUBLIC_URL#https://}
name=${name%%:*}

# Called by certbot after each new certificate. nginx runs as user 101, and the rename makes it see whole files.
if [ "${1:-}" = --install ]; then
  umask 077
  for pair in privkey:key fullchain:cert; do
    cp "$RENEWED_LINEAGE/${pair%:*}.pem" "/certificates/${pair#*:}.new"
    chmod 0400 "/certificates/${pair#*:}.new"
    chown 101:101 "/certificates/${pair#*:}.new"
    mv -f "/certificates/${pair#*:}.new" "/certificates/${pair#*:}.pem"
  done
  exit
fi

trap 'exit 0' TERM INT
while true; do
  certbot certonly --webroot --webroot-path /challenges --domains "$name" --cert-name lobbystats \
    --non-interactive --agree-tos --keep-until-expiring --deploy-hook "sh $0 --install" \
    ${ACME_SERVER:+--server "$ACME_SERVER"} \
    --register-unsafely-without-email \
    --work-dir /tmp/work --logs-dir /tmp/logs && pause=43200 || pause=900
  # In the background, so that the trap runs at once.
  sleep "$pause" &
  wait $!
done
