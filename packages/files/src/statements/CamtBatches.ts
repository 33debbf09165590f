/** The transactions of an entry of camt.053: what the entry and its batches say of them must be what was read. */
import { again, type Fields, isDebit, notAmount } from "./CamtFields.ts"
import * as Statement from "./Statement.ts"

/** A list of transactions (NtryDtls), and how many of the entry's transactions are read when it ends. */
export interface Batch {
  readonly fields: Fields
  readonly from: number
  readonly to: number
}

/** A booked entry: its amount in units of 10⁻¹⁸, negative if it is a debit. */
export interface Booked {
  readonly entry: Fields
  readonly debit: boolean
  readonly total: bigint
  readonly currency: string
}

type Reject = (reason: string) => never

/** Where a transaction has its amount. It may be in the currency of the payment, beside its countervalue in the account's. */
export const amountPaths = ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt"] as const

/** The amount of a transaction: the first in a currency, or else the first. */
export const amountOf = (transaction: Fields, currency: string) => {
  const all = amountPaths.flatMap((path) => {
    const text = transaction.amount(path)
    return text === undefined ? [] : [{ text, currency: transaction.currencies.get(path) }]
  })
  return all.find((amount) => amount.currency === currency) ?? all[0]
}

/** Rejects an entry that says of its transactions what they are not. */
export const check = (
  batches: ReadonlyArray<Batch>,
  transactions: ReadonlyArray<Fields>,
  booked: Booked,
  reject: Reject,
): void => {
  // Without transactions, the entry is one.
  if (transactions.length === 0) return
  // In the first version, an entry has its batch and transactions itself.
  const own: Batch = { fields: booked.entry, from: 0, to: transactions.length }
  for (const batch of [...batches, own]) {
    const parts = transactions.slice(batch.from, batch.to)
    if (parts.length === 0) checkEmpty(batch, reject)
    else checkBatch(batch, parts, transactions.length === 1 ? booked : undefined, booked, reject)
  }
  const [only] = transactions
  if (only !== undefined && transactions.length === 1) checkOnly(only, booked, reject)
}

/** A batch without a number and a total has nothing that is missing. */
const checkEmpty = ({ fields }: Batch, reject: Reject): void => {
  const count = fields.get("Btch/NbOfTxs")?.trim()
  const stated = fields.amount("Btch/TtlAmt")
  if (Number(count ?? 0) === 0 && Number(stated ?? 0) === 0) return
  const what = count === undefined ? `the amount ${shown(stated)} (TtlAmt)` : `${shown(count)} transactions (NbOfTxs)`
  reject(
    `its batch (line ${fields.line}) has ${what}, and leaves them out, while others of the entry are there. ${again}`,
  )
}

/** A batch may leave its transactions out, but not some of them. */
const checkBatch = (
  { fields }: Batch,
  parts: ReadonlyArray<Fields>,
  whole: Booked | undefined,
  { debit, currency }: Booked,
  reject: Reject,
): void => {
  const which = `its batch (line ${fields.line})`
  const count = fields.get("Btch/NbOfTxs")?.trim()
  if (count !== undefined && Number(count) !== parts.length) {
    reject(`${which} has ${shown(count)} transactions (NbOfTxs), and the file has ${parts.length} of them. ${again}`)
  }
  const stated = fields.amount("Btch/TtlAmt")
  const unit = fields.currencies.get("Btch/TtlAmt") ?? currency
  const amounts = parts.map((part) => {
    const amount = amountOf(part, unit)
    if (amount?.currency === unit) return Statement.units(amount.text, isDebit(part) ?? debit) ?? 0n
    return unit === currency ? whole?.total : undefined
  })
  // Of several, one without an amount is rejected by itself; the only one may have it in another currency.
  const sum = amounts.reduce<bigint | undefined>(
    (all, amount) => (all === undefined || amount === undefined ? undefined : all + amount),
    0n,
  )
  if (sum === undefined) return
  const side = fields.get("Btch/CdtDbtInd")?.trim()
  if (side !== undefined && sum !== 0n && (side === "DBIT") !== sum < 0n) {
    reject(`${which} is ${shown(side)} (CdtDbtInd), and its transactions add up to ${Statement.toText(sum)}. ${again}`)
  }
  if (stated === undefined) return
  const total = Statement.units(stated, sum < 0n)
  if (total === sum) return
  const isOwn = whole === undefined || parts.some((part) => amountOf(part, unit)?.currency === unit)
  if (total !== undefined && !isOwn && isCharged(total, sum, [...parts, whole.entry], currency)) return
  const read = isOwn ? "its transactions add up to" : "its only transaction has that of the entry:"
  reject(`${which} has the amount ${shown(stated)} (TtlAmt), and ${read} ${Statement.toText(sum)}. ${again}`)
}

/** The only transaction of an entry has its side and, if both are in one currency, its amount, charges apart. */
const checkOnly = (transaction: Fields, { entry, debit, total, currency }: Booked, reject: Reject): void => {
  const which = `its transaction (line ${transaction.line})`
  if ((isDebit(transaction) ?? debit) !== debit) {
    reject(
      `${which} is a ${debit ? "credit" : "debit"}, and the entry a ${debit ? "debit" : "credit"} (CdtDbtInd). ${again}`,
    )
  }
  const amount = amountOf(transaction, currency)
  if (amount === undefined || amount.currency !== currency) return
  const own = Statement.units(amount.text, debit) ?? reject(`${which}: ${notAmount(amount.text)}`)
  if (own === total || isCharged(own, total, [transaction, entry], currency)) return
  reject(`${which} has the amount ${Statement.toText(own)}, and the entry ${Statement.toText(total)}. ${again}`)
}

/** Whether two amounts differ by the charges of one of these. */
const isCharged = (one: bigint, other: bigint, of: ReadonlyArray<Fields>, currency: string): boolean => {
  const difference = one < other ? other - one : one - other
  return of.some((fields) => fields.charged(currency) === difference)
}

const shown = (text = ""): string => text.slice(0, 64)
