/** New transfers with some fields given; the others are generated. */
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"

/** Some fields of a transfer. A field given as null is left out. */
export type PartialTransfer = Readonly<Record<string, unknown>>

/** The wire object of a new transfer with these fields. */
export const make = (made: TransferGenerator.NewTransfer, fields: PartialTransfer): PartialTransfer => {
  const updated_at = Object.hasOwn(fields, "created_at") ? { updated_at: fields["created_at"] } : {}
  const all = { ...JSON.parse(TransferGenerator.jsonOfNew(made)), ...updated_at, ...fields }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}
