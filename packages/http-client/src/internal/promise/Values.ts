/** What the Promise client returns. Fields have the names of the wire; nothing here needs Effect. */
import type { Decimal } from "decimal.js"
import type { TransferOf } from "./TransferOf.ts"

/** An exact amount of one currency. A template string gives `1.10 fiat/USD`; operators such as `+` throw. */
export interface Money {
  /** In plain notation, as the service sent it. */
  readonly text: string
  /** For arithmetic: exact for every amount that the service can send. */
  readonly amount: Decimal
  /** `<network>/<ticker>`, or `fiat/<code>`. */
  readonly currency_code: string
  toString(): string
  toJSON(): { readonly amount: string; readonly currency_code: string }
}

/** An instant. Operators such as `<` throw: compare `epochNanoseconds`. */
export interface Timestamp {
  /** RFC 3339, as the service sent it. */
  readonly text: string
  /** Since 1970-01-01T00:00:00Z, leap seconds not counted. */
  readonly epochNanoseconds: bigint
  toString(): string
  toJSON(): string
}

/** A transfer. Unknown fields are kept, and `JSON.stringify` returns what the service sent. */
export interface Transfer extends TransferOf<Money, Timestamp> {}

/** How a result came about. It is not enumerable, so that `JSON.stringify` and comparisons pass over it. */
export interface ResponseDetails {
  /** Requests sent, the first included. */
  readonly attempts: number
  readonly status: number | undefined
  /** The service's `x-request-id`: quote it to its support. */
  readonly requestId: string | undefined
}

/** One page of transfers, in the order of the service. */
export interface TransferPage {
  readonly results: ReadonlyArray<Transfer>
  /** `end_cursor` is the `after_cursor` of the next page. */
  readonly page_info: { readonly end_cursor?: string; readonly has_next_page: boolean }
  readonly response: ResponseDetails
}

/** What the service supports. Amounts are text. */
export interface Capabilities {
  readonly supported_countries: ReadonlyArray<{ readonly country_code: string; readonly country_name: string }>
  readonly supported_currencies: ReadonlyArray<{
    readonly currency_code: string
    /** The short ticker form. */
    readonly legacy_currency_code: string
    readonly currency_name: string
  }>
  readonly supported_payment_methods: ReadonlyArray<{
    readonly payment_method_code: string
    readonly payment_method_name: string
  }>
  /** The smallest and the largest transfer, inclusive, by fiat currency. */
  readonly transfer_limits: {
    readonly [currency_code: string]: { readonly min_transfer: string; readonly max_transfer: string }
  }
  readonly response: ResponseDetails
}

/** Where a scan stands: plain JSON to save, and to pass as `resume`. */
export interface Checkpoint {
  readonly version: 2
  /** Whose transfers they are. */
  readonly origin?: { readonly base_url: string; readonly partner_id: string }
  readonly query: string
  readonly until?: Timestamp
  /** Transfers received so far. */
  readonly transfers: number
  /** The creation times that are still to be read. */
  readonly remaining: ReadonlyArray<{ readonly gte?: Timestamp; readonly lt?: Timestamp }>
}

/** The transfers of a window. Once they are dealt with, `checkpoint` is where to resume from. */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  readonly checkpoint: Checkpoint
  /** Transfers that are still to come: a guess by what has been found so far. 0 with the last batch. */
  readonly expected: number
}

/** What has come so far, and whether it is everything. */
export interface Report {
  /** Whether everything that the query asks for was delivered. */
  readonly isComplete: boolean
  /** What ended it before that: the name of an error, `consumer` if the loop was left, `interruption` for a signal. */
  readonly cutBy?: string
  /** Responses received, those included that were read again. */
  readonly pages: number
  /** Delivered: each once. */
  readonly transfers: number
  /** Not delivered, because the service listed the same transfer twice. */
  readonly duplicates: number
  /** Not delivered, because the query does not ask for it. */
  readonly outside: number
  /** Pages with more transfers than the limit; they are taken whole. */
  readonly oversized: number
  /** Cursors that the service rejected although it had given them out. What they led to is read again. */
  readonly rejected: number
}
