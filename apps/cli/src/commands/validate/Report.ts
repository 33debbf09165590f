/** Verdicts on proposals, a row per violation. */
import type { Verdict } from "@transferkit/domain/Validation"
import type { Report } from "../../output/Report.ts"

/** The report of several verdicts. */
export const make = (verdicts: ReadonlyArray<Verdict>): Report => ({
  json: { valid: verdicts.every((verdict) => verdict.valid), results: verdicts },
  records: verdicts,
  csv: [
    ["index", "external_id", "valid", "code", "path", "message", "actual", "limit", "nearest"],
    ...verdicts.flatMap((verdict) => {
      const head = [String(verdict.index), verdict.external_id, String(verdict.valid)]
      return verdict.valid
        ? [[...head, "", "", "", "", "", ""]]
        : verdict.violations.map((violation) => [
            ...head,
            violation.code,
            violation.path,
            violation.message,
            textOf(violation.actual),
            violation.limit,
            violation.nearest,
          ])
    }),
  ],
  table: (style) => [
    {
      columns: [
        { header: "#", align: "right" },
        { header: "EXTERNAL ID", shrinkTo: 8, cut: "middle", dropOrder: 2 },
        { header: "VERDICT", style: (cut, cell) => (cell === "valid" ? style.good(cut) : style.bad(cut)) },
        { header: "AT", dropOrder: 1 },
        { header: "WHY", shrinkTo: 24, wrap: true },
      ],
      rows: verdicts.flatMap((verdict) => {
        const head = [String(verdict.index), verdict.external_id ?? ""]
        return verdict.valid
          ? [[...head, "valid", "", ""]]
          : verdict.violations.map((violation) => [...head, violation.code, violation.path, violation.message])
      }),
    },
  ],
})

const textOf = (value: unknown): string => {
  if (value === undefined) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}
