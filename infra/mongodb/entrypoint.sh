#!/bin/bash
# Members of a replica set know each other by a key file, which must belong to mongod alone.
set -e
umask 077
printf %s "$MONGODB_KEY" >/tmp/key
unset MONGODB_KEY
# What a killed process has locked in a transaction is free after 5 to 7.5 s, not after the usual minute. No transaction of a service
# takes longer than 5 s.
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /tmp/key \
  --setParameter transactionLifetimeLimitSeconds=5 "$@"
