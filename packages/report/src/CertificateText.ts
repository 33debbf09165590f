/** A certificate on a terminal: each law with its verdict, what was found where a law is not kept, and how many there are. */
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import { counted } from "@transferkit/domain/Quantity"
import type { Section } from "./TextReport.ts"

/**
 * The certificate as tables, with its counts at the end, where a reader of a terminal looks first.
 *
 * @example
 * const laws = [{ id: "paging", meaning: "Pages have no gaps", verdict: "kept", found: "2 pages" }]
 * const made = { made_at: "2025-01-01T00:00:00Z", version: "1.0.0", requests: 41, laws, behaviour: {} }
 * CertificateText.sections({ certificate: 1, origin: "https://api.example", ...made }).at(-1) // => { text: "1 law kept, 0 broken, 0 not decidable, by 41 requests." }
 */
export const sections = (certificate: Certificate.Certificate): ReadonlyArray<Section> => {
  const { laws, requests } = certificate
  const { kept, broken, "not decidable": open } = Certificate.countsOf(certificate)
  const found = (verdict: Certificate.LawResult["verdict"], title: string): ReadonlyArray<Section> => {
    const rows = laws.filter((law) => law.verdict === verdict).map((law) => [law.id, law.found])
    return rows.length === 0 ? [] : [{ title, columns: [id, { header: "FOUND", shrinkTo: 20, wrap: true }], rows }]
  }
  return [
    {
      columns: [id, { header: "VERDICT" }, { header: "MEANING", shrinkTo: 20, wrap: true }],
      rows: laws.map((law) => [law.id, law.verdict, law.meaning]),
    },
    ...found("not decidable", "Not decidable"),
    ...found("broken", "Broken"),
    {
      text: `${counted(kept, "law")} kept, ${broken} broken, ${open} not decidable, by ${counted(requests, "request")}.`,
    },
  ]
}

const id = { header: "LAW", id: true } as const
