#!/bin/sh
# Checks the SAM template with every rule of AWS's cfn-lint, if it is installed. It comes from Python's package index,
# which not every machine reaches.
set -eu

if ! command -v cfn-lint >/dev/null; then
  echo "cfn-lint is not installed, so its rules were not applied. Install it with: python3 -m pip install cfn-lint"
  exit 0
fi
exec cfn-lint --non-zero-exit-code informational --include-checks I -- "$(dirname "$0")/../deploy/template.yaml"
