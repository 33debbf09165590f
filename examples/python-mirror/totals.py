"""Exact totals of a month's completed transfers, from a mirror: python3 totals.py transfers.db 2024-09"""

import sqlite3
import sys
from collections import defaultdict
from decimal import Decimal


def totals(mirror: str, month: str) -> dict[str, Decimal]:
    """By currency. Amounts are text in SQLite: Decimal keeps every digit, SUM would not."""
    # Read-only, so that a sync can go on.
    with sqlite3.connect(f"file:{mirror}?mode=ro", uri=True) as db:
        rows = db.execute(
            "SELECT source_total_currency_code, source_total_amount FROM transfers"
            " WHERE status = 'complete' AND created_day LIKE ? || '-%' AND source_total_amount IS NOT NULL",
            (month,),
        )
        sums: dict[str, Decimal] = defaultdict(Decimal)
        for currency_code, amount in rows:
            sums[currency_code] += Decimal(amount)
    return dict(sorted(sums.items()))


if __name__ == "__main__":
    for code, total in totals(*sys.argv[1:3]).items():
        print(f"{total:f} {code}")
