/** The schema of a transfer, from its table of fields. */
import * as Record from "effect/Record"
import * as S from "effect/Schema"
import * as Money from "../../Money.ts"
import * as Timestamp from "../../Timestamp.ts"
import { fields, knownKinds, knownStatuses } from "./TransferFields.ts"

/** The wire form of a transfer's id: any text that is not empty. */
export const TransferId = S.NonEmptyString.pipe(S.brand("TransferId"))

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

/** The wire form. Further fields are allowed. */
export const Wire = S.Struct(Record.map(fields, (type) => schemas[type]) as FieldSchemas).annotate({
  identifier: "Transfer",
})
