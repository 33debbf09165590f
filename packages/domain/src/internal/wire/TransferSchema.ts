/** The schemas of a transfer. Separate, so that programs that only read transfers load no schema. */
import * as Record from "effect/Record"
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as JsonDepth from "../../JsonDepth.ts"
import * as Money from "../money/MoneySchema.ts"
import { isMoney } from "../money/MoneyValue.ts"
import * as Timestamp from "../time/TimestampSchema.ts"
import { isTimestamp } from "../time/TimestampText.ts"
import { fields, knownKinds, knownStatuses, type Transfer } from "./TransferFields.ts"
import { readTransfer } from "./TransferReader.ts"

/** The wire form of a transfer's id: any text that is not empty. */
export const TransferId = S.NonEmptyString.pipe(S.brand("TransferId"))

/** Identifies a transfer: any non-empty text. */
export type TransferId = Transfer["id"]

const openEnum = <const L extends ReadonlyArray<string>>(known: L) =>
  S.Union([S.Literals(known), S.StringForLiteralAutocomplete])

const optional = <F extends S.Top>(field: F) => S.optionalKey(S.NullOr(field))

const schemas = {
  id: TransferId,
  kind: openEnum(knownKinds),
  status: openEnum(knownStatuses),
  created: Timestamp.Wire,
  text: optional(S.String),
  instant: optional(Timestamp.Wire),
  money: optional(Money.Wire),
}

type FieldSchemas = { readonly [F in keyof typeof fields]: (typeof schemas)[(typeof fields)[F]] }

/**
 * The wire form, as far as it is known. Only `id`, `kind`, `status` and `created_at` are always present; any other
 * field may be absent or null, and further fields are allowed.
 */
export const Wire = S.Struct(Record.map(fields, (type) => schemas[type]) as FieldSchemas).annotate({
  identifier: "Transfer",
})

const isTransfer = (value: unknown): value is Transfer =>
  typeof value === "object" && value !== null && "id" in value && "created_at" in value && isTimestamp(value.created_at)

const Kept = S.Unknown.check(
  S.makeFilter((value) => JsonDepth.findDeeper(value) === undefined || `at most ${JsonDepth.maxDepth} levels`),
)

/** The transfer of a wire object that its schema accepted. */
const fromWire = (wire: typeof Wire.Type): Transfer => {
  const transfer = readTransfer(wire, { numbers: false })
  if (transfer === undefined) throw new Error("the schema of a transfer accepted what its reader rejects")
  return transfer
}

/** The wire object of a transfer, in the order of its fields. */
const toWire = (transfer: Transfer): typeof Wire.Type & Record<string, unknown> => {
  const wire: Record<string, unknown> = { ...transfer }
  for (const name in wire) {
    const value = wire[name]
    if (isMoney(value)) wire[name] = value.toJSON()
    else if (isTimestamp(value)) wire[name] = value.text
  }
  return wire as typeof Wire.Type & Record<string, unknown>
}

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
