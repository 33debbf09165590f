/** The checks of a diagnosis, a row per check, then the advice. */
import type { Check } from "@transferkit/conformance/ServiceCheck"
import type { Report } from "../../output/Report.ts"

/** The report of some checks. */
export const make = (checks: ReadonlyArray<Check>): Report => ({
  json: { ok: checks.every(({ verdict }) => verdict !== "failed"), checks },
  records: checks,
  csv: [
    ["check", "verdict", "found", "advice"],
    ...checks.map(({ check, verdict, found, advice }) => [check, verdict, found, advice]),
  ],
  table: (style) => [
    {
      columns: [
        { header: "CHECK" },
        {
          header: "VERDICT",
          style: (cut, cell) => (cell === "ok" ? style.good : cell === "warning" ? style.warn : style.bad)(cut),
        },
        { header: "FOUND", shrinkTo: 24, wrap: true },
      ],
      rows: checks.map(({ check, verdict, found }) => [check, verdict, found]),
    },
    ...checks.filter(({ advice }) => advice !== "").map(({ advice }) => ({ title: "What to do", text: advice })),
  ],
})
