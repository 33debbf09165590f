/** A pasted ledger: how it is read, or why it is not, and what a reconciliation finds. */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import { useEffect, useState } from "preact/hooks"
import * as Books from "./Books.ts"
import * as SampleBooks from "./SampleBooks.ts"

const delimiters: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }

export const LedgerTool = () => {
  const [text, setText] = useState(SampleBooks.ledger)
  const [books, setBooks] = useState<Books.Books>()
  useEffect(() => {
    let isCurrent = true
    void Books.reconcile(text, SampleBooks.transfers).then((found) => isCurrent && setBooks(found))
    return () => void (isCurrent = false)
  }, [text])
  return (
    <>
      <p class="note">
        The service of this page has {SampleBooks.transfers.length} transfers of September 2024. Edit the ledger, or
        paste one of your own, as CSV. <strong>Nothing leaves this page</strong>: it may not even send a request.
      </p>
      <label class="wide">
        Ledger
        <textarea
          rows={12}
          spellcheck={false}
          value={text}
          aria-describedby="ledger-problem"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="buttons">
        <button type="button" onClick={() => setText(SampleBooks.ledger)}>
          The sample again
        </button>
      </p>
      <p id="ledger-problem" class="problem" role="status">
        {books?._tag === "Unread" ? `The ledger cannot be read: ${books.reason}.` : ""}
      </p>
      {books?._tag === "Read" && <Read {...books} />}
    </>
  )
}

const Read = ({ reading, reconciliation }: Extract<Books.Books, { readonly _tag: "Read" }>) => {
  const breaks = reconciliation.outcomes.filter(Reconciliation.isBreak)
  return (
    <>
      <h3>How it is read</h3>
      <p>
        {reading.rows} bookings, in columns between{" "}
        {reading.delimiter === undefined ? "" : (delimiters[reading.delimiter] ?? reading.delimiter)}
        {reading.decimal !== undefined && `, with a decimal ${reading.decimal === "," ? "comma" : "point"}`}
        {reading.date_order !== undefined && (
          <>
            , with dates as <code>{reading.date_order}</code>
          </>
        )}
        .{" "}
        {Object.entries(reading.columns)
          .map(([part, name], index) => `${index === 0 ? "The" : "the"} ${part} is in "${name}"`)
          .join(", ")}
        .
      </p>
      <h3>{breaks.length === 0 ? "It reconciles" : `${breaks.length} breaks`}</h3>
      <div class="table" tabIndex={0} role="region" aria-label="Breaks">
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              {["Outcome", "Key", "Your books", "Service", "Why"].map((title) => (
                <th key={title} role="columnheader" scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {breaks.map((outcome, index) => {
              const [key, here, there, why] = Books.rowOf(outcome)
              return (
                <tr role="row" key={`${key} ${index}`}>
                  <th role="rowheader" scope="row">
                    {Reconciliation.outcomeWords[outcome._tag]}
                  </th>
                  <td role="cell" data-label="Key">
                    <code>{key}</code>
                  </td>
                  <td role="cell" class="amount" data-label="Your books">
                    {here}
                  </td>
                  <td role="cell" class="amount" data-label="Service">
                    {there}
                  </td>
                  <td role="cell" data-label="Why">
                    {why}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p>{reconciliation.totals.Matched.outcomes} pairs match. Every row of either side is in exactly one outcome.</p>
    </>
  )
}
