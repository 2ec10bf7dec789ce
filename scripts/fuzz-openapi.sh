#!/usr/bin/env bash
# Holds the emulator against schemas/openapi.json with Schemathesis, which makes up requests, and follows the
# document's links from one answer to the next request: a fixed seed, few cases, a minute.
# Needs dist/ (npm run build) and python3 with venv; MAX_EXAMPLES and SEED make another run of it.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
emulator=
trap '[[ -z $emulator ]] || kill "$emulator" 2>/dev/null; rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==4.32.5"

node dist/sluice.js emulator --port 0 --seed schemathesis --agents 50 >"$work/url" 2>"$work/emulator.log" &
emulator=$!
for _ in {1..600}; do if [[ -s $work/url ]]; then break; fi; sleep 0.1; done
url=$(head -1 "$work/url")
[[ -n $url ]] || { cat "$work/emulator.log" >&2; exit 1; }

cd "$work"
root=$OLDPWD
OPENAPI_DOCUMENT=$root/schemas/openapi.json PYTHONPATH=$root/test/openapi/schemathesis PYTHONDONTWRITEBYTECODE=1 \
  SCHEMATHESIS_HOOKS=hooks "$work/venv/bin/schemathesis" run "$root/schemas/openapi.json" --url "$url" \
  --header 'Authorization: Bearer any' --phases fuzzing,stateful --seed "${SEED:-1}" --max-examples "${MAX_EXAMPLES:-6}" \
  --generation-database none --no-shrink --continue-on-failure --suppress-health-check all \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection,valid_requests_are_accepted
