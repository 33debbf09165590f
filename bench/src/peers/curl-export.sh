#!/usr/bin/env bash
# The export loop that people write: curl-export.sh FILE
set -euo pipefail
cursor=()
while :; do
  page="$(curl -sSfG "$TRANSFERS_BASE_URL/v1/transfers/search" -u "$TRANSFERS_PARTNER_ID:$TRANSFERS_SECRET_KEY" \
    --data-urlencode limit=20 "${cursor[@]}")"
  jq -c '.results[]' <<<"$page" >>"$1"
  after="$(jq -r 'if .page_info.has_next_page then .page_info.end_cursor else "" end' <<<"$page")"
  [ -n "$after" ] || break
  cursor=(--data-urlencode "after_cursor=$after")
done
