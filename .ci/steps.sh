# Functions of .ci/run and .ci/full.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI="${CI:-true}"

declare -a TITLES=() DURATIONS=()
declare -A BACKGROUND=()
trap finish EXIT

# step TITLE COMMAND... prints a heading and runs the command. The first failure ends the run.
step() {
  local title=$1 began=$SECONDS
  shift
  printf '\n=== %s\n' "$title"
  TITLES+=("$title")
  DURATIONS+=('failed')
  "$@" </dev/null
  DURATIONS[-1]="$((SECONDS - began)) s"
  printf '=== %s: %s\n' "$title" "${DURATIONS[-1]}"
}

# in_background NAME COMMAND... starts the command. wait_for NAME waits for it, prints its output, and fails if it failed.
in_background() {
  local name=$1
  shift
  # Its own process group, so that its child processes can be ended too.
  set -m
  (
    began=$SECONDS
    status=0
    "$@" </dev/null || status=$?
    echo "$name took $((SECONDS - began)) s in the background."
    exit "$status"
  ) >".ci-$name.log" 2>&1 &
  BACKGROUND[$name]=$!
  set +m
}

wait_for() {
  local status=0
  wait "${BACKGROUND[$1]}" || status=$?
  unset "BACKGROUND[$1]"
  cat ".ci-$1.log"
  return "$status"
}

# Ends what still runs in the background, and prints the table of steps.
finish() {
  local status=$? group index
  for group in "${BACKGROUND[@]}"; do
    kill -TERM -- "-$group" 2>/dev/null || true
    wait "$group" 2>/dev/null || true
  done
  printf '\n%-70s %10s\n' 'Step' 'Duration'
  for index in "${!TITLES[@]}"; do printf '%-70s %10s\n' "${TITLES[index]}" "${DURATIONS[index]}"; done
  printf '%-70s %10s\n' "$([[ $status == 0 ]] && echo 'Everything passed' || echo 'Failed')" "$SECONDS s"
}

# Installs Debian's package. Without Chromium the browser suites fail with a clear error.
install_chromium() {
  if find_chromium; then return; fi
  if ! command -v apt-get >/dev/null; then
    echo 'Chromium is not installed, and apt is not available.'
    return
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  find_chromium
}

find_chromium() {
  command -v "${CHROMIUM_PATH:-chromium}" || command -v chromium-browser || command -v google-chrome
}

# A program outside the repository may start an engine: `$ENGINE up` starts it, and `$ENGINE env` prints the images that replace the
# official ones.
ENGINE=${ENGINE:-../shared/tools/engine}

start_engine() {
  if [[ -x $ENGINE ]]; then
    "$ENGINE" up >/dev/null
    "$ENGINE" env >.engine.env
  fi
  has_engine || echo 'No Docker engine is available.'
}

has_engine() {
  if [[ -f .engine.env ]]; then . ./.engine.env; fi
  docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1
}
