/** Transfers of which only some fields are given: the rest is made up, as of a transfer that is just made. */
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"

/** A transfer of which only some fields are given; one that is given as null is left out. */
export type PartialTransfer = Readonly<Record<string, unknown>>

/** The wire object of a new transfer with the fields that are given. */
export const make = (made: TransferGenerator.NewTransfer, fields: PartialTransfer): PartialTransfer => {
  const updated_at = "created_at" in fields ? { updated_at: fields["created_at"] } : {}
  const all = { ...JSON.parse(TransferGenerator.jsonOfNew(made)), ...updated_at, ...fields }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}
