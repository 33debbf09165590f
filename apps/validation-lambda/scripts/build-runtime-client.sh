#!/bin/sh
# Fetches and builds AWS's runtime interface client, whose native part is compiled at installation. It needs a C++
# compiler, make, autoconf, automake, libtool, cmake, xz and python3; with --install-tools Debian's packages of them
# are installed first.
set -eu

version=4.0.2
folder="$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/lambda-runtime"
built="$folder/node_modules/aws-lambda-ric"

if [ -f "$built/rapid-client.node" ] && grep -q "\"version\": \"$version\"" "$built/package.json"; then
  echo "aws-lambda-ric $version is built"
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
printf '{"private":true}\n' > "$folder/package.json"
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --foreground-scripts "aws-lambda-ric@$version" \
  > "$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log" >&2; exit 1; }
if [ ! -f "$built/rapid-client.node" ]; then
  tail -n 40 "$folder/build.log" >&2
  echo "aws-lambda-ric was installed without its native part: are its install scripts allowed?" >&2
  exit 1
fi
echo "aws-lambda-ric $version is built"
