#!/usr/bin/env bash
# Builds the Containerfile with buildah on a root file system made here (Debian and this machine's Node and npm), and uses it:
# init, plan, apply, plan --base and watch with its health check. For root on Debian, with buildah and debootstrap installed.
# The published base images are not tried.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$work/store" --runroot "$work/run" "$@"; }

root=$work/root
debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" >"$work/debootstrap.log"
cp "$(node -p process.execPath)" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

base=$(buildah from scratch)
buildah copy -q "$base" "$root" / >/dev/null
buildah config --env PATH=/usr/local/bin:/usr/bin:/bin "$base"
# A registry behind a proxy of this machine.
if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
  buildah copy -q "$base" "$NODE_EXTRA_CA_CERTS" /usr/local/share/extra-ca.pem >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem "$base"
fi
buildah commit -q "$base" localhost/node-base >/dev/null

git archive --prefix=context/ HEAD | tar -x -C "$work"
buildah bud -q --format docker --network host --pull-never --build-arg BASE=localhost/node-base --tag sluice "$work/context"

image=$(buildah from --pull-never localhost/sluice)
in_image() { buildah run "$image" -- sh -euc "$1"; }
[[ $(in_image 'id -u') == 65532 ]]
in_image '! touch /app/file 2>/dev/null'
in_image 'mkdir /tmp/stack && cd /tmp/stack && sluice init && sluice apply --auto-approve && sluice plan' | tee "$work/used"
grep -q '^No changes' "$work/used"
in_image 'cd /tmp/stack && export HOME=/tmp && git init -q -b main && git add -A &&
  git -c user.name=a -c user.email=a@example.com commit -qm first && sluice plan --base main'
# shellcheck disable=SC2016 # the shell of the image expands it
in_image 'cd /tmp/stack
  sluice watch --listen 127.0.0.1:9470 2>/dev/null & watch=$!
  healthy() { node -e "fetch(\"http://127.0.0.1:9470/healthz\").then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"; }
  for _ in $(seq 60); do if healthy; then kill $watch; exit 0; fi; sleep 1; done
  exit 1'
echo "the container builds and works"
