/** Proposals that are valid by the capabilities of the fixture. */

/** One without an `external_id`. */
export const proposal = {
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

/** One with an `external_id`. */
export const proposalOf = (external_id: string) => ({ external_id, ...proposal })
