# Functions of .ci/run and .ci/full.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI="${CI:-true}"

declare -A BACKGROUND=()
# A line for each step that began and, once more with its duration, that ended; by all processes of the run.
STEPS=.ci-steps-$$.log
: >"$STEPS"
trap finish EXIT

# step TITLE COMMAND... prints a heading and runs the command. The first failure ends the run, or its part in the background.
step() {
  local title=$1 began=$SECONDS
  shift
  printf '\n=== %s\n' "$title"
  printf '%s\t%s\t%s\n' "$began" "$title" 'failed' >>"$STEPS"
  "$@" </dev/null
  printf '%s\t%s\t%s\n' "$began" "$title" "$((SECONDS - began)) s" >>"$STEPS"
  printf '=== %s: %s\n' "$title" "$((SECONDS - began)) s"
}

# in_background NAME COMMAND... starts the command, which may have steps. wait_for NAME waits for it, prints its output, and fails if it
# failed. In another command in the background, until_ended NAME waits for it.
in_background() {
  local name=$1
  shift
  # Its own process group, so that its child processes can be ended too.
  set -m
  ("$@" </dev/null) >".ci-$name.log" 2>&1 &
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

until_ended() {
  while kill -0 "${BACKGROUND[$1]}" 2>/dev/null; do sleep 1; done
}

# Ends what still runs in the background, and prints the table of steps.
finish() {
  local status=$? group
  for group in "${BACKGROUND[@]}"; do
    kill -TERM -- "-$group" 2>/dev/null || true
    wait "$group" 2>/dev/null || true
  done
  printf '\n%-70s %10s\n' 'Step' 'Duration'
  awk -F '\t' '!($2 in last) { titles[++count] = $2 } { last[$2] = $3 } END { for (i = 1; i <= count; i++) printf "%-70s %10s\n", titles[i], last[titles[i]] }' "$STEPS"
  rm "$STEPS"
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
