/**
 * The digits of a currency after the point, as ISO 4217 has them (list one). `Intl` has those of daily use, which are fewer
 * for HUF, IDR and others, while banks count in the units of the standard.
 */

const others: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
}

const digits: ReadonlyMap<string, number> = new Map(
  Object.entries(others).flatMap(([count, codes]) => codes.split(" ").map((code) => [code, Number(count)] as const)),
)

/**
 * An amount in the smallest units of a currency, as a decimal.
 *
 * @example
 * MinorUnits.toDecimal(94113n, "HUF") // => "941.13"
 * MinorUnits.toDecimal(5n, "KWD") // => "0.005"
 * MinorUnits.toDecimal(5000n, "JPY") // => "5000"
 */
export const toDecimal = (units: bigint, currency: string): string => {
  const count = digits.get(currency) ?? 2
  const text = String(units).padStart(count + 1, "0")
  return count === 0 ? text : `${text.slice(0, -count)}.${text.slice(-count)}`
}
