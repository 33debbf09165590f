/** A certificate as a page: each law with its verdict, the evidence of broken ones, and the behaviour that was found. */
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as Predicate from "effect/Predicate"
import { digits } from "./internal/pages/Amounts.ts"
import { type Html, markup, nothing } from "./internal/pages/Html.ts"
import * as Page from "./internal/pages/Page.ts"
import { table } from "./internal/pages/Table.ts"

/** The page. */
export const render = (certificate: Certificate.Certificate): string => {
  const { origin, made_at, version, requests, laws, behaviour, signature } = certificate
  const counts = Certificate.countsOf(certificate)
  const title = `Certificate of ${origin}`
  return Page.render({
    title,
    body: markup`<h1>${title}</h1>
<p class="muted">As of ${made_at.slice(0, 16).replace("T", " ")} UTC, by ${counted(requests, "request")} that only read.</p>
${Page.cards([
  { figure: digits(String(counts.kept)), label: "laws kept", tone: "good" },
  { figure: digits(String(counts.broken)), label: "laws broken", tone: counts.broken === 0 ? "good" : "bad" },
  { figure: digits(String(counts["not decidable"])), label: "not decidable" },
])}
${counts.broken === 0 ? nothing : Page.section("Broken laws", markup`${laws.filter(({ verdict }) => verdict === "broken").map(breach)}`)}
${Page.section(
  "All laws",
  table(
    ["Law", "Meaning", "Verdict", "Found"].map((header) => ({ header, kind: "text" })),
    laws
      .toSorted(inDoubtFirst)
      .map(({ id, meaning, verdict, found }) => [
        markup`<code>${id}</code>`,
        markup`${meaning}`,
        verdict === "broken" ? markup`<strong class="bad">${verdict}</strong>` : markup`${verdict}`,
        markup`${found}`,
      ]),
  ),
)}
${Page.section(
  "Behaviour where the contract is silent",
  table(
    [
      { header: "Point", kind: "line" },
      { header: "Found", kind: "id" },
    ],
    rowsOf(behaviour, ""),
  ),
)}
${Page.section(
  "How this page was made",
  Page.facts([
    ["Program", markup`transfers ${version}`],
    ["Made at", markup`${made_at}`],
    ["Requests", markup`${grouped(requests)}`],
    [
      "Signature",
      signature === undefined ? markup`none` : markup`${signature.algorithm}, <code>${signature.public_key}</code>`,
    ],
  ]),
)}`,
  })
}

/** What people ask about comes first: laws that are broken, then those that could not be tried. */
const inDoubtFirst = (one: Certificate.LawResult, other: Certificate.LawResult): number =>
  verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict)

const verdicts: ReadonlyArray<Certificate.LawResult["verdict"]> = ["broken", "not decidable", "kept"]

const breach = ({ id, meaning, found, evidence }: Certificate.LawResult): Html =>
  markup`<h3><code>${id}</code> ${meaning}</h3>
<p>${found}.</p>
${evidence === undefined ? nothing : markup`<pre>${evidence.request}${responseOf(evidence)}</pre>`}
`

const responseOf = ({ response }: Certificate.Evidence): Html => {
  if (response === undefined) return markup`\n\nThere was no response.`
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\n`)
  return markup`\n\nHTTP ${response.status}\n${headers}\n${response.body}`
}

/** The leaves, each under the names that lead to it. */
const rowsOf = (value: unknown, place: string): ReadonlyArray<ReadonlyArray<Html>> =>
  Predicate.isReadonlyObject(value) && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => rowsOf(inner, place === "" ? name : `${place} ${name}`))
    : [[markup`${place.replaceAll("_", " ")}`, markup`${Array.isArray(value) ? value.join(", ") : String(value)}`]]
