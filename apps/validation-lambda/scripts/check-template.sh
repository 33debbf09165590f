#!/bin/sh
# Checks the SAM template offline, with every rule of AWS's cfn-lint.
set -eu

if ! command -v cfn-lint >/dev/null; then
  echo "cfn-lint is missing: python3 -m pip install cfn-lint" >&2
  exit 1
fi
exec cfn-lint --non-zero-exit-code informational --include-checks I -- "$(dirname "$0")/../deploy/template.yaml"
