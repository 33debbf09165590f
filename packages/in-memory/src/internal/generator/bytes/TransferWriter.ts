/** Writes a generated transfer: its parties, its amounts, and fees that add up exactly. */
import { below, bits, fraction } from "../../../Draw.ts"
import { type CryptoAsset, cryptoAssets, fiatAssets } from "../Assets.ts"
import * as AsciiWriter from "./AsciiWriter.ts"
import {
  addUnits,
  type Identity,
  type Units,
  unitsOf,
  unitsOfLast,
  writeCents,
  writeTimestamp,
  writeTransactionId,
  writeTransferId,
  writeUnits,
  writeWalletAddress,
} from "./ByteWriters.ts"
import * as ScheduledFees from "./ScheduledFees.ts"

/** The state of a transfer to write. Times are in microseconds. */
export interface Row extends Identity {
  /** The number in its `external_id`. */
  readonly order: number
  readonly isNew: boolean
  readonly status: "executing" | "approved" | "complete" | "declined"
  readonly updated_at: number
  /** What the service charges; random if it is absent. */
  readonly charge?: ScheduledFees.Charge | undefined
}

/** The maximum length of a transfer, in bytes. */
export const longest = 2048

/** The indexes of the draws. Wallets and transactions use as many as they need from theirs on. */
const draws = { kind: 0, fiat: 1, crypto: 2, size: 3, serviceFee: 4, networkFee: 5, low: 6, method: 9, market: 10 }
const walletDraws = 100
const transactionDraws = 200

const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** A currency for writing amounts: its decimals, and the text after each amount. */
interface Currency {
  readonly decimals: number
  readonly source_total: Uint8Array
  readonly source_subtotal: Uint8Array
  readonly destination_total: Uint8Array
  readonly service_fee: Uint8Array
  readonly network_fee: Uint8Array
}

const currency = (currency_code: string, decimals: number): Currency => {
  const behind = (field: string) => ascii(`","currency_code":"${currency_code}"},"${field}_usd":{"amount":"`)
  return {
    decimals,
    source_total: behind("source_total"),
    source_subtotal: behind("source_subtotal"),
    destination_total: behind("destination_total"),
    service_fee: behind("service_fee"),
    network_fee: behind("network_fee"),
  }
}

const fiats = fiatAssets.map((asset) => ({
  asset,
  currency: currency(asset.currency_code, 2),
  methods: asset.payment_methods.map((method) => ascii(`","payment_method":"${method}","service_fee":{"amount":"`)),
}))

const cryptos = cryptoAssets.map((asset) => ({ asset, currency: currency(asset.currency_code, asset.decimals) }))

type Fiat = (typeof fiats)[number]
type Crypto = (typeof cryptos)[number]

/** The amounts of a transfer, and the currencies they are in. */
interface Amounts {
  readonly source: Currency
  readonly destination: Currency
  readonly serviceCurrency: Currency
  readonly source_total: Units
  readonly source_subtotal: Units
  readonly destination_total: Units
  readonly service_fee: Units
  readonly network_fee: Units
  /** In US cents. */
  readonly usdSubtotal: number
  readonly usdService: number
  readonly usdNetwork: number
}

/** A payment in fiat: all fees are in that currency. */
const cashIn = (key: number, fiat: Fiat, crypto: Crypto): Amounts => {
  const size = sizeOf(key)
  const { rate } = fiat.asset
  const subtotal = Math.round(size / rate)
  const service = 30 + Math.round(subtotal * (0.01 + 0.015 * fraction(key, draws.serviceFee)))
  const network = 1 + Math.round((300 * fraction(key, draws.networkFee) ** 4) / rate)
  return {
    source: fiat.currency,
    destination: crypto.currency,
    serviceCurrency: fiat.currency,
    source_total: unitsOfLast(subtotal + service + network),
    source_subtotal: unitsOfLast(subtotal),
    destination_total: unitsOf(size / 100 / marketPrice(key, crypto.asset), crypto.asset.decimals, lowDigits(key, 0)),
    service_fee: unitsOfLast(service),
    network_fee: unitsOfLast(network),
    usdSubtotal: size,
    usdService: Math.round(service * rate),
    usdNetwork: Math.round(network * rate),
  }
}

