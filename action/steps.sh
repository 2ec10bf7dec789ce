#!/usr/bin/env bash
# The steps of action.yml. All that a step needs is in its environment; nothing of it is evaluated.
set -euo pipefail

# A runner that cancels a job signals the shell of its step and nothing else: the shell passes it on, so that sluice completes
# the requests under way and gives its lock back.
sluice() {
  local code=0
  "$SLUICE_PROGRAM" -C "$STACK" "$@" &
  child=$!
  trap 'kill -TERM "$child" 2>/dev/null || true' INT TERM
  wait "$child" || code=$?
  # A signal ends `wait` early.
  while kill -0 "$child" 2>/dev/null; do
    code=0
    wait "$child" || code=$?
  done
  return "$code"
}

output() {
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# A program that is there, or one built from the commit of this action. The registry is not asked for sluice.
install() {
  local program=${SLUICE_PROGRAM:-$ACTION_PATH/dist/sluice.js}
  if [ ! -e "$program" ] && [ -z "${SLUICE_PROGRAM:-}" ]; then
    (
      cd "$ACTION_PATH"
      npm ci --ignore-scripts --no-audit --no-fund
      node node_modules/esbuild/install.js
      node scripts/build.mjs
    ) >&2
  fi
  output program "$program"
}

# A token without `reviewed` would be a review that nobody asks for; another word than true would switch the review off.
check_reviewed() {
  if [ "$REVIEWED" != true ] && [ "$REVIEWED" != false ]; then
    echo "reviewed must be true or false, not '$REVIEWED'" >&2
    exit 8
  fi
  if [ "$REVIEWED" != true ] && [ -n "$GITHUB_TOKEN" ]; then
    echo 'review-token is set, but reviewed is not true: set reviewed to true, or remove review-token' >&2
    exit 8
  fi
}

# Saves the plan. It ends well in any case, so that the comment can say how it failed; `end` reports the exit code.
plan() {
  check_reviewed
  local file=${PLAN_FILE:-$RUNNER_TEMP/sluice.plan} json=$RUNNER_TEMP/sluice-plan.json code=0
  local arguments=(--format json --detailed-exitcode --out "$file" --github-annotations --github-summary)
  if [ -n "$SNAPSHOT" ]; then
    arguments+=("--snapshot=$SNAPSHOT")
  elif [ -z "$SLUICE_API_KEY" ] && [ -z "${SLUICE_API_KEY_FILE:-}" ] && [ "$SLUICE_BASE_URL" != embedded ]; then
    echo '::notice title=sluice::There is no API key, so the manifests are validated and not planned.'
    sluice validate --github-annotations || code=$?
    output exit-code "$code"
    return
  fi
  if [ -n "${BASE:-}" ]; then arguments+=("--base=$BASE"); fi
  # A file of the checkout, or of another stack, is no plan of this run.
  rm -f -- "$file"
  sluice plan "${arguments[@]}" >"$json" || code=$?
  output exit-code "$code"
  node "$ACTION_PATH/action/outputs.mjs" "$json" >>"$GITHUB_OUTPUT"
  if [ -e "$file" ]; then
    if [ "$code" = 0 ] || [ "$code" = 2 ]; then output plan-file "$file"; fi
    # Also a plan that breaks an access rule (3): that is what a reviewer must see.
    output comment-on "$file"
  elif [ -s "$json" ]; then
    output comment-on "$json"
  fi
}

# Exactly the plan that was approved, or without a plan file what the manifests of this commit require.
apply() {
  check_reviewed
  # An output of another job that is misspelled is an empty input: a plan file that somebody replaced would be applied.
  if [ -n "$PLAN_FILE" ] && [ -z "$DIGEST" ]; then
    echo 'plan-file is set, but digest is empty: pass the digest of the approved plan as digest' >&2
    exit 8
  fi
  local code=0 arguments=(--auto-approve)
  if [ -n "$DIGEST" ]; then arguments+=(--digest "$DIGEST"); fi
  if [ -n "$PLAN_FILE" ]; then arguments+=("$PLAN_FILE"); fi
  if [ "$REVIEWED" = true ]; then arguments+=(--reviewed --lock-timeout 5m); fi
  sluice apply "${arguments[@]}" || code=$?
  output exit-code "$code"
}

drift() {
  local json=$RUNNER_TEMP/sluice-drift.json code=0
  sluice plan --drift-only --format json --detailed-exitcode --github-annotations --github-summary >"$json" || code=$?
  output exit-code "$code"
  node "$ACTION_PATH/action/outputs.mjs" "$json" >>"$GITHUB_OUTPUT"
}

# What a plan reads, for jobs without a key.
snapshot() {
  local code=0
  sluice snapshot --out "$SNAPSHOT" || code=$?
  output exit-code "$code"
}

publish() {
  sluice publish-digest "$REVIEW_DIGEST"
}

# A digest is published only once its plan can be read on the pull request: the comment of an earlier commit would be approved.
comment() {
  local arguments=("$COMMENT_ON" --detail "$DETAIL")
  if [ "$REVIEWED" = true ] && [ -n "$REVIEW_DIGEST" ]; then arguments+=(--required); fi
  sluice comment "${arguments[@]}"
}

# Pending changes are what a plan is for; drift is what a nightly run looks for, so it fails.
end() {
  if [ "$MODE" = plan ] && [ "$EXIT_CODE" = 2 ]; then exit 0; fi
  exit "$EXIT_CODE"
}

case ${1-} in
install | plan | apply | drift | snapshot | publish | comment | end) "$1" ;;
*)
  echo "mode must be plan, apply, drift or snapshot, not '${1-}'" >&2
  exit 8
  ;;
esac
