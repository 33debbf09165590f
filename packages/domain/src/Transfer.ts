/**
 * A transfer of value between a fiat payment method and a crypto wallet, as the service reports it (partner-api.md,
 * 2.3). Fields keep the wire's names, unknown fields are kept, and `JSON.stringify` gives the wire object back.
 */
import type * as Brand from "effect/Brand"
import type * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { wireText } from "./internal/wire/FromJsonText.ts"
import { schemaMisfit } from "./internal/wire/SchemaIssue.ts"
import { fromWire, moneyFields, readTransfer, toWire } from "./internal/wire/TransferFields.ts"
import * as Money from "./Money.ts"
import * as Timestamp from "./Timestamp.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export { moneyFields }

/** Identifies a transfer. Any text that is not empty. */
export type TransferId = string & Brand.Brand<"TransferId">

/** The wire form of a {@link TransferId}. */
export const TransferId = S.NonEmptyString.pipe(S.brand("TransferId"))

/** The kinds of transfer that are known; the service may send others, and they are kept. */
export const knownKinds = ["cash_in", "cash_out"] as const

/** The statuses that are known; the service may send others, and they are kept. */
export const knownStatuses = ["executing", "approved", "complete", "declined"] as const

const openEnum = <const L extends ReadonlyArray<string>>(known: L) =>
  S.Union([S.Literals(known), S.StringForLiteralAutocomplete])

const optional = <F extends S.Top>(field: F) => S.optionalKey(S.NullOr(field))

/**
 * The wire form, in so far as it is known. Only `id`, `kind`, `status` and `created_at` are always there; any other
 * field may be absent or null, and further fields are allowed.
 */
export const Wire = S.Struct({
  id: TransferId,
  external_id: optional(S.String),
  kind: openEnum(knownKinds),
  status: openEnum(knownStatuses),
  network_transaction_id: optional(S.String),
  created_at: Timestamp.Wire,
  updated_at: optional(Timestamp.Wire),
  source_total: optional(Money.Wire),
  source_total_usd: optional(Money.Wire),
  source_subtotal: optional(Money.Wire),
  source_subtotal_usd: optional(Money.Wire),
  destination_total: optional(Money.Wire),
  destination_total_usd: optional(Money.Wire),
  wallet_address: optional(S.String),
  payment_method: optional(S.String),
  service_fee: optional(Money.Wire),
  service_fee_usd: optional(Money.Wire),
  network_fee: optional(Money.Wire),
  network_fee_usd: optional(Money.Wire),
}).annotate({ identifier: "Transfer" })

/** A transfer. Its `Money` and `Timestamp` values are computed when they are first asked for. */
export interface Transfer {
  readonly id: TransferId
  /** The partner's own identifier, given at transfer time. Several transfers may share one. */
  readonly external_id?: string
  readonly kind: (typeof knownKinds)[number] | (string & {})
  readonly status: (typeof knownStatuses)[number] | (string & {})
  /** The transaction on the crypto network. */
  readonly network_transaction_id?: string
  readonly created_at: Timestamp.Timestamp
  readonly updated_at?: Timestamp.Timestamp
  readonly source_total?: Money.Money
  readonly source_total_usd?: Money.Money
  /** The source side before fees. */
  readonly source_subtotal?: Money.Money
  readonly source_subtotal_usd?: Money.Money
  readonly destination_total?: Money.Money
  readonly destination_total_usd?: Money.Money
  readonly wallet_address?: string
  readonly payment_method?: string
  /** Charged by the service. */
  readonly service_fee?: Money.Money
  readonly service_fee_usd?: Money.Money
  /** Charged by the crypto network. */
  readonly network_fee?: Money.Money
  readonly network_fee_usd?: Money.Money
}

const isTransfer = (value: unknown): value is Transfer =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "created_at" in value &&
  Timestamp.isTimestamp(value.created_at)

/**
 * Decodes the wire form and encodes it again. Fields that are null become absent, unknown ones are kept.
 *
 * @example
 * const wire = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z", colour: "red" }
 * Result.map(S.decodeUnknownResult(Transfer.Schema)(wire), (transfer) => JSON.stringify(transfer) === JSON.stringify(wire)) // => Result.succeed(true)
 */
export const Schema = S.StructWithRest(Wire, [S.Record(S.String, S.Unknown)]).pipe(
  S.decodeTo(
    S.declare(isTransfer, { identifier: "TransferValue", expected: "Transfer" }),
    SchemaTransformation.transform({ decode: fromWire, encode: toWire }),
  ),
)

/**
 * Reads a transfer from JSON text.
 *
 * @example
 * Result.map(Transfer.fromJson('{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'), (transfer) => transfer.id) // => Result.succeed("tr_1")
 * Result.mapError(Transfer.fromJson('{"id":"","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'), (error) => error.pointer) // => Result.fail("/id")
 */
export const fromJson: (text: string) => Result.Result<Transfer, MalformedResponse> = wireText(
  schemaMisfit(Wire),
  readTransfer,
)