/** A payout of crypto: fees are in it, but some pay the service fee in the fiat they receive. */
const cashOut = (key: number, fiat: Fiat, crypto: Crypto): Amounts => {
  const { decimals } = crypto.asset
  const usdSubtotal = sizeOf(key)
  const usdService = 30 + Math.round(usdSubtotal * (0.01 + 0.01 * fraction(key, draws.serviceFee)))
  const usdNetwork = 1 + Math.round(250 * fraction(key, draws.networkFee) ** 4)
  const price = marketPrice(key, crypto.asset) * 100
  const subtotal = unitsOf(usdSubtotal / price, decimals, lowDigits(key, 0))
  const network = unitsOf(usdNetwork / price, decimals, lowDigits(key, 1))
  const service = unitsOf(usdService / price, decimals, lowDigits(key, 2))
  const feeInFiat = below(key, draws.market + 1, 4) === 0
  const withNetwork = addUnits(subtotal, network, decimals)
  const serviceInFiat = Math.round(usdService / fiat.asset.rate)
  return {
    source: crypto.currency,
    destination: fiat.currency,
    serviceCurrency: feeInFiat ? fiat.currency : crypto.currency,
    source_total: feeInFiat ? withNetwork : addUnits(withNetwork, service, decimals),
    source_subtotal: subtotal,
    destination_total: unitsOfLast(Math.round(usdSubtotal / fiat.asset.rate) - (feeInFiat ? serviceInFiat : 0)),
    service_fee: feeInFiat ? unitsOfLast(serviceInFiat) : service,
    network_fee: network,
    usdSubtotal,
    usdService,
    usdNetwork,
  }
}

/** The amounts with the fees of a schedule. What the destination gets is the drawn amount: fees may depend on it. */
const charged = (
  charge: ScheduledFees.Charge,
  drawn: Amounts,
  { fiat, crypto, isCashIn, method }: { fiat: Fiat; crypto: Crypto; isCashIn: boolean; method: string },
): Amounts => {
  const [source, destination] = isCashIn ? [fiat, crypto] : [crypto, fiat]
  const asset = (of: Fiat | Crypto, units: Units): ScheduledFees.Asset => ({
    units,
    decimals: of.currency.decimals,
    currency_code: of.asset.currency_code,
  })
  const transfer: ScheduledFees.Charged = {
    kind: isCashIn ? "cash_in" : "cash_out",
    payment_method: method,
    source_subtotal: asset(source, drawn.source_subtotal),
    destination_total: asset(destination, drawn.destination_total),
  }
  const isServiceInSource = drawn.serviceCurrency === drawn.source
  const serviceAsset = asset(isServiceInSource ? source : destination, drawn.service_fee)
  const service_fee = ScheduledFees.feeOf(charge, "service_fee", serviceAsset, transfer)
  const network_fee = ScheduledFees.feeOf(charge, "network_fee", asset(source, drawn.network_fee), transfer)
  const { decimals } = source.currency
  const withNetwork = addUnits(drawn.source_subtotal, network_fee, decimals)
  return {
    ...drawn,
    source_total: isServiceInSource ? addUnits(withNetwork, service_fee, decimals) : withNetwork,
    service_fee,
    network_fee,
    usdService: valued(drawn.usdService, drawn.service_fee, service_fee),
    usdNetwork: valued(drawn.usdNetwork, drawn.network_fee, network_fee),
  }
}

/** A valuation of another amount of the same currency, at the same price. */
const valued = (usd: number, drawn: Units, units: Units): number => Math.round((usd * units.high) / drawn.high)

/** US cents; small transfers are common, large ones rare. */
const sizeOf = (key: number): number => 700 + Math.floor(fraction(key, draws.size) ** 3 * 235_000)

const marketPrice = (key: number, crypto: CryptoAsset): number =>
  crypto.price < 1.5 && crypto.price > 0.9 ? crypto.price : crypto.price * (0.9 + 0.2 * fraction(key, draws.market))

const lowDigits = (key: number, n: number): number => bits(key, draws.low + n)

/** The text between the values. It closes the dollar amount before it. */
const dollars = '","currency_code":"fiat/USD"}'
const text = {
  id: ascii('{"id":"'),
  external_id: ascii('","external_id":"order-'),
  new: ascii("new-"),
  created_at: ascii('","created_at":"'),
  updated_at: ascii('","updated_at":"'),
  source_total: ascii('","source_total":{"amount":"'),
  source_subtotal: ascii(`${dollars},"source_subtotal":{"amount":"`),
  destination_total: ascii(`${dollars},"destination_total":{"amount":"`),
  wallet_address: ascii(`${dollars},"wallet_address":"`),
  network_fee: ascii(`${dollars},"network_fee":{"amount":"`),
  end: ascii(`${dollars}}`),
}

