#!/usr/bin/env bash
# What a release consists of; nothing is published. .ci/run and .github/workflows/release.yml run the same.
#   scripts/release.sh pack DIR              the package, its bill of materials, licence texts and checksums
#   scripts/release.sh verify-tag TAG KEYS   TAG is that of the version checked out, and signed by one of KEYS, a file of
#                                            allowed signers (ssh-keygen(1))
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "release: $1" >&2
  exit 1
}

version=$(node -p 'require("./package.json").version')

pack() {
  mkdir -p "$1"
  local dir package
  dir=$(cd "$1" && pwd)
  npm pack --loglevel=error --pack-destination "$dir" >/dev/null
  package=$(cd "$dir" && ls -- *-"$version".tgz)
  tar -xzf "$dir/$package" -C "$dir"
  node scripts/check-package.mjs "$dir/package"
  [ "$(node "$dir/package/dist/sluice.js" --version)" = "$version" ] || fail "the packed program is not version $version"
  cp "$dir/package/dist/sbom.cdx.json" "$dir/package/dist/THIRD-PARTY-NOTICES.txt" "$dir"
  rm -r "$dir/package"
  (cd "$dir" && sha256sum -- "$package" sbom.cdx.json THIRD-PARTY-NOTICES.txt >SHA256SUMS)
  cat "$dir/SHA256SUMS"
}

verify_tag() {
  [ "$1" = "v$version" ] || fail "the tag $1 is not that of the version, v$version"
  grep -qF "## [$version]" CHANGELOG.md || fail "CHANGELOG.md has no section [$version]"
  [ -s "$2" ] || fail 'there are no keys that may sign a release'
  git -c gpg.format=ssh -c gpg.ssh.allowedSignersFile="$(realpath "$2")" verify-tag -- "$1" || fail "the tag $1 is not signed by a known key"
  [ "$(git rev-parse "refs/tags/$1^{commit}")" = "$(git rev-parse HEAD)" ] || fail "the tag $1 is not what is checked out"
}

case ${1-} in
pack) pack "$2" ;;
verify-tag) verify_tag "$2" "$3" ;;
*) fail 'say pack DIR, or verify-tag TAG KEYS' ;;
esac
