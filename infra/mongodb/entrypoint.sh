#!/bin/bash
# Members of a replica set authenticate each other with a key file, which only mongod may read.
set -e
umask 077
cp -f /run/secrets/MONGODB_KEY /tmp/key
MONGO_INITDB_ROOT_PASSWORD=$(</run/secrets/MONGODB_ADMIN_PASSWORD)
export MONGO_INITDB_ROOT_PASSWORD
# Only the first member creates the administrator. The others get it with the data.
[[ $HOSTNAME == "${MONGODB_MEMBERS%%:*}" || -z $MONGODB_MEMBERS ]] || unset MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_ROOT_PASSWORD
# Releases the transaction locks of a killed process after 5 to 7.5 s instead of the default minute. No transaction of a service takes
# longer than 5 s.
parameters=(--setParameter transactionLifetimeLimitSeconds=5)
# A secondary leaves a silent sync source after 2.5 s, instead of 6.5 s and another attempt. Until then no majority confirms writes.
[[ $MONGODB_MEMBERS != *,* ]] ||
  parameters+=(--setParameter oplogNetworkTimeoutBufferSeconds=1 --setParameter oplogFetcherSteadyStateMaxFetcherRestarts=0)
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /tmp/key "${parameters[@]}" "$@"
