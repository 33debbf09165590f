/**
 * The fields of a transfer (partner-api.md, 2.3), written once: the schema, the reader and the columns derive from it.
 */
import type * as Brand from "effect/Brand"
import type { Money } from "../../Money.ts"
import type { Timestamp } from "../../Timestamp.ts"

/** The known kinds of transfer. The service may send others, which are kept. */
export const knownKinds = ["cash_in", "cash_out"] as const

/** The known statuses. The service may send others, which are kept. */
export const knownStatuses = ["executing", "approved", "complete", "declined"] as const

/** What a field of each type holds. All but `text`, `instant` and `money` are required. */
interface Types {
  readonly id: string & Brand.Brand<"TransferId">
  readonly kind: (typeof knownKinds)[number] | (string & {})
  readonly status: (typeof knownStatuses)[number] | (string & {})
  readonly created: Timestamp
  readonly text: string
  readonly instant: Timestamp
  readonly money: Money
}
type Optional = "text" | "instant" | "money"

type Table = Readonly<Record<string, keyof Types>>

/** The type of each field of the first release, in the order of partner-api.md. */
const firstFields = {
  id: "id",
  /** The partner's own identifier. Several transfers may share one. */
  external_id: "text",
  /** The service may send kinds that are not known here. */
  kind: "kind",
  /** `complete` and `declined` are final. The service may send others. */
  status: "status",
  /** The transaction on the crypto network. */
  network_transaction_id: "text",
  created_at: "created",
  updated_at: "instant",
  source_total: "money",
  source_total_usd: "money",
  /** The source side before fees. */
  source_subtotal: "money",
  source_subtotal_usd: "money",
  destination_total: "money",
  destination_total_usd: "money",
  wallet_address: "text",
  payment_method: "text",
  /** Charged by the service. */
  service_fee: "money",
  service_fee_usd: "money",
  /** Charged by the crypto network. */
  network_fee: "money",
  network_fee_usd: "money",
} as const satisfies Table

/**
 * The fields that were added since. A new one goes here, at the end: files of before have no column for it, and may hold it
 * among the fields that the contract did not name yet.
 */
export const laterFields = {} as const satisfies Table

/** The type of each field, in the order of partner-api.md. */
export const fields = { ...firstFields, ...laterFields } as const

type Fields = typeof fields
type Required = {
  readonly [F in keyof Fields as Fields[F] extends Optional ? never : F]: Types[Fields[F]]
}
type Rest = {
  readonly [F in keyof Fields as Fields[F] extends Optional ? F : never]?: Types[Fields[F]]
}

/** A transfer. Its `Money` and `Timestamp` values are computed on first use. */
export interface Transfer extends Required, Rest {}

/** The names of the fields of some types. */
export type FieldOf<K extends keyof Types> = { [F in keyof Fields]: Fields[F] extends K ? F : never }[keyof Fields]

/** The names of the fields of some types, in the order of the table. */
export const fieldsOf = <K extends keyof Types>(...types: ReadonlyArray<K>): ReadonlyArray<FieldOf<K>> =>
  Object.entries(fields).flatMap(([name, type]) =>
    (types as ReadonlyArray<string>).includes(type) ? [name as FieldOf<K>] : [],
  )
