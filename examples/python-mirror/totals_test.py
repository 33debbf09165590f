"""Compares the totals with those of the command line, which adds in decimals too."""

import json
import subprocess
from decimal import Decimal

from totals import totals

command = "npx transfers summary --from sandbox.db --since 2024-09 --until 2024-09 --status complete --by currency --field source_total --output json"
summary = json.loads(subprocess.run(command.split(), check=True, capture_output=True, text=True).stdout)
expected = {
    total["currency_code"]: Decimal(total["amount"])
    for group in summary["groups"]
    for total in group["totals"]["source_total"]
}
assert len(expected) > 5, expected
assert totals("sandbox.db", "2024-09") == expected, (totals("sandbox.db", "2024-09"), expected)
print(f"{len(expected)} totals agree")
