/** The currencies, countries and payment methods of the sample service, with plausible prices. */

/** The format of a network's addresses and transaction identifiers. */
export type AddressForm = "bitcoin" | "evm" | "solana" | "stellar" | "tron"

export interface CryptoAsset {
  readonly currency_code: string
  readonly legacy_currency_code: string
  readonly currency_name: string
  readonly form: AddressForm
  /** Digits after the point. */
  readonly decimals: number
  /** The price of one unit in US dollars. */
  readonly price: number
}

export interface FiatAsset {
  readonly currency_code: string
  readonly legacy_currency_code: string
  readonly currency_name: string
  /** US dollars for one unit. */
  readonly rate: number
  readonly min_transfer: string
  readonly max_transfer: string
  readonly payment_methods: ReadonlyArray<string>
}

const crypto = (
  currency_code: string,
  currency_name: string,
  form: AddressForm,
  decimals: number,
  price: number,
): CryptoAsset => ({
  currency_code,
  legacy_currency_code: currency_code.slice(currency_code.indexOf("/") + 1),
  currency_name,
  form,
  decimals,
  price,
})

export const cryptoAssets: ReadonlyArray<CryptoAsset> = [
  crypto("bitcoin/BTC", "Bitcoin", "bitcoin", 8, 61_842.5),
  crypto("ethereum/ETH", "Ether", "evm", 18, 2_954.37),
  crypto("ethereum/USDC", "USD Coin on Ethereum", "evm", 6, 1),
  crypto("ethereum/DAI", "Dai", "evm", 18, 0.9996),
  crypto("polygon/POL", "Polygon", "evm", 18, 0.4713),
  crypto("polygon/USDC", "USD Coin on Polygon", "evm", 6, 1),
  crypto("solana/SOL", "Solana", "solana", 9, 148.21),
  crypto("solana/USDC", "USD Coin on Solana", "solana", 6, 1),
  crypto("stellar/USDC", "USD Coin on Stellar", "stellar", 7, 1),
  crypto("stellar/XLM", "Lumen", "stellar", 7, 0.1138),
  crypto("tron/USDT", "Tether on Tron", "tron", 6, 1.0002),
]

const fiat = (
  code: string,
  currency_name: string,
  rate: number,
  limits: readonly [min: string, max: string],
  ...payment_methods: ReadonlyArray<string>
): FiatAsset => ({
  currency_code: `fiat/${code}`,
  legacy_currency_code: code,
  currency_name,
  rate,
  min_transfer: limits[0],
  max_transfer: limits[1],
  payment_methods,
})

export const fiatAssets: ReadonlyArray<FiatAsset> = [
  fiat("USD", "US Dollar", 1, ["5.00", "2500.00"], "debit_card", "ach", "apple_pay"),
  fiat("EUR", "Euro", 1.0832, ["4.50", "2400.00"], "sepa", "debit_card", "apple_pay"),
  fiat("GBP", "Pound Sterling", 1.2714, ["4.00", "2100.00"], "faster_payments", "debit_card"),
  fiat("MXN", "Mexican Peso", 0.0551, ["80.00", "48000.00"], "spei", "debit_card"),
  fiat("BRL", "Brazilian Real", 0.1874, ["25.00", "14000.00"], "pix"),
  fiat("PHP", "Philippine Peso", 0.0175, ["250.00", "150000.00"], "instapay"),
]

export const paymentMethods: Readonly<Record<string, string>> = {
  ach: "ACH transfer",
  apple_pay: "Apple Pay",
  debit_card: "Debit card",
  faster_payments: "Faster Payments",
  instapay: "InstaPay",
  pix: "Pix",
  sepa: "SEPA transfer",
  spei: "SPEI",
}

export const countries: Readonly<Record<string, string>> = {
  BR: "Brazil",
  DE: "Germany",
  ES: "Spain",
  FR: "France",
  GB: "United Kingdom",
  IE: "Ireland",
  MX: "Mexico",
  NL: "Netherlands",
  PH: "Philippines",
  US: "United States",
}
