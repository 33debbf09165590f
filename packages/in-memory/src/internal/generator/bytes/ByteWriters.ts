/** Writes amounts without rounding, timestamps, and identifiers in their network's format. */
import { bits } from "../../../Draw.ts"
import type { AddressForm } from "../Assets.ts"
import * as AsciiWriter from "./AsciiWriter.ts"

/**
 * An exact amount with up to 18 fraction digits, as two whole numbers that a double represents exactly: units of the
 * ninth digit (or of the last, if there are fewer), and the digits beyond it.
 */
export interface Units {
  readonly high: number
  readonly low: number
}

const powersOfTen = Array.from({ length: 10 }, (_, power) => 10 ** power)

const tenTo = (power: number): number => powersOfTen[power] ?? 0

const highDigits = (decimals: number): number => Math.min(decimals, 9)

/** The amount nearest to a price; digits beyond the ninth are drawn. */
export const unitsOf = (amount: number, decimals: number, draw: number): Units => ({
  high: Math.max(1, Math.round(amount * tenTo(highDigits(decimals)))),
  low: decimals > 9 ? draw % tenTo(decimals - 9) : 0,
})

/** A whole number of the last digit, for currencies with at most nine. */
export const unitsOfLast = (value: number): Units => ({ high: value, low: 0 })

export const addUnits = (a: Units, b: Units, decimals: number): Units => {
  const high = a.high + b.high
  const low = a.low + b.low
  if (decimals <= 9) return { high, low }
  const one = tenTo(decimals - 9)
  return low < one ? { high, low } : { high: high + 1, low: low - one }
}

export const writeUnits = (writer: AsciiWriter.AsciiWriter, { high, low }: Units, decimals: number): void => {
  const fraction = highDigits(decimals)
  const one = tenTo(fraction)
  const whole = Math.floor(high / one)
  AsciiWriter.whole(writer, whole)
  AsciiWriter.character(writer, point)
  AsciiWriter.digits(writer, high - whole * one, fraction)
  if (decimals > 9) AsciiWriter.digits(writer, low, decimals - 9)
}

/** Hundredths as a decimal with two fraction digits. */
export const writeCents = (writer: AsciiWriter.AsciiWriter, value: number): void => {
  const whole = Math.floor(value / 100)
  AsciiWriter.whole(writer, whole)
  AsciiWriter.character(writer, point)
  AsciiWriter.digits(writer, value - whole * 100, 2)
}

const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1")

const point = ".".charCodeAt(0)

