/** Sums of the views, of `decimal_sum` and of the totals equal those of python's decimal, on any database. */
import { spawnSync } from "node:child_process"
import { moneyFields } from "@transferkit/domain/Transfer"
import { describe, expect, test } from "vitest"
import * as MirrorSummary from "../../src/MirrorSummary.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"
import * as Life from "../Life.ts"
import { plain } from "./laws.ts"

/** Sums by the name of the question, as exact decimals. It knows nothing but JSON. */
const program = `
import json, sys
from collections import defaultdict
from decimal import Decimal, getcontext
getcontext().prec = 200
sums = defaultdict(Decimal)
for line in sys.stdin:
    transfer = json.loads(line)
    day, status = transfer["created_at"][:10], transfer["status"]
    assert transfer["created_at"].endswith("Z")
    for field, money in transfer.items():
        if not isinstance(money, dict) or "amount" not in money:
            continue
        amount, code = Decimal(money["amount"]), money["currency_code"]
        sums[f"all {field} {code}"] += amount
        sums[f"month {day[:7]} {status} {field} {code}"] += amount
        if field == "source_total":
            sums[f"daily {day} {status} {code}"] += amount
        if field in ("service_fee", "network_fee"):
            sums[f"fee {day[:7]} {status} {field} {code}"] += amount
print(json.dumps({name: format(total, "f") for name, total in sums.items()}))
`

const judge = (lab: Lab.Lab): Map<string, string> => {
  const input = [...Lab.served(lab).values()].map((body) => `${body}\n`).join("")
  const { stdout, stderr, status } = spawnSync("python3", ["-c", program], { input, encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const sums: Readonly<Record<string, string>> = JSON.parse(stdout)
  return new Map(Object.entries(sums).map(([name, total]) => [name, plain(total)]))
}

export const pythonSuite = (database: Database, { seeds }: { readonly seeds: ReadonlyArray<string> }) =>
  describe.each(seeds)(`sums in ${database.name}, LAW_SEED=%s`, (seed) => {
    test("are those of python's decimal", async () => {
      const roll = Life.dice(`${seed} python`)
      const lab = Lab.make(await database.fresh(), { count: 500, seed: roll(1000) })
      Life.insertOddAmounts(lab, roll)
      await Lab.sync(lab)
      for (let serial = 0; serial < 20; serial++) Life.happen(lab, roll, serial)
      lab.now += 60_000
      await Lab.sync(lab)
      const expected = judge(lab)
      expect(expected.size).toBeGreaterThan(500)
      const found = new Map<string, string>()
      const add = (name: string, total: unknown) => total !== null && found.set(name, plain(String(total)))
      for (const row of await Lab.query(lab, "SELECT * FROM daily_totals")) {
        add(`daily ${row["created_day"]} ${row["status"]} ${row["currency_code"]}`, row["source_total"])
      }
      for (const row of await Lab.query(lab, "SELECT * FROM fees_by_currency")) {
        for (const field of ["service_fee", "network_fee"]) {
          add(`fee ${row["created_month"]} ${row["status"]} ${field} ${row["currency_code"]}`, row[field])
        }
      }
      for (const field of moneyFields) {
        const [amount, code] = [`${field}_amount`, `${field}_currency_code`]
        const sql = `SELECT ${code} AS code, decimal_sum(${amount}) AS total FROM transfers WHERE ${amount} IS NOT NULL GROUP BY ${code}`
        for (const { code: currency, total } of await Lab.query(lab, sql)) add(`all ${field} ${currency}`, total)
      }
      const by = ["month", "status"] as const
      const summary = await Lab.run(lab, MirrorSummary.summarize({ partner_id: Lab.partner_id, by }))
      for (const { key, totals } of summary?.summary.groups ?? []) {
        for (const field of moneyFields) {
          for (const { text, currency_code } of totals[field] ?? []) {
            add(`month ${key.month} ${key.status} ${field} ${currency_code}`, text)
          }
        }
      }
      expect(new Map([...found].toSorted())).toEqual(new Map([...expected].toSorted()))
    })
  })
