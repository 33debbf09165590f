/** Verdicts on proposals, a row per violation. */
import * as ProposalRow from "@transferkit/domain/ProposalRow"
import type { Verdict } from "@transferkit/domain/Validation"
import type { Report } from "../../output/Report.ts"

/** The report of several verdicts. Those of a table name the line and the column. */
export const make = (verdicts: ReadonlyArray<Verdict>, lines: ReadonlyArray<number> | undefined): Report => {
  const results = lines === undefined ? verdicts : verdicts.map((verdict) => placed(verdict, lines))
  const placeOf = ({ index }: Verdict): ReadonlyArray<string> => (lines === undefined ? [] : [String(lines[index])])
  const columnOf = (path: string): ReadonlyArray<string> => (lines === undefined ? [] : [ProposalRow.columnOf(path)])
  return {
    json: { valid: verdicts.every((verdict) => verdict.valid), results },
    records: results,
    csv: [
      [
        "index",
        "external_id",
        "valid",
        "code",
        "path",
        "message",
        "actual",
        "limit",
        "nearest",
        ...(lines === undefined ? [] : ["line", "column"]),
      ],
      ...verdicts.flatMap((verdict) => {
        const head = [String(verdict.index), verdict.external_id, String(verdict.valid)]
        return verdict.valid
          ? [[...head, "", "", "", "", "", "", ...placeOf(verdict), ...(lines === undefined ? [] : [""])]]
          : verdict.violations.map((violation) => [
              ...head,
              violation.code,
              violation.path,
              violation.message,
              textOf(violation.actual),
              violation.limit,
              violation.nearest,
              ...placeOf(verdict),
              ...columnOf(violation.path),
            ])
      }),
    ],
    numbers: new Set(["index", "line"]),
    table: (style) => [
      {
        columns: [
          { header: lines === undefined ? "#" : "LINE", id: true, align: "right" },
          { header: "EXTERNAL ID", id: true },
          { header: "VERDICT", style: (cut, cell) => (cell === "valid" ? style.good(cut) : style.bad(cut)) },
          { header: "AT", dropOrder: 1 },
          { header: "WHY", shrinkTo: 24, wrap: true },
        ],
        rows: verdicts.flatMap((verdict) => {
          const head = [placeOf(verdict)[0] ?? String(verdict.index), verdict.external_id ?? ""]
          return verdict.valid
            ? [[...head, "valid", "", ""]]
            : verdict.violations.map((violation) => [
                ...head,
                violation.code,
                columnOf(violation.path)[0] ?? violation.path,
                violation.message,
              ])
        }),
      },
    ],
  }
}

const placed = (verdict: Verdict, lines: ReadonlyArray<number>) => ({
  ...verdict,
  line: lines[verdict.index],
  violations: verdict.violations.map((violation) => ({ ...violation, column: ProposalRow.columnOf(violation.path) })),
})

const textOf = (value: unknown): string =>
  value === undefined || typeof value === "string" ? (value ?? "") : JSON.stringify(value)
