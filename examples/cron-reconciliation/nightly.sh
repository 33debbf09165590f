#!/bin/sh
# Reconciles the ledger of a day with the service: sh nightly.sh LEDGER DAY, such as ledger.csv 2024-09-05.
# Exit code 0: all is well. 1: there are breaks, in reports/DAY.json, .html and .xml. Others: see `transfers --help`.
set -u
cd "$(dirname "$0")"
ledger="$1"
day="$2"

mkdir -p reports
# A copy of all transfers, kept current: a pass reads what is new and what may still change.
npx transfers sync --to transfers.db --quiet || exit
npx transfers reconcile "$ledger" --from transfers.db --since "$day" --until "$day" \
  --output json --html "reports/$day.html" --junit "reports/$day.xml" >"reports/$day.json"
status=$?
# Here you would send the page, open a ticket, or wake somebody up.
[ "$status" -ne 1 ] || echo "breaks on $day: see reports/$day.html" >&2
exit "$status"