/** The text after the `external_id`, up to the transaction or the time of creation. */
const stateOf = (kind: string) => {
  const state = (status: string) => ascii(`","kind":"${kind}","status":"${status}`)
  const withTransaction = (status: string) =>
    ascii(`","kind":"${kind}","status":"${status}","network_transaction_id":"`)
  return {
    executing: state("executing"),
    approved: kind === "cash_in" ? state("approved") : withTransaction("approved"),
    declined: kind === "cash_in" ? state("declined") : withTransaction("declined"),
    complete: withTransaction("complete"),
  }
}

const states = { cashIn: stateOf("cash_in"), cashOut: stateOf("cash_out") }

const nothing = ascii("")

/** Writes the JSON of a transfer, of at most {@link longest} bytes. */
export const writeTransfer = (writer: AsciiWriter.AsciiWriter, row: Row): void => {
  const { key, status } = row
  const isCashIn = below(key, draws.kind, 5) < 3
  const fiat = fiats[Math.floor(fraction(key, draws.fiat) ** 2 * fiats.length)]
  const crypto = cryptos[below(key, draws.crypto, cryptos.length)]
  if (fiat === undefined || crypto === undefined) throw new Error("a draw is outside its table")
  const method = below(key, draws.method, fiat.methods.length)
  const drawn = isCashIn ? cashIn(key, fiat, crypto) : cashOut(key, fiat, crypto)
  const amounts =
    row.charge === undefined
      ? drawn
      : charged(row.charge, drawn, { fiat, crypto, isCashIn, method: fiat.asset.payment_methods[method] ?? "" })
  const { source, serviceCurrency, usdSubtotal, usdService, usdNetwork } = amounts
  const isServiceInSource = serviceCurrency === source

  AsciiWriter.copy(writer, text.id)
  writeTransferId(writer, row)
  AsciiWriter.copy(writer, text.external_id)
  if (row.isNew) {
    AsciiWriter.copy(writer, text.new)
    AsciiWriter.whole(writer, row.order)
  } else AsciiWriter.hex8(writer, row.order)
  AsciiWriter.copy(writer, (isCashIn ? states.cashIn : states.cashOut)[status])
  if (status === "complete" || (!isCashIn && status !== "executing")) {
    writeTransactionId(writer, crypto.asset.form, { key, first: transactionDraws })
  }
  AsciiWriter.copy(writer, text.created_at)
  writeTimestamp(writer, row.created_at)
  AsciiWriter.copy(writer, text.updated_at)
  writeTimestamp(writer, row.updated_at)
  AsciiWriter.copy(writer, text.source_total)
  writeUnits(writer, amounts.source_total, source.decimals)
  AsciiWriter.copy(writer, source.source_total)
  writeCents(writer, usdSubtotal + usdNetwork + (isServiceInSource ? usdService : 0))
  AsciiWriter.copy(writer, text.source_subtotal)
  writeUnits(writer, amounts.source_subtotal, source.decimals)
  AsciiWriter.copy(writer, source.source_subtotal)
  writeCents(writer, usdSubtotal)
  AsciiWriter.copy(writer, text.destination_total)
  writeUnits(writer, amounts.destination_total, amounts.destination.decimals)
  AsciiWriter.copy(writer, amounts.destination.destination_total)
  writeCents(writer, usdSubtotal - (isServiceInSource ? 0 : usdService))
  AsciiWriter.copy(writer, text.wallet_address)
  writeWalletAddress(writer, crypto.asset.form, { key, first: walletDraws })
  AsciiWriter.copy(writer, fiat.methods[method] ?? nothing)
  writeUnits(writer, amounts.service_fee, serviceCurrency.decimals)
  AsciiWriter.copy(writer, serviceCurrency.service_fee)
  writeCents(writer, usdService)
  AsciiWriter.copy(writer, text.network_fee)
  writeUnits(writer, amounts.network_fee, source.decimals)
  AsciiWriter.copy(writer, source.network_fee)
  writeCents(writer, usdNetwork)
  AsciiWriter.copy(writer, text.end)
}
