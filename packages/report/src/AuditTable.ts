/** The findings of an audit as rows of texts: for CSV, and for a terminal, where each finding has its transfers below it. */
import * as Audit from "@transferkit/domain/Audit"
import { grouped } from "@transferkit/domain/Quantity"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Iterable from "effect/Iterable"
import type { Section } from "./TextReport.ts"

/** A finding on a transfer. */
export type Audited = Pick<Transfer, "id" | "external_id"> & Audit.Finding

/** A transfer's findings, each with what identifies the transfer. */
export const of = ({ id, external_id }: Transfer, findings: ReadonlyArray<Audit.Finding>): ReadonlyArray<Audited> =>
  findings.map((finding) => ({ id, ...(external_id === undefined ? {} : { external_id }), ...finding }))

const csvHeader = ["id", "external_id", "code", "path", "message", "actual", "limit"]

/** The header, and a row for each finding. */
export const csv = (records: Iterable<Audited>): Iterable<ReadonlyArray<string>> =>
  Iterable.prepend(
    Iterable.map(records, ({ id, external_id = "", code, path, message, actual, limit = "" }) => [
      id,
      external_id,
      code,
      path,
      message,
      actual === undefined ? "" : typeof actual === "string" ? actual : JSON.stringify(actual),
      limit,
    ]),
    csvHeader,
  )

const columns = [
  { header: "ID", id: true },
  { header: "EXTERNAL ID", id: true },
  // Narrower, a sentence takes more lines than the one below its identifiers.
  { header: "DETAIL", shrinkTo: 48, wrap: true },
] as const

/** The tables, of any number of findings. Those of a code and a place are one, so that no row repeats them. */
export const sections = (records: Iterable<Audited>): ReadonlyArray<Section> =>
  groupsOf(records).map(({ code, path, count }) => {
    const own = Iterable.filter(records, (record) => record.code === code && record.path === path)
    return {
      title: `${code} at ${path} (${grouped(count)})`,
      columns,
      size: count,
      isPart: true,
      // The findings may be read from a disk: none after the last of the group.
      rows: Iterable.map(Iterable.take(own, count), ({ id, external_id = "", message }) => [id, external_id, message]),
    }
  })

/** The groups in the order in which an audit reports their codes. Holds the counts, not the findings. */
const groupsOf = (records: Iterable<Audited>) => {
  const groups = new Map<string, { readonly code: Audit.Code; readonly path: string; count: number }>()
  for (const { code, path } of records) {
    const name = `${code} ${path}`
    const group = groups.get(name) ?? { code, path, count: 0 }
    groups.set(name, group)
    group.count++
  }
  return Audit.codes.flatMap((code) => [...groups.values()].filter((group) => group.code === code))
}
