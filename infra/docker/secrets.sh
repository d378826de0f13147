#!/usr/bin/env bash
# Writes the secrets of the stack: /secrets/all has every one, /secrets/CONTAINER those of that container alone. A value from the
# environment or from .env replaces the stored one. A missing one is random and stays: servers keep the passwords of their first start.
#   secrets.sh [DIRECTORY [ENV-FILE]]
set -euo pipefail
umask 077
env_file=${2:-/project/.env}
cd "${1:-/secrets}"
declare -A users=(
  [rabbitmq]='RABBITMQ_ADMIN_PASSWORD'
  [influxdb]='INFLUXDB_ADMIN_PASSWORD INFLUXDB_ADMIN_TOKEN'
  [mongodb]='MONGODB_ADMIN_PASSWORD'
  [collector]='RABBITMQ_COLLECTOR_PASSWORD MONGODB_COLLECTOR_PASSWORD'
  [series-api]='RABBITMQ_SERIES_API_PASSWORD'
  [catalog-api]='RABBITMQ_CATALOG_API_PASSWORD MONGODB_CATALOG_API_PASSWORD'
  [user-api]='RABBITMQ_USER_API_PASSWORD MONGODB_USER_API_PASSWORD ERASURE_KEY'
  [reputation-api]='RABBITMQ_REPUTATION_API_PASSWORD MONGODB_REPUTATION_API_PASSWORD'
  [gateway]='RABBITMQ_GATEWAY_PASSWORD'
  [dlq]='RABBITMQ_DLQ_PASSWORD'
  [analyst-token]='INFLUXDB_ADMIN_TOKEN'
  [moderate]='MONGODB_USER_API_PASSWORD MONGODB_REPUTATION_API_PASSWORD ERASURE_KEY'
  [grafana]='GRAFANA_ADMIN_PASSWORD'
)
# Of the services' user, and of a group that the servers' containers are in: each server has a user of its own.
owner=${SECRETS_OWNER:-1000:1000}

# put FILE VALUE MODE: atomic, and only if it differs
put() {
  if [[ ! -e $1 || $(<"$1") != "$2" ]]; then
    # An interrupted run may have left it.
    rm -f "$1.new"
    printf %s "$2" >"$1.new"
    chmod "$3" "$1.new"
    chown "$owner" "$1.new"
    mv "$1.new" "$1"
  fi
}

# The values of .env
declare -A given=()
while IFS= read -r line || [[ -n $line ]]; do
  # As Docker Compose reads a line: NAME=VALUE, NAME='VALUE', NAME="VALUE", and a comment after a space.
  [[ $line =~ ^[[:space:]]*(export[[:space:]]+)?([A-Z_]+)[[:space:]]*=[[:space:]]*(.*)$ ]] || continue
  name=${BASH_REMATCH[2]} value=${BASH_REMATCH[3]}
  if [[ $value =~ ^\'([^\']*)\' ]]; then
    value=${BASH_REMATCH[1]}
  elif [[ $value =~ ^\"(([^\"\\]|\\.)*)\" ]]; then
    value=$(sed -E 's/\\([\\"$])/\1/g' <<<"${BASH_REMATCH[1]}")
  else
    value=${value%%[[:space:]]#*}
    value=${value%"${value##*[![:space:]]}"}
  fi
  given[$name]=$value
done < <(cat "$env_file" 2>/dev/null)

for user in "${!users[@]}"; do
  case $user in rabbitmq | influxdb | mongodb | grafana) mode=440 ;; *) mode=400 ;; esac
  for name in ${users[$user]}; do
    value=${!name:-${given[$name]:-}}
    [[ -n $value || ! -e all/$name ]] || value=$(<"all/$name")
    [[ -n $value ]] || value=$(od -An -tx1 -N24 /dev/urandom | tr -d ' \n')
    put "all/$name" "$value" 400
    put "$user/$name" "$value" "$mode"
  done
done
