/** A month at the service, and a ledger of it with what goes wrong in a month. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Result from "effect/Result"

const count = 40

/** The transfers of September 2024. */
export const transfers: ReadonlyArray<Transfer> = (() => {
  const generator = TransferGenerator.make({
    count,
    seed: 7,
    from: Timestamp.parseUnsafe("2024-09-01T00:00:00Z"),
    to: Timestamp.parseUnsafe("2024-10-01T00:00:00Z"),
  })
  const rows = Array.from({ length: count }, (_, index) => TransferGenerator.json(generator, index))
  const page = TransferPage.fromJson(`{"results":[${rows.join(",")}],"page_info":{"has_next_page":false}}`)
  return Result.getOrThrow(page).results
})()

/**
 * Books that miss one settled transfer, have another amount for one, book a declined one, and name one that the service
 * does not have.
 */
export const ledger: string = (() => {
  const settled = transfers.filter(({ status, external_id }) => status === "complete" && external_id !== undefined)
  const declined = transfers.find(({ status, external_id }) => status === "declined" && external_id !== undefined)
  const row = ({ external_id, created_at, source_total }: Transfer, amount = source_total?.text ?? "") =>
    [external_id, created_at.text.slice(0, 10), amount, source_total?.currency_code].join(",")
  const [missing, other, ...booked] = settled
  const lines = [
    ...(other === undefined ? [] : [row(other, "1.00")]),
    ...booked.map((transfer) => row(transfer)),
    ...(declined === undefined ? [] : [row(declined)]),
    `refund-17,2024-09-14,25.00,${missing?.source_total?.currency_code ?? "fiat/USD"}`,
  ]
  return `Reference,Date,Amount,Currency\n${lines.toSorted((a, b) => (a.split(",")[1] ?? "").localeCompare(b.split(",")[1] ?? "")).join("\n")}\n`
})()
