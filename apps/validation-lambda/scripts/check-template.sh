#!/bin/sh
# Checks the SAM template with every rule of AWS's cfn-lint as well, where that is installed: it comes from Python's
# package index, which not every machine that builds this reaches.
set -eu

if ! command -v cfn-lint >/dev/null; then
  echo "cfn-lint is not installed, and its rules were not applied: python3 -m pip install cfn-lint"
  exit 0
fi
exec cfn-lint --non-zero-exit-code informational --include-checks I -- "$(dirname "$0")/../deploy/template.yaml"
