/** Findings on transfers, a line for each. */
import type { Finding } from "@transferkit/domain/Audit"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Iterable from "effect/Iterable"
import type { Report } from "../../output/Report.ts"

/** A finding on a transfer. */
export type Audited = Pick<Transfer, "id" | "external_id"> & Finding

/** A transfer's findings, each with what identifies the transfer. */
export const of = ({ id, external_id }: Transfer, findings: ReadonlyArray<Finding>): ReadonlyArray<Audited> =>
  findings.map((finding) => ({ id, ...(external_id === undefined ? {} : { external_id }), ...finding }))

const csvHeader = ["id", "external_id", "code", "path", "message", "actual", "limit"]

/** The report of an audit of `transfers` transfers. */
export const make = (records: Iterable<Audited>, transfers: number, settings: object): Report => {
  const rows = Iterable.map(records, ({ id, external_id, code, path, message, actual, limit }) => [
    id,
    external_id ?? "",
    code,
    path,
    message,
    actual === undefined ? "" : typeof actual === "string" ? actual : JSON.stringify(actual),
    limit ?? "",
  ])
  return {
    json: { settings, transfers },
    list: { name: "findings", items: records },
    records,
    csv: Iterable.prepend(rows, csvHeader),
    table: (style) => [
      {
        columns: [
          { header: "ID", id: true },
          { header: "EXTERNAL ID", id: true },
          { header: "FINDING", style: (cut) => style.bad(cut) },
          { header: "AT", dropOrder: 1 },
          { header: "DETAIL", shrinkTo: 24, wrap: true },
        ],
        rows,
      },
    ],
  }
}
