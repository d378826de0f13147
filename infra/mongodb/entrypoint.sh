#!/bin/bash
# Members of a replica set know each other by a key file, which must belong to mongod alone: a secret is mounted as root's.
set -e
install -m 400 -o mongodb -g mongodb /run/secrets/mongodb-key /data/configdb/key
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /data/configdb/key "$@"
