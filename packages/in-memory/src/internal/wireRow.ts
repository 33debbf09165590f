/** A generated transfer as wire text: its parties, its amounts and the fees between them, which add up exactly. */
import { below, bits, fraction } from "../Draw.ts"
import { type CryptoAsset, cryptoAssets, type FiatAsset, fiatAssets } from "./assets.ts"
import { addUnits, cents, printUnits, timestamp, transactionId, unitsOf, walletAddress } from "./wireText.ts"

/** What is decided before a transfer is written out. `key` is that of its draws, times are in microseconds. */
export interface Row {
  readonly key: number
  readonly id: string
  readonly external_id: string
  readonly status: "executing" | "approved" | "complete" | "declined"
  readonly created_at: number
  readonly updated_at: number
}

/** The places of the draws; wallets and transactions take as many as they need from theirs on. */
const draws = { kind: 0, fiat: 1, crypto: 2, size: 3, serviceFee: 4, networkFee: 5, low: 6, method: 9, market: 10 }
const walletDraws = 100
const transactionDraws = 200

/** Amounts as wire text, by field. */
interface Amounts {
  readonly sourceCode: string
  readonly destinationCode: string
  readonly serviceFeeCode: string
  readonly source_total: string
  readonly source_subtotal: string
  readonly destination_total: string
  readonly service_fee: string
  readonly network_fee: string
  /** In US cents. */
  readonly usd: { readonly subtotal: number; readonly service: number; readonly network: number }
}

/** Where money is paid in by fiat: all fees are taken in that currency. */
const cashIn = (key: number, fiat: FiatAsset, crypto: CryptoAsset): Amounts => {
  const size = sizeOf(key)
  const subtotal = Math.round(size / fiat.rate)
  const service = 30 + Math.round(subtotal * (0.01 + 0.015 * fraction(key, draws.serviceFee)))
  const network = 1 + Math.round((300 * fraction(key, draws.networkFee) ** 4) / fiat.rate)
  const units = unitsOf(size / 100 / marketPrice(key, crypto), crypto.decimals, lowDigits(key, 0))
  return {
    sourceCode: fiat.currency_code,
    destinationCode: crypto.currency_code,
    serviceFeeCode: fiat.currency_code,
    source_total: cents(subtotal + service + network),
    source_subtotal: cents(subtotal),
    destination_total: printUnits(units, crypto.decimals),
    service_fee: cents(service),
    network_fee: cents(network),
    usd: { subtotal: size, service: Math.round(service * fiat.rate), network: Math.round(network * fiat.rate) },
  }
}

/** Where crypto is cashed out: fees are taken in it, except that some pay the service in the fiat they receive. */
const cashOut = (key: number, fiat: FiatAsset, crypto: CryptoAsset): Amounts => {
  const { decimals } = crypto
  const usd = {
    subtotal: sizeOf(key),
    service: 30 + Math.round(sizeOf(key) * (0.01 + 0.01 * fraction(key, draws.serviceFee))),
    network: 1 + Math.round(250 * fraction(key, draws.networkFee) ** 4),
  }
  const price = marketPrice(key, crypto) * 100
  const subtotal = unitsOf(usd.subtotal / price, decimals, lowDigits(key, 0))
  const network = unitsOf(usd.network / price, decimals, lowDigits(key, 1))
  const service = unitsOf(usd.service / price, decimals, lowDigits(key, 2))
  const feeInFiat = below(key, draws.market + 1, 4) === 0
  const withNetwork = addUnits(subtotal, network, decimals)
  const serviceInFiat = Math.round(usd.service / fiat.rate)
  return {
    sourceCode: crypto.currency_code,
    destinationCode: fiat.currency_code,
    serviceFeeCode: feeInFiat ? fiat.currency_code : crypto.currency_code,
    source_total: printUnits(feeInFiat ? withNetwork : addUnits(withNetwork, service, decimals), decimals),
    source_subtotal: printUnits(subtotal, decimals),
    destination_total: cents(Math.round(usd.subtotal / fiat.rate) - (feeInFiat ? serviceInFiat : 0)),
    service_fee: feeInFiat ? cents(serviceInFiat) : printUnits(service, decimals),
    network_fee: printUnits(network, decimals),
    usd,
  }
}

/** US cents; small transfers are common, large ones rare. */
const sizeOf = (key: number): number => 700 + Math.floor(fraction(key, draws.size) ** 3 * 235_000)

const marketPrice = (key: number, crypto: CryptoAsset): number =>
  crypto.price < 1.5 && crypto.price > 0.9 ? crypto.price : crypto.price * (0.9 + 0.2 * fraction(key, draws.market))

const lowDigits = (key: number, n: number): number => bits(key, draws.low + n)

export const printTransfer = (row: Row): string => {
  const { key, status } = row
  const isCashIn = below(key, draws.kind, 5) < 3
  const fiat = fiatAssets[Math.floor(fraction(key, draws.fiat) ** 2 * fiatAssets.length)]
  const crypto = cryptoAssets[below(key, draws.crypto, cryptoAssets.length)]
  if (fiat === undefined || crypto === undefined) throw new Error("a draw is outside its table")
  const amounts = isCashIn ? cashIn(key, fiat, crypto) : cashOut(key, fiat, crypto)
  const { usd } = amounts
  const method = fiat.payment_methods[below(key, draws.method, fiat.payment_methods.length)] ?? ""
  const hasTransaction = status === "complete" || (!isCashIn && status !== "executing")
  const total = usd.subtotal + usd.network + (amounts.serviceFeeCode === amounts.sourceCode ? usd.service : 0)
  const received = usd.subtotal - (amounts.serviceFeeCode === amounts.sourceCode ? 0 : usd.service)
  return `{"id":"${row.id}","external_id":"${row.external_id}","kind":"${isCashIn ? "cash_in" : "cash_out"}","status":"${status}",${
    hasTransaction ? `"network_transaction_id":"${transactionId(crypto.form, key, transactionDraws)}",` : ""
  }"created_at":"${timestamp(row.created_at)}","updated_at":"${timestamp(row.updated_at)}","source_total":${money(
    amounts.source_total,
    amounts.sourceCode,
  )},"source_total_usd":${dollars(total)},"source_subtotal":${money(
    amounts.source_subtotal,
    amounts.sourceCode,
  )},"source_subtotal_usd":${dollars(usd.subtotal)},"destination_total":${money(
    amounts.destination_total,
    amounts.destinationCode,
  )},"destination_total_usd":${dollars(received)},"wallet_address":"${walletAddress(
    crypto.form,
    key,
    walletDraws,
  )}","payment_method":"${method}","service_fee":${money(
    amounts.service_fee,
    amounts.serviceFeeCode,
  )},"service_fee_usd":${dollars(usd.service)},"network_fee":${money(
    amounts.network_fee,
    amounts.sourceCode,
  )},"network_fee_usd":${dollars(usd.network)}}`
}

const money = (amount: string, currency_code: string): string =>
  `{"amount":"${amount}","currency_code":"${currency_code}"}`

const dollars = (value: number): string => money(cents(value), "fiat/USD")