const base32 = AsciiWriter.pairsOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
const bech32 = AsciiWriter.pairsOf("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
const base58 = AsciiWriter.pairsOf("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")

/** The draws of a key from one of them on. */
interface Draws {
  readonly key: number
  readonly first: number
}

const writeLetters = (
  writer: AsciiWriter.AsciiWriter,
  alphabet: AsciiWriter.Pairs,
  { key, first }: Draws,
  length: number,
): void => {
  const end = writer.at + length
  for (let n = first; writer.at < end; n++) {
    const draw = bits(key, n)
    AsciiWriter.pair(writer, alphabet, draw)
    AsciiWriter.pair(writer, alphabet, draw >>> 16)
  }
  writer.at = end
}

const writeHex = (writer: AsciiWriter.AsciiWriter, { key, first }: Draws, words: number): void => {
  for (let n = first; n < first + words; n++) AsciiWriter.hex8(writer, bits(key, n))
}

const segwit = ascii("bc1q")
const evm = ascii("0x")
const stellar = ascii("G")
const tron = ascii("T")

/** An address in a network's format. */
export const writeWalletAddress = (writer: AsciiWriter.AsciiWriter, form: AddressForm, draws: Draws): void => {
  switch (form) {
    case "bitcoin":
      AsciiWriter.copy(writer, segwit)
      return writeLetters(writer, bech32, draws, 38)
    case "evm":
      AsciiWriter.copy(writer, evm)
      return writeHex(writer, draws, 5)
    case "solana":
      return writeLetters(writer, base58, draws, 44)
    case "stellar":
      AsciiWriter.copy(writer, stellar)
      return writeLetters(writer, base32, draws, 55)
    case "tron":
      AsciiWriter.copy(writer, tron)
      return writeLetters(writer, base58, draws, 33)
  }
}

/** A transaction identifier in a network's format. */
export const writeTransactionId = (writer: AsciiWriter.AsciiWriter, form: AddressForm, draws: Draws): void => {
  if (form === "solana") return writeLetters(writer, base58, draws, 88)
  if (form === "evm") AsciiWriter.copy(writer, evm)
  writeHex(writer, draws, 8)
}

const second = 1_000_000
const day = 86_400 * second

/** Dates as text, cached by the last nine bits of their day: a year fits. */
const dates = Array.from({ length: 512 }, () => ({ days: 0, text: ascii("1970-01-01T") }))

const dateOf = (days: number): Uint8Array => {
  const known = dates[days & 511]
  if (known?.days === days) return known.text
  const text = ascii(new Date((days * day) / 1000).toISOString().slice(0, 11))
  dates[days & 511] = { days, text }
  return text
}

const colon = ":".charCodeAt(0)
const utc = "Z".charCodeAt(0)

/** Microseconds since 1970 as an RFC 3339 timestamp in UTC with six fraction digits. */
export const writeTimestamp = (writer: AsciiWriter.AsciiWriter, micros: number): void => {
  const days = Math.floor(micros / day)
  const time = micros - days * day
  const seconds = Math.floor(time / second)
  const minutes = Math.floor(seconds / 60)
  AsciiWriter.copy(writer, dateOf(days))
  AsciiWriter.digits(writer, Math.floor(minutes / 60), 2)
  AsciiWriter.character(writer, colon)
  AsciiWriter.digits(writer, minutes % 60, 2)
  AsciiWriter.character(writer, colon)
  AsciiWriter.digits(writer, seconds % 60, 2)
  AsciiWriter.character(writer, point)
  AsciiWriter.digits(writer, time - seconds * second, 6)
  AsciiWriter.character(writer, utc)
}

/** The parts of an `id`. `key` is the key of the row's draws. */
export interface Identity {
  readonly key: number
  readonly index: number
  /** In microseconds since 1970. */
  readonly created_at: number
}

const dash = "-".charCodeAt(0)
const version = ascii("-7")
const variant = ascii("-8")

/** The first of the draws that end an `id`. */
const idDraws = 60

/** A UUID of version 7 whose counter is the row's index, so that identifiers sort as the rows do. */
export const writeTransferId = (writer: AsciiWriter.AsciiWriter, { key, index, created_at }: Identity): void => {
  const millis = Math.floor(created_at / 1000)
  const high = Math.floor(millis / 0x1_0000)
  AsciiWriter.hex8(writer, high)
  AsciiWriter.character(writer, dash)
  AsciiWriter.hex(writer, millis - high * 0x1_0000, 4)
  AsciiWriter.copy(writer, version)
  AsciiWriter.hex(writer, index >>> 20, 3)
  AsciiWriter.copy(writer, variant)
  AsciiWriter.hex(writer, index >>> 8, 3)
  AsciiWriter.character(writer, dash)
  AsciiWriter.hex(writer, index, 2)
  AsciiWriter.hex8(writer, bits(key, idDraws))
  AsciiWriter.hex(writer, bits(key, idDraws + 1) >>> 24, 2)
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{2})[0-9a-f]{10}$/

/** The index in an identifier of that layout, or `undefined` for any other text. */
export const indexInTransferId = (id: string): number | undefined => {
  const parts = idForm.exec(id)
  return parts === null ? undefined : Number.parseInt(`${parts[1]}${parts[2]}${parts[3]}`, 16)
}

/** A whole number below 2³² as eight hexadecimal digits. */
export const hex32 = (value: number): string => value.toString(16).padStart(8, "0")
