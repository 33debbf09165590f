/** Appends a report of the command line to the summary of a job, and its counts to the outputs of the step. */
import { appendFileSync, readFileSync } from "node:fs"

const [kind = "", file = ""] = process.argv.slice(2)
const report = JSON.parse(readFileSync(file, "utf8"))

/** Most summaries are read, not searched: the rest is in the report. */
const most = 50

/** Text of the service or of a file as a cell: it cannot end the cell, nor be HTML, Markdown, a link or a mention. */
const cell = (value) =>
  String(value ?? "")
    .replace(/\p{C}+/gu, " ")
    .slice(0, 200)
    .replace(/[\\`*_{}[\]()#+!|<>~@&$:-]|(?<=www)\./gi, (sign) => `&#${sign.charCodeAt(0)};`)

const table = (names, rows) =>
  [names, names.map(() => "---"), ...rows.slice(0, most).map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("") + (rows.length > most ? `\n${rows.length - most} more are in the report.\n` : "")

const money = (value) => (value === undefined ? "" : `${value.amount} ${value.currency_code}`)

const kinds = {
  validation: () => {
    const { results } = report
    const invalid = results.filter(({ valid }) => !valid)
    const rows = invalid.flatMap(({ index, external_id, violations }) =>
      violations.map(({ code, path, message }) => [index, external_id, code, path, message]),
    )
    return {
      text: `## Proposals\n\n${results.length} proposals, ${invalid.length} invalid.\n\n${rows.length === 0 ? "" : table(["#", "External id", "Code", "At", "Why"], rows)}`,
      outputs: { invalid: invalid.length },
    }
  },
  /** A certificate, or the changes since another. */
  certificate: () => {
    const { laws, changes = [] } = report
    const rows =
      laws === undefined
        ? changes.map(({ place, before, after, drifted }) => [place, before, after, drifted ? "yes" : "no"])
        : laws.filter(({ verdict }) => verdict !== "kept").map((law) => [law.id, law.verdict, law.meaning, law.found])
    const findings = rows.filter(([, verdict, , drift]) =>
      laws === undefined ? drift === "yes" : verdict === "broken",
    ).length
    const names = laws === undefined ? ["Place", "Before", "Now", "Drift"] : ["Law", "Verdict", "Meaning", "Found"]
    const found =
      laws === undefined ? `${findings} changes of the deployment.` : `${laws.length} laws, ${findings} broken.`
    return {
      text: `## Certificate\n\n${found}\n\n${rows.length === 0 ? "" : table(names, rows)}`,
      outputs: { findings },
    }
  },
  reconciliation: () => {
    const { breaks, outcomes } = report
    const rows = outcomes
      .filter(({ outcome }) => outcome !== "Matched")
      .map(({ outcome, key, ledger, service, why }) => [outcome, key, money(ledger), money(service), why])
    return {
      text: `## Reconciliation\n\n${breaks} breaks.\n\n${rows.length === 0 ? "" : table(["Outcome", "Key", "Ledger", "Service", "Why"], rows)}`,
      outputs: { breaks },
    }
  },
}

const { text, outputs } = kinds[kind]()
appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${text}\n`)
for (const [name, value] of Object.entries(outputs)) appendFileSync(process.env.GITHUB_OUTPUT, `${name}=${value}\n`)
