/** A transfer as the service sends it: only the id and the time of its creation are certain. */
export interface Transfer {
  readonly id: string
  readonly created_at: string
  readonly [field: string]: unknown
}

/** A page of transfers. */
export interface Page {
  readonly results: ReadonlyArray<Transfer>
  readonly page_info: { readonly end_cursor?: string; readonly has_next_page: boolean }
}

/** An amount of a currency such as `fiat/EUR` or `ethereum/USDC`. */
export interface Money {
  readonly amount: string
  readonly currency_code: string
}

/** Whether a field is an amount. */
export const isMoney = (value: unknown): value is Money =>
  typeof value === "object" &&
  value !== null &&
  "amount" in value &&
  typeof value.amount === "string" &&
  "currency_code" in value &&
  typeof value.currency_code === "string"

/** The network and the ticker of a currency; fiat currencies have no network. */
export const currencyOf = (code: string): { readonly network?: string; readonly ticker: string } => {
  const slash = code.indexOf("/")
  const network = code.slice(0, Math.max(0, slash))
  return { ...(network !== "" && network !== "fiat" && { network }), ticker: code.slice(slash + 1) }
}

/** Text for a field of any type. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
