/** What the Promise client returns. Fields have the names of the wire; nothing here needs Effect. */
import type { Decimal } from "decimal.js"
import type { TransferOf } from "./TransferOf.ts"

/**
 * An exact amount of one currency. A template string gives `1.10 fiat/USD`; operators such as `+` throw.
 *
 * @example
 * const { results: [transfer] } = await client.search({ limit: 1 })
 * transfer.source_total.amount.plus("0.1").minus("0.1").eq(transfer.source_total.text) // => true
 */
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

/**
 * An instant. Operators such as `<` throw: compare `epochNanoseconds`.
 *
 * @example
 * const { results: [transfer] } = await client.search({ limit: 1 })
 * transfer.created_at.epochNanoseconds < 1735689600000000000n // => true
 */
export interface Timestamp {
  /** RFC 3339, as the service sent it. */
  readonly text: string
  /** Since 1970-01-01T00:00:00Z, leap seconds not counted. */
  readonly epochNanoseconds: bigint
  /** The same instant as a `Temporal.Instant`. Throws a `TypeError` if the run time has none. */
  toTemporalInstant(): TemporalInstant
  toString(): string
  toJSON(): string
}

/**
 * `Temporal.Instant`, if the types of the program have it.
 *
 * @example
 * const { results: [transfer] } = await client.search({ limit: 1 })
 * typeof Temporal === "undefined" || transfer.created_at.toTemporalInstant() instanceof Temporal.Instant // => true
 */
export type TemporalInstant = typeof globalThis extends {
  readonly Temporal: { readonly Instant: { readonly prototype: infer Instant } }
}
  ? Instant
  : { readonly epochNanoseconds: bigint }

/**
 * A transfer. Unknown fields are kept, and `JSON.stringify` returns what the service sent.
 *
 * @example
 * const { results: [transfer] } = await client.search({ limit: 1 })
 * JSON.parse(JSON.stringify(transfer)).id === transfer.id // => true
 */
export interface Transfer extends TransferOf<Money, Timestamp> {}

/**
 * How a result came about. It is not enumerable, so that `JSON.stringify` and comparisons pass over it.
 *
 * @example
 * const { response } = await client.search()
 * [response.status, response.headers()["content-type"], response.text().startsWith("{")] // => [200, "application/json", true]
 */
export interface ResponseDetails {
  /** Requests sent, the first included. */
  readonly attempts: number
  readonly status: number | undefined
  /** The service's `x-request-id`: quote it to its support. */
  readonly requestId: string | undefined
  /** The headers of the response by lower-case name, with the credentials taken out. */
  readonly headers: () => Readonly<Record<string, string>>
  /** The body as the service sent it, with the credentials taken out. */
  readonly text: () => string
}

/**
 * One page of transfers, in the order of the service.
 *
 * @example
 * const page = await client.search()
 * (await client.search({ after_cursor: page.page_info.end_cursor })).results.length // => 20
 */
export interface TransferPage {
  readonly results: ReadonlyArray<Transfer>
  /** `end_cursor` is the `after_cursor` of the next page. */
  readonly page_info: { readonly end_cursor?: string; readonly has_next_page: boolean }
  readonly response: ResponseDetails
}

/**
 * What the service supports. Amounts are text.
 *
 * @example
 * (await client.capabilities()).supported_countries.some(({ country_code }) => country_code === "US") // => true
 */
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

/**
 * A proposed transfer between fiat and crypto. The amount is that of the source.
 *
 * @example
 * const source = { amount: "100.00", currency_code: "fiat/USD" }
 * const destination_currency_code = "ethereum/USDC"
 * const proposal = { country_code: "US", payment_method: "debit_card", source, destination_currency_code }
 * (await client.validate(proposal))[0].valid // => true
 */
export interface Proposal {
  readonly external_id?: string
  readonly country_code: string
  readonly payment_method: string
  readonly source: { readonly amount: string; readonly currency_code: string }
  readonly destination_currency_code: string
}

/**
 * One thing that is wrong with a proposal.
 *
 * @example
 * const [{ violations: [violation] }] = await client.validate({})
 * [violation.code, violation.path] // => ["missing_field", "/country_code"]
 */
export interface Violation {
  readonly code:
    | "missing_field"
    | "duplicate_external_id"
    | "invalid_external_id"
    | "unsupported_country"
    | "unsupported_payment_method"
    | "invalid_amount"
    | "unsupported_currency"
    | "not_fiat"
    | "no_limit_for_currency"
    | "too_many_fraction_digits"
    | "below_minimum"
    | "above_maximum"
  /** The JSON Pointer of the value. */
  readonly path: string
  /** For people: the value found, and the values accepted. */
  readonly message: string
  /** The value found, truncated if it is long. Absent if there is none. */
  readonly actual?: unknown
  /** The limit that it breaks. */
  readonly limit?: string
  /** The nearest valid value. */
  readonly nearest?: string
}

/**
 * Whether the service would accept a proposal, by its capabilities, and all that is wrong with it.
 *
 * @example
 * const [verdict] = await client.validate({})
 * verdict.valid // => false
 */
export interface Verdict {
  /** The place of the proposal among those that were given. */
  readonly index: number
  readonly external_id?: string
  readonly valid: boolean
  readonly violations: ReadonlyArray<Violation>
}

/**
 * Where a scan stands: plain JSON to save, and to pass as `resume`.
 *
 * @example
 * let saved
 * for await (const { checkpoint } of client.scan()) saved = JSON.stringify(checkpoint)
 * JSON.parse(saved).transfers // => 45
 */
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

/**
 * The transfers of a window. Once they are dealt with, `checkpoint` is where to resume from.
 *
 * @example
 * let transfers = 0
 * for await (const { results } of client.scan()) transfers += results.length
 * transfers // => 45
 */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  readonly checkpoint: Checkpoint
  /** Transfers that are still to come: a guess by what has been found so far. 0 with the last batch. */
  readonly expected: number
}

/**
 * What has come so far, and whether it is everything.
 *
 * @example
 * const list = client.list()
 * await list.toArray({ limit: 100 })
 * [list.report().isComplete, list.report().transfers] // => [true, 45]
 */
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
