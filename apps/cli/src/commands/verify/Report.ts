/** The checks of an export, a row per check. */
import { moneyFields } from "@transferkit/domain/Transfer"
import type { Check } from "@transferkit/files/exports/ExportCheck"
import type { Report } from "../../output/Report.ts"

/** For people, the totals that match are one row. */
const shown = (checks: ReadonlyArray<Check>): ReadonlyArray<Check> => {
  const right = checks.filter(({ check, ok }) => ok && isTotal(check)).length
  return [
    ...checks.filter(({ check, ok }) => !ok || !isTotal(check)),
    ...(right === 0 ? [] : [{ check: "totals by field and currency", expected: String(right), found: "", ok: true }]),
  ]
}

/** Checksums that differ do so in their first digits; amounts are never truncated. */
const abbreviated = (text: string): string => (/^[\da-f]{64}$/.test(text) ? `${text.slice(0, 16)}…` : text)

const isTotal = (check: string): boolean => moneyFields.some((field) => check.startsWith(`${field} in `))

/** The report of some checks, with what is said of them all. */
export const make = (checks: ReadonlyArray<Check>, more: object): Report => ({
  json: { ok: checks.every(({ ok }) => ok), ...more, checks },
  records: checks,
  csv: [
    ["check", "expected", "found", "ok"],
    ...checks.map(({ check, expected, found, ok }) => [check, expected, found, String(ok)]),
  ],
  table: (style) => [
    {
      columns: [
        { header: "CHECK" },
        { header: "VERDICT", style: (cut, cell) => (cell === "ok" ? style.good(cut) : style.bad(cut)) },
        { header: "EXPECTED" },
        { header: "FOUND", shrinkTo: 20, wrap: true },
      ],
      rows: shown(checks).map(({ check, expected, found, ok }) => [
        check,
        ok ? "ok" : "differs",
        abbreviated(expected),
        ok ? "" : abbreviated(found),
      ]),
    },
  ],
})
