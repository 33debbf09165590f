/** Made of the table of fields in packages/domain by `pnpm generate`. */

/** The fields of a transfer, over the types that hold an amount and an instant. */
export interface TransferOf<Money, Timestamp> {
  readonly id: string
  /** The partner's own identifier. Several transfers may share one. */
  readonly external_id?: string
  /** The service may send kinds that are not known here. */
  readonly kind: "cash_in" | "cash_out" | (string & {})
  /** `complete` and `declined` are final. The service may send others. */
  readonly status: "executing" | "approved" | "complete" | "declined" | (string & {})
  /** The transaction on the crypto network. */
  readonly network_transaction_id?: string
  readonly created_at: Timestamp
  readonly updated_at?: Timestamp
  readonly source_total?: Money
  readonly source_total_usd?: Money
  /** The source side before fees. */
  readonly source_subtotal?: Money
  readonly source_subtotal_usd?: Money
  readonly destination_total?: Money
  readonly destination_total_usd?: Money
  readonly wallet_address?: string
  readonly payment_method?: string
  /** Charged by the service. */
  readonly service_fee?: Money
  readonly service_fee_usd?: Money
  /** Charged by the crypto network. */
  readonly network_fee?: Money
  readonly network_fee_usd?: Money
}
