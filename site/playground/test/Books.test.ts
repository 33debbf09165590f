import * as Reconciliation from "@transferkit/domain/Reconciliation"
import { expect, it } from "vitest"
import * as Books from "../src/ledger/Books.ts"
import * as SampleBooks from "../src/ledger/SampleBooks.ts"

it("the sample has one of each of what goes wrong in a month", async () => {
  const books = await Books.reconcile(SampleBooks.ledger, SampleBooks.transfers)
  if (books._tag === "Unread") throw new Error(books.reason)
  const breaks = books.reconciliation.outcomes.filter(Reconciliation.isBreak)
  expect(breaks.map(({ _tag }) => _tag).toSorted()).toEqual(["Differs", "NotAtService", "NotInLedger", "NotSettled"])
  expect(breaks.map((outcome) => Books.rowOf(outcome)[3])).not.toContain("")
})

it.each([
  ["", "empty"],
  ["a,b\n1,2\n", "--map"],
  ["Reference,Amount,Currency\norder-1,ten,fiat/USD\n", "line 2"],
  [`Reference,Amount,Currency\n"order-1,1.00,fiat/USD\n`, "quote"],
])("%j is refused with the reason", async (text, reason) => {
  expect(await Books.reconcile(text, [])).toMatchObject({
    _tag: "Unread",
    reason: expect.stringMatching(new RegExp(reason, "i")),
  })
})
