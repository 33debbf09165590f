/**
 * A transfer of value between a fiat payment method and a crypto wallet, as the service reports it (partner-api.md,
 * 2.3). Fields have the names of the wire, unknown fields are kept, and `JSON.stringify` returns the wire object.
 */
import type * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { fromJsonText } from "./internal/wire/FromJsonText.ts"
import { schemaIssue } from "./internal/wire/SchemaIssue.ts"
import { type FieldOf, fieldsOf, type Transfer } from "./internal/wire/TransferFields.ts"
import { fromWire, readTransfer, toWire } from "./internal/wire/TransferReader.ts"
import * as TransferSchema from "./internal/wire/TransferSchema.ts"
import * as JsonDepth from "./JsonDepth.ts"
import * as Timestamp from "./Timestamp.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export { fields, knownKinds, knownStatuses, type Transfer } from "./internal/wire/TransferFields.ts"

/** Identifies a transfer: any non-empty text. */
export type TransferId = Transfer["id"]

/** The wire form of a {@link TransferId}. */
export const TransferId = TransferSchema.TransferId

/** The name of a field that holds money. */
export type MoneyField = FieldOf<"money">

/** The fields that hold money, in the order of partner-api.md. */
export const moneyFields = fieldsOf("money")

/**
 * The wire form, as far as it is known. Only `id`, `kind`, `status` and `created_at` are always present; any other
 * field may be absent or null, and further fields are allowed.
 */
export const Wire = TransferSchema.Wire

const isTransfer = (value: unknown): value is Transfer =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "created_at" in value &&
  Timestamp.isTimestamp(value.created_at)

const Kept = S.Unknown.check(
  S.makeFilter((value) => JsonDepth.findDeeper(value) === undefined || `at most ${JsonDepth.maxDepth} levels`),
)

/**
 * Decodes the wire form, and encodes it again. Fields that are null become absent, unknown ones are kept.
 *
 * @example
 * const wire = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z", colour: "red" }
 * Result.map(S.decodeUnknownResult(Transfer.Schema)(wire), (transfer) => JSON.stringify(transfer) === JSON.stringify(wire)) // => Result.succeed(true)
 */
export const Schema = S.StructWithRest(Wire, [S.Record(S.String, Kept)]).pipe(
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
export const fromJson: (text: string) => Result.Result<Transfer, MalformedResponse> = fromJsonText(
  schemaIssue(Wire),
  readTransfer,
  JsonDepth.maxDepth + 1,
)
