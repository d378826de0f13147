#!/bin/bash
# Members of a replica set know each other by a key file, which must belong to mongod alone: a secret is mounted as root's.
set -e
install -m 400 -o mongodb -g mongodb /run/secrets/mongodb-key /data/configdb/key
# No transaction of a service takes longer. What one has locked that was killed in the middle, the others get after as long, not
# after the minute that is usual.
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /data/configdb/key \
  --setParameter transactionLifetimeLimitSeconds=10 "$@"
