/**
 * Currency identifiers: `<network>/<ticker>` for crypto, `fiat/<code>` for fiat (partner-api.md, 2.1).
 */
import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { currencyCodePattern } from "./internal/decimal/Grammar.ts"
import { excerpt } from "./internal/Excerpt.ts"

/**
 * A currency identifier. The literal stays in the type, so that the compiler can distinguish known currencies:
 * `CurrencyCode<"fiat/USD">`.
 */
export type CurrencyCode<C extends string = string> = C & Brand.Brand<"CurrencyCode">

/** The text is not of the form `<network>/<ticker>`. `input` is truncated to 64 characters. */
export class InvalidCurrencyCode extends Data.TaggedError("InvalidCurrencyCode")<{ readonly input: string }> {
  override get message(): string {
    return `Not a currency code: ${JSON.stringify(this.input)}. Write <network>/<ticker>, such as ethereum/USDC, or fiat/<code>, such as fiat/USD.`
  }
}

/** The grammar: two non-empty parts of visible ASCII, joined by one slash. */
export const pattern: RegExp = currencyCodePattern

/**
 * Whether a text is a currency code.
 *
 * @example
 * CurrencyCode.isCurrencyCode("polygon/USDC") // => true
 * CurrencyCode.isCurrencyCode("USD") // => false
 */
export const isCurrencyCode = (text: string): text is CurrencyCode => accepts(text)

/**
 * Reads a currency code.
 *
 * @example
 * CurrencyCode.parse("fiat/EUR") // => Result.succeed("fiat/EUR")
 * Result.isFailure(CurrencyCode.parse("EUR")) // => true
 */
export const parse = <const C extends string>(text: C): Result.Result<CurrencyCode<C>, InvalidCurrencyCode> =>
  accepts(text) ? Result.succeed(text) : Result.fail(new InvalidCurrencyCode({ input: excerpt(text) }))

/** A page names few codes two hundred times. To remember them takes a third of the time of the pattern. */
const known = new Set<string>()
const mostKnown = 1024

const accepts = <C extends string>(text: C): text is CurrencyCode<C> => {
  if (known.has(text)) return true
  const isCode = pattern.test(text)
  if (isCode && known.size < mostKnown) known.add(text)
  return isCode
}

/**
 * A currency code from a literal. The compiler checks its form.
 * Throws `InvalidCurrencyCode`; use {@link parse} for untrusted text.
 *
 * @example
 * CurrencyCode.parseUnsafe("fiat/USD") // => "fiat/USD"
 */
export const parseUnsafe = <const C extends `${string}/${string}`>(text: C): CurrencyCode<C> =>
  Result.getOrThrow(parse(text))

/**
 * The part before the slash: the network of a cryptocurrency, or `fiat`.
 *
 * @example
 * CurrencyCode.network(CurrencyCode.parseUnsafe("ethereum/ETH")) // => "ethereum"
 */
export const network = (code: CurrencyCode): string => code.slice(0, code.indexOf("/"))

/**
 * The part after the slash: the ticker of a cryptocurrency, or the ISO 4217 code of a fiat currency.
 *
 * @example
 * CurrencyCode.ticker(CurrencyCode.parseUnsafe("ethereum/ETH")) // => "ETH"
 */
export const ticker = (code: CurrencyCode): string => code.slice(code.indexOf("/") + 1)

/**
 * Whether the currency is fiat money.
 *
 * @example
 * CurrencyCode.isFiat(CurrencyCode.parseUnsafe("fiat/USD")) // => true
 */
export const isFiat = (code: CurrencyCode): boolean => code.startsWith("fiat/")
