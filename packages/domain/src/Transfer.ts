/**
 * A transfer of value between a fiat payment method and a crypto wallet, as the service reports it (partner-api.md,
 * 2.3). Fields have the names of the wire, unknown fields are kept, and `JSON.stringify` returns the wire object. In an
 * unknown field a number that JavaScript would write otherwise, such as 1.10, is raw JSON with the text of the wire.
 */
import type * as Result from "effect/Result"
import { fromJsonText } from "./internal/wire/FromJsonText.ts"
import type { Transfer } from "./internal/wire/TransferFields.ts"
import { readTransfer } from "./internal/wire/TransferReader.ts"
import { transfer as transferShape } from "./internal/wire/TransferShape.ts"
import * as JsonDepth from "./JsonDepth.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export { type MoneyField, moneyFields } from "./FieldNames.ts"
export { fields, knownKinds, knownStatuses, laterFields, type Transfer } from "./internal/wire/TransferFields.ts"
export { Schema, TransferId, Wire } from "./internal/wire/TransferSchema.ts"

/**
 * Reads a transfer from JSON text.
 *
 * @example
 * Result.map(Transfer.fromJson('{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'), (transfer) => transfer.id) // => Result.succeed("tr_1")
 * Result.mapError(Transfer.fromJson('{"id":"","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'), (error) => error.pointer) // => Result.fail("/id")
 */
export const fromJson: (text: string) => Result.Result<Transfer, MalformedResponse> = fromJsonText(
  transferShape,
  readTransfer,
  JsonDepth.maxDepth + 1,
)
