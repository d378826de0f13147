#!/bin/bash
# Members of a replica set know each other by a key file, which must belong to mongod alone.
set -e
umask 077
printf %s "$MONGODB_KEY" >/tmp/key
unset MONGODB_KEY
# No transaction of a service takes longer. What one has locked that was killed in the middle, the others get after as long at the
# latest, also where none of them wants it meanwhile, not after the minute that is usual.
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /tmp/key \
  --setParameter transactionLifetimeLimitSeconds=10 "$@"
