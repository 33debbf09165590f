/** How a deployment fills the gaps of the contract, a row per gap. */
import type { Answer, ProbeResult } from "@transferkit/conformance/DialectProbe"
import type { Report } from "../../output/Report.ts"

/** The report of a probe. */
export const make = ({ answers, dialect }: ProbeResult): Report => ({
  json: { dialect, answers: answers.map(plain) },
  records: answers.map(plain),
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

const plain = ({ question, answer, known }: Answer) => ({ question, answer, known })
