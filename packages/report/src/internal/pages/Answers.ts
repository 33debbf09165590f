/** The first three lines of a page: what moved, what is open or in doubt, and whether it closes. */
import { counted } from "@transferkit/domain/Quantity"
import type * as UsdValue from "../../UsdValue.ts"
import { money } from "./Amounts.ts"
import { type Html, markup, nothing } from "./Html.ts"
import * as Page from "./Page.ts"

/** What is answered, all in US dollars. */
export interface Answers {
  readonly settled: UsdValue.UsdValue
  readonly open: UsdValue.UsdValue
  /** Of the comparison with the books; undefined without one. */
  readonly books:
    | {
        /** The breaks that demand something. */
        readonly breaks: number
        readonly inDoubt: UsdValue.UsdValue
        /** What is said of breaks that were accepted. */
        readonly accepted?: string | undefined
      }
    | undefined
}

/** The lines. */
export const render = ({ settled, open, books }: Answers): Html => {
  const doubt =
    books === undefined
      ? nothing
      : books.breaks === 0
        ? markup`; nothing in doubt`
        : markup`; <b>${money(books.inDoubt.usd)}</b> in doubt in ${counted(books.breaks, "break")}${unvalued(books.inDoubt)}`
  return Page.answers([
    markup`<b>${money(settled.usd)}</b> moved in ${counted(count(settled), "settled transfer")}${unvalued(settled)}.`,
    markup`<b>${money(open.usd)}</b> open in ${counted(count(open), "transfer")}${unvalued(open)}${doubt}.`,
    verdict(books, count(open)),
  ])
}

const verdict = (books: Answers["books"], open: number): Html => {
  const carried = open === 0 ? "" : ` ${counted(open, "open transfer")} will settle or fail later.`
  if (books === undefined) return markup`Not compared with your books: no ledger was given.${carried}`
  const accepted = books.accepted === undefined ? "" : ` (${books.accepted})`
  return books.breaks === 0
    ? markup`<strong class="good">It closes:</strong> your books and the service agree${accepted}.${carried}`
    : markup`<strong class="bad">It does not close:</strong> ${counted(books.breaks, "break")} with your books${accepted}.${carried}`
}

const count = ({ valued, unvalued: without }: UsdValue.UsdValue): number => valued + without

const unvalued = ({ unvalued: without }: UsdValue.UsdValue): string =>
  without === 0 ? "" : ` (without ${counted(without, "amount")} that the service has not valued in USD)`
