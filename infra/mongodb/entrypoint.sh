#!/bin/bash
# mongod demands the key with which members of a replica set authenticate each other. A set of one needs none that lasts.
set -e
umask 077
head -c 96 /dev/urandom | base64 -w 0 >/tmp/key
MONGO_INITDB_ROOT_PASSWORD=$(</run/secrets/MONGODB_ADMIN_PASSWORD)
export MONGO_INITDB_ROOT_PASSWORD
# Releases the transaction locks of a killed process after 5 to 7.5 s instead of the default minute. No transaction of a service takes
# longer than 5 s. Nothing needs JavaScript in the server. Erased data leaves the oplog when newer entries need its place
# (packages/service-kit/src/mongo): its size, in MB, is the smallest possible.
exec docker-entrypoint.sh mongod --replSet rs0 --oplogSize 990 --keyFile /tmp/key --setParameter transactionLifetimeLimitSeconds=5 --noscripting "$@"
