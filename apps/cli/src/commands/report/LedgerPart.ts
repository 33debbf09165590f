/** Reconciles the transfers of a period with the ledgers of a report. */
import * as Books from "@transferkit/books/Books"
import type * as BookSettings from "@transferkit/books/BookSettings"
import * as OpenItemsFile from "@transferkit/books/OpenItemsFile"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as MonthPage from "@transferkit/report/MonthPage"
import type * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as GivenBooks from "../reconcile/GivenBooks.ts"

/** The part of the page, until the scope ends; undefined without a ledger. */
export const make = Effect.fnUntraced(function* <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  input: GivenBooks.Input,
  { settings, asked }: { readonly settings: BookSettings.BookSettings; readonly asked: SourceWords.Asked },
) {
  if (input.ledger.length === 0) return undefined
  const parts = yield* GivenBooks.parts(input, settings, asked)
  const options = { ...parts, order: "added", matched: false, inDollars: true, isRequired: () => true } as const
  const { readings, add, finish } = yield* Books.open(options)
  yield* Stream.runForEach(transfers, (batch) => add(batch))
  const reconciled = yield* finish
  if (input.write_open !== undefined) yield* OpenItemsFile.write(input.write_open, reconciled.openItems ?? [])
  const { amount, key } = input
  const part = { ledger: GivenBooks.namesOf(input), readings, reconciled, amount, key }
  return part satisfies MonthPage.ReconciledLedger
})
