"""Writes money.json: arithmetic as Python's decimal module does it. Run: python3 money.py > money.json"""

import decimal
import json
import random

decimal.getcontext().prec = 2000
random.seed(20240901)

MODES = {
    "up": decimal.ROUND_UP,
    "down": decimal.ROUND_DOWN,
    "ceiling": decimal.ROUND_CEILING,
    "floor": decimal.ROUND_FLOOR,
    "half-up": decimal.ROUND_HALF_UP,
    "half-down": decimal.ROUND_HALF_DOWN,
    "half-even": decimal.ROUND_HALF_EVEN,
}


def amount() -> str:
    whole = str(random.randrange(10 ** random.choice([1, 2, 4, 9, 20, 40])))
    digits = random.choice([0, 1, 2, 2, 6, 18, 30, 60])
    fraction = "".join(random.choice("0000123456789995") for _ in range(digits))
    sign = random.choice(["", "", "-"])
    return sign + whole + ("." + fraction if digits else "")


def text(value: decimal.Decimal) -> str:
    return format(abs(value) if value == 0 else value, "f")


def vector() -> dict:
    a, b = amount(), amount()
    x, y = decimal.Decimal(a), decimal.Decimal(b)
    scale = random.choice([0, 1, 2, 6, 18])
    unit = decimal.Decimal(1).scaleb(-scale)
    return {
        "a": a,
        "b": b,
        "add": text(x + y),
        "subtract": text(x - y),
        "multiply": text(x * y),
        "compare": int(x.compare(y)),
        "scale": scale,
        "round": {name: text(x.quantize(unit, rounding=mode)) for name, mode in MODES.items()},
    }


def division() -> dict:
    a, b = amount(), amount()
    if random.random() < 0.3:
        # Quotients that terminate: ties, and results that are exact already.
        b = random.choice(["0.5", "4", "-8", "0.02", "-0.125", "1", "20", "0", "-0.00"])
    x, y = decimal.Decimal(a), decimal.Decimal(b)
    scale = random.choice([0, 1, 2, 6, 18])
    unit = decimal.Decimal(1).scaleb(-scale)
    if y == 0:
        return {"a": a, "b": b, "scale": scale, "divide": None}
    return {
        "a": a,
        "b": b,
        "scale": scale,
        "divide": {name: text((x / y).quantize(unit, rounding=mode)) for name, mode in MODES.items()},
    }


vectors = [vector() for _ in range(500)]
total = decimal.Decimal(0)
for each in vectors:
    total += decimal.Decimal(each["a"])
divisions = [division() for _ in range(500)]


def listed(items: list) -> str:
    return ",\n    ".join(json.dumps(each) for each in items)


print(
    '{\n  "sum": %s,\n  "vectors": [\n    %s\n  ],\n  "divisions": [\n    %s\n  ]\n}'
    % (json.dumps(text(total)), listed(vectors), listed(divisions))
)
