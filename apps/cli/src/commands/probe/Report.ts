/** How a deployment fills the gaps of the contract, a row per gap. */
import type { Report } from "../../output/Report.ts"
import type { ProbeResult } from "./DialectProbe.ts"

/** The report of a probe. */
export const make = ({ answers, lte_token }: ProbeResult): Report => ({
  json: { dialect: lte_token === undefined ? {} : { lte_token }, answers },
  records: answers,
  csv: [
    ["question", "answer", "known"],
    ...answers.map(({ question, answer, known }) => [question, answer, String(known)]),
  ],
  table: (style) => [
    {
      columns: [
        { header: "GAP" },
        {
          header: "THIS DEPLOYMENT",
          shrinkTo: 24,
          wrap: true,
          style: (cut, cell) => (cell.startsWith("unknown") ? style.quiet(cut) : cut),
        },
      ],
      rows: answers.map(({ question, answer }) => [question, answer]),
    },
  ],
})
