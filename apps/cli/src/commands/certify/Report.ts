/** A certificate, and the changes from one to the next, as rows. */
import type { Certificate } from "@transferkit/conformance/certificate/Certificate"
import * as Drift from "@transferkit/conformance/certificate/Drift"
import * as CertificateText from "@transferkit/report/CertificateText"
import type { Report } from "../../output/Report.ts"

/** The report of a certificate. Its JSON is the document. */
export const ofCertificate = (certificate: Certificate): Report => ({
  ...ofRows(certificate, certificate.laws, ["id", "verdict", "meaning", "found"]),
  table: () => CertificateText.sections(certificate),
})

/** The report of what has changed. */
export const ofChanges = (changes: ReadonlyArray<Drift.Change>, since: string): Report =>
  ofRows({ drift: Drift.isDrift(changes), since, changes }, changes, ["place", "before", "after", "drifted"])

const ofRows = <Row>(json: unknown, records: ReadonlyArray<Row>, names: ReadonlyArray<keyof Row & string>): Report => {
  const rows = records.map((record) => names.map((name) => String(record[name])))
  const columns = names.map((name, index) => ({
    header: name.toUpperCase(),
    ...(index === 0 ? { id: true } : { shrinkTo: 20, wrap: index === names.length - 1 }),
  }))
  return {
    json,
    records,
    csv: [names, ...rows],
    table: () => [rows.length === 0 ? { text: "Nothing has changed." } : { columns, rows }],
  }
}
