/** Findings on transfers, a line for each. */
import type { Finding } from "@transferkit/domain/Audit"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { Report } from "../../output/Report.ts"

/** A transfer with findings. */
export interface Audited {
  readonly transfer: Transfer
  readonly findings: ReadonlyArray<Finding>
}

/** The report of an audit of `transfers` transfers. */
export const make = (audited: ReadonlyArray<Audited>, transfers: number): Report => {
  const records = audited.flatMap(({ transfer, findings }) =>
    findings.map((finding) => ({
      id: transfer.id,
      ...(transfer.external_id === undefined ? {} : { external_id: transfer.external_id }),
      ...finding,
    })),
  )
  const rows = records.map(({ id, external_id, code, path, message, actual, limit }) => [
    id,
    external_id ?? "",
    code,
    path,
    message,
    actual === undefined ? "" : typeof actual === "string" ? actual : JSON.stringify(actual),
    limit ?? "",
  ])
  return {
    json: { transfers, findings: records },
    records,
    csv: [["id", "external_id", "code", "path", "message", "actual", "limit"], ...rows],
    table: (style) => [
      {
        columns: [
          { header: "ID", shrinkTo: 10, cut: "middle" },
          { header: "EXTERNAL ID", shrinkTo: 8, cut: "middle", dropOrder: 2 },
          { header: "FINDING", style: (cut) => style.bad(cut) },
          { header: "AT", dropOrder: 1 },
          { header: "DETAIL", shrinkTo: 24, wrap: true },
        ],
        rows,
      },
    ],
  }
}
