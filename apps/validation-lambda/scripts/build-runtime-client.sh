#!/bin/sh
# Fetches and builds AWS's runtime interface client, exactly as runtime-client/package-lock.json has it. Its native part
# is compiled at installation, from sources in its package. It needs a C++ compiler, make, autoconf, automake, libtool,
# cmake, xz and python3; with --install-tools Debian's packages of them are installed first.
set -eu

app="$(cd "$(dirname "$0")/.." && pwd)"
locked="$app/scripts/runtime-client"
folder="$app/node_modules/.cache/lambda-runtime"
built="$folder/node_modules/aws-lambda-ric/rapid-client.node"

if [ -f "$built" ] && cmp -s "$locked/package-lock.json" "$folder/package-lock.json"; then
  echo "aws-lambda-ric is built"
  exit 0
fi

missing=""
for tool in g++ make autoconf automake libtoolize cmake xz python3; do
  command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ] && [ "${1-}" = "--install-tools" ]; then
  as_root="$([ "$(id -u)" = 0 ] || echo sudo)"
  $as_root apt-get update --quiet
  $as_root apt-get install --yes --quiet --no-install-recommends \
    g++ make autoconf automake libtool cmake xz-utils python3
elif [ -n "$missing" ]; then
  echo "these tools are missing:$missing; --install-tools takes them from Debian" >&2
  exit 1
fi

rm -rf "$folder"
mkdir -p "$folder"
cp "$locked/package.json" "$locked/package-lock.json" "$folder/"
npm ci --prefix "$folder" --no-audit --no-fund --foreground-scripts \
  > "$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log" >&2; exit 1; }
if [ ! -f "$built" ]; then
  tail -n 40 "$folder/build.log" >&2
  echo "aws-lambda-ric was installed without its native part: are its install scripts allowed?" >&2
  exit 1
fi
echo "aws-lambda-ric is built"
