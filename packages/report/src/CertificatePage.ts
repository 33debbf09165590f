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
  const points = rowsOf(behaviour, "")
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
${listOf("Laws that were not decidable", "Why", laws, "not decidable")}
${Page.folded("Laws that were kept", counted(counts.kept, "law"), lawsOf("Found", laws, "kept"))}
${Page.folded(
  "Behaviour where the contract is silent",
  counted(points.length, "point"),
  table(
    [
      { header: "Point", kind: "name" },
      { header: "Found", kind: "text" },
    ],
    points,
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

type Laws = Certificate.Certificate["laws"]

const listOf = (title: string, found: string, laws: Laws, verdict: Certificate.LawResult["verdict"]): Html =>
  laws.some((law) => law.verdict === verdict) ? Page.section(title, lawsOf(found, laws, verdict)) : nothing

/** The laws of a verdict. */
const lawsOf = (found: string, laws: Laws, verdict: Certificate.LawResult["verdict"]): Html =>
  table(
    [
      { header: "Law", kind: "name" },
      { header: "Meaning", kind: "text" },
      { header: found, kind: "text" },
    ],
    laws
      .filter((law) => law.verdict === verdict)
      .map((law) => [markup`<code>${law.id}</code>`, markup`${law.meaning}`, markup`${law.found}`]),
  )

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

/** The leaves, each under the names that lead to it. A response is one of them. */
const rowsOf = (value: unknown, place: string): ReadonlyArray<ReadonlyArray<Html>> => {
  const name = place.replace(/^responses /, "response to ").replaceAll("_", " ")
  if (!Predicate.isReadonlyObject(value) || Array.isArray(value)) {
    const text = Array.isArray(value) ? value.join(", ") : String(value)
    return [[markup`${name}`, markup`${text === "" ? "none" : text}`]]
  }
  if ("status" in value && "body" in value) {
    const headers = Predicate.isReadonlyObject(value["headers"]) ? Object.entries(value["headers"]) : []
    const varying = headers.filter(([, text]) => text === "(varies)").map(([header]) => header)
    const lines = [
      `status ${String(value["status"])}`,
      ...headers.filter(([, text]) => text !== "(varies)").map(([header, text]) => `${header}: ${String(text)}`),
      ...(varying.length === 0 ? [] : [`${varying.join(", ")}: varies`]),
      String(value["body"]),
    ]
    return [
      [
        markup`${name}`,
        markup`${lines.map((line, index) => markup`${index === 0 ? nothing : markup`<br />`}${line}`)}`,
      ],
    ]
  }
  return Object.entries(value).flatMap(([inner, own]) => rowsOf(own, place === "" ? inner : `${place} ${inner}`))
}
