#!/bin/bash
# Starts RabbitMQ with the administrator's password of the stack.
set -e
RABBITMQ_DEFAULT_PASS=$(</run/secrets/RABBITMQ_ADMIN_PASSWORD)
# The limit of this container: cgroup v2, or v1.
MEMORY_LIMIT=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes)
export RABBITMQ_DEFAULT_PASS MEMORY_LIMIT
exec docker-entrypoint.sh "${@:-rabbitmq-server}"
