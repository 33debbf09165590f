/** Pieces of a generated transfer as wire text: decimals without rounding, identifiers in the form of their network. */
import { bits } from "../Draw.ts"
import type { AddressForm } from "./assets.ts"

const pad = (value: number, digits: number): string => value.toString().padStart(digits, "0")

/** Hundredths as a decimal with two fraction digits. */
export const cents = (value: number): string => `${Math.floor(value / 100)}.${pad(value % 100, 2)}`

/**
 * An exact amount with up to 18 fraction digits, in two whole numbers that a double holds exactly: units of the ninth
 * digit (or of the last, where there are fewer), and what is beyond it.
 */
export interface Units {
  readonly high: number
  readonly low: number
}

const highDigits = (decimals: number): number => Math.min(decimals, 9)

/** The amount nearest to a price, its digits beyond the ninth drawn. */
export const unitsOf = (amount: number, decimals: number, draw: number): Units => ({
  high: Math.max(1, Math.round(amount * 10 ** highDigits(decimals))),
  low: decimals > 9 ? draw % 10 ** (decimals - 9) : 0,
})

export const addUnits = (a: Units, b: Units, decimals: number): Units => {
  const low = a.low + b.low
  const one = 10 ** (decimals - 9)
  return decimals > 9 && low >= one ? { high: a.high + b.high + 1, low: low - one } : { high: a.high + b.high, low }
}

export const printUnits = (units: Units, decimals: number): string => {
  const digits = highDigits(decimals)
  const one = 10 ** digits
  const text = `${Math.floor(units.high / one)}.${pad(units.high % one, digits)}`
  return decimals > 9 ? text + pad(units.low, decimals - 9) : text
}

const hexWords = Array.from({ length: 0x1_0000 }, (_, word) => word.toString(16).padStart(4, "0"))

/** A whole number below 2³² as eight hexadecimal digits. */
export const hex32 = (value: number): string => (hexWords[value >>> 16] ?? "") + (hexWords[value & 0xffff] ?? "")

const letters = (alphabet: string, key: number, first: number, length: number): string => {
  const pairs = pairsOf(alphabet)
  let text = ""
  for (let n = first; text.length < length; n += 1) {
    const draw = bits(key, n)
    text += (pairs[draw % pairs.length] ?? "") + (pairs[(draw >>> 16) % pairs.length] ?? "")
  }
  return text.slice(0, length)
}

const pairTables = new Map<string, ReadonlyArray<string>>()

const pairsOf = (alphabet: string): ReadonlyArray<string> => {
  const known = pairTables.get(alphabet)
  if (known !== undefined) return known
  const pairs = [...alphabet].flatMap((a) => [...alphabet].map((b) => a + b))
  pairTables.set(alphabet, pairs)
  return pairs
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
const bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const hex = (key: number, first: number, words: number): string => {
  let text = ""
  for (let n = first; n < first + words; n++) text += hex32(bits(key, n))
  return text
}

/** An address in the form of a network. It takes draws from `first` on. */
export const walletAddress = (form: AddressForm, key: number, first: number): string => {
  switch (form) {
    case "bitcoin":
      return `bc1q${letters(bech32, key, first, 38)}`
    case "evm":
      return `0x${hex(key, first, 5)}`
    case "solana":
      return letters(base58, key, first, 44)
    case "stellar":
      return `G${letters(base32, key, first, 55)}`
    case "tron":
      return `T${letters(base58, key, first, 33)}`
  }
}

/** A transaction identifier in the form of a network. It takes draws from `first` on. */
export const transactionId = (form: AddressForm, key: number, first: number): string => {
  switch (form) {
    case "evm":
      return `0x${hex(key, first, 8)}`
    case "solana":
      return letters(base58, key, first, 88)
    default:
      return hex(key, first, 8)
  }
}

const second = 1_000_000
const day = 86_400 * second

/** Transfers that are made together are mostly of one day. */
let latestDay = { day: 0, date: "1970-01-01" }

const dateOf = (days: number): string => {
  if (latestDay.day !== days) latestDay = { day: days, date: new Date((days * day) / 1000).toISOString().slice(0, 10) }
  return latestDay.date
}

const twoDigits = Array.from({ length: 60 }, (_, value) => pad(value, 2))

/** Microseconds since 1970 as an RFC 3339 timestamp in UTC with six fraction digits. */
export const timestamp = (micros: number): string => {
  const days = Math.floor(micros / day)
  const time = micros - days * day
  const seconds = Math.floor(time / second)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return `${dateOf(days)}T${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds % 60]}.${pad(time % second, 6)}Z`
}

/** A UUID of version 7 whose counter is the row's index, so that identifiers sort as the rows do. */
export const transferId = (micros: number, index: number, key: number): string => {
  const millis = Math.floor(micros / 1000)
  const time = hex32(Math.floor(millis / 0x1_0000)) + (hexWords[millis % 0x1_0000] ?? "")
  const counter = hex32(index)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.slice(0, 3)}-8${counter.slice(3, 6)}-${counter.slice(6)}${hex(key, 60, 2).slice(0, 10)}`
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{2})[0-9a-f]{10}$/

/** The index in an identifier of that layout, or `undefined` for any other text. */
export const indexInTransferId = (id: string): number | undefined => {
  const parts = idForm.exec(id)
  return parts === null ? undefined : Number.parseInt(`${parts[1]}${parts[2]}${parts[3]}`, 16)
}
