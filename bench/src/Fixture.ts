/** The input that contestants share: pages of transfers as the service sends them, the same on every run. */

/** A small generator of repeatable numbers (mulberry32). */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A text of digits that does not start with a zero. */
export const digits = (next: () => number, count: number): string =>
  Array.from({ length: count }, (_, index) => Math.floor(index === 0 ? 1 + next() * 9 : next() * 10)).join("")

const money = (next: () => number, whole: number, fraction: number, currency_code: string) => ({
  amount: `${digits(next, whole)}.${digits(next, fraction)}`,
  currency_code,
})

/** One transfer, about 1.3 kB of JSON. */
const transfer = (next: () => number) => {
  const at = new Date(Date.UTC(2024, 8, 1) + Math.floor(next() * 30 * 86_400_000)).toISOString()
  return {
    id: `tr_${digits(next, 24)}`,
    external_id: `order-${digits(next, 10)}`,
    kind: "cash_in",
    status: "complete",
    network_transaction_id: `0x${digits(next, 64)}`,
    created_at: at,
    updated_at: at,
    source_total: money(next, 3, 2, "fiat/EUR"),
    source_total_usd: money(next, 3, 2, "fiat/USD"),
    source_subtotal: money(next, 3, 2, "fiat/EUR"),
    source_subtotal_usd: money(next, 3, 2, "fiat/USD"),
    destination_total: money(next, 2, 18, "ethereum/ETH"),
    destination_total_usd: money(next, 3, 2, "fiat/USD"),
    wallet_address: `0x${digits(next, 40)}`,
    payment_method: "card",
    service_fee: money(next, 1, 2, "fiat/EUR"),
    service_fee_usd: money(next, 1, 2, "fiat/USD"),
    network_fee: money(next, 1, 18, "ethereum/ETH"),
    network_fee_usd: money(next, 1, 2, "fiat/USD"),
  }
}

/** Transfers as the service sends them. */
export const transfers = (next: () => number, count: number): ReadonlyArray<unknown> =>
  Array.from({ length: count }, () => transfer(next))

/** A page of 20 transfers as JSON text. */
export const pageText = (): string => {
  const next = random(20)
  return JSON.stringify({
    results: transfers(next, 20),
    page_info: { end_cursor: digits(next, 48), has_next_page: true },
  })
}

/** Amounts with 18 fraction digits, as crypto tokens have them. */
export const amounts = (count: number): ReadonlyArray<string> => {
  const next = random(18)
  return Array.from({ length: count }, () => `${digits(next, 1 + Math.floor(next() * 7))}.${digits(next, 18)}`)
}
