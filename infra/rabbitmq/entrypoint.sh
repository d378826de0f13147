#!/bin/bash
# Starts RabbitMQ with the administrator's password of the stack.
set -e
RABBITMQ_DEFAULT_PASS=$(</run/secrets/RABBITMQ_ADMIN_PASSWORD)
export RABBITMQ_DEFAULT_PASS
exec docker-entrypoint.sh "${@:-rabbitmq-server}"
