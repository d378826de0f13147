#!/bin/bash
# The cookie permits to run code in the node. Nodes and tools authenticate with it. Erlang reads it from this file.
set -e
umask 077
cookie=$HOME/.erlang.cookie
rm -f "$cookie"
cp /run/secrets/RABBITMQ_COOKIE "$cookie"
chmod 400 "$cookie"
RABBITMQ_DEFAULT_PASS=$(</run/secrets/RABBITMQ_ADMIN_PASSWORD)
export RABBITMQ_DEFAULT_PASS
# The image's own files stay readable for other processes of the container.
umask 022
exec docker-entrypoint.sh "${@:-rabbitmq-server}"
