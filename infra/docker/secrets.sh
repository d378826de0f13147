#!/usr/bin/env bash
# Makes the secrets of the stack: /secrets/all has every one, /secrets/CONTAINER those of that container alone. A missing one is random
# and stays. Values of .env are all checked before one is written.
#   secrets.sh [print]    print: also prints the secrets that .env lacks, as its lines
set -euo pipefail
umask 077
cd "${SECRETS_DIRECTORY:-/secrets}"
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
# Those that only servers or stored data know. The init job sets the others in the servers.
declare -A remedies=()
for name in RABBITMQ_ADMIN_PASSWORD INFLUXDB_ADMIN_PASSWORD INFLUXDB_ADMIN_TOKEN MONGODB_ADMIN_PASSWORD; do
  remedies[$name]="docker compose run --rm init node packages/cli/src/main.ts rotate $name replaces it"
done
remedies[ERASURE_KEY]='the stored users belong to it, and docker compose down -v deletes both'
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
done < <(cat "${ENV_FILE:-/project/.env}" 2>/dev/null)

names=$(printf '%s\n' ${users[*]} | sort -u)
refused=
for name in $names; do
  value=${given[$name]:-}
  [[ -n $value ]] || continue
  if [[ -n ${remedies[$name]:-} && -e all/$name && $(<"all/$name") != "$value" ]]; then
    refused=1
    echo "$name of .env is not the stored one, which stays: remove it from .env; ${remedies[$name]}" >&2
  elif ((${#value} < 16 || $(fold -w1 <<<"$value" | sort -u | wc -l) < 8)); then
    refused=1
    echo "$name of .env must be at least 16 characters, 8 of them different; without it the stored or a random one is used" >&2
  fi
done
[[ -z $refused ]] || exit 1

# What is printed may be appended to .env, whose last line may have no end.
[[ ${1:-} != print ]] || echo
for name in $names; do
  value=${given[$name]:-}
  [[ -n $value || ! -e all/$name ]] || value=$(<"all/$name")
  [[ -n $value ]] || value=$(od -An -tx1 -N24 /dev/urandom | tr -d ' \n')
  put "all/$name" "$value" 400
  if [[ ${1:-} == print && -z ${given[$name]:-} ]]; then
    [[ $value != *[!A-Za-z0-9._-]* ]] || value=\"$(sed -E 's/[\\"$]/\\&/g' <<<"$value")\"
    echo "$name=$value"
  fi
done
for user in "${!users[@]}"; do
  case $user in rabbitmq | influxdb | mongodb | grafana) mode=440 ;; *) mode=400 ;; esac
  for name in ${users[$user]}; do put "$user/$name" "$(<"all/$name")" "$mode"; done
done
# The command `rotate` of the services' user replaces files here.
chown "$owner" all
