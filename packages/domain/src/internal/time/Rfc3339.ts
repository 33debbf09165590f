/**
 * RFC 3339, section 5.6, read by position: the fields of a timestamp are at fixed positions, so that a check takes a
 * few comparisons and no allocation.
 */
import { nanosPerSecond } from "./WholeSecond.ts"

/** The digits from `start` to `end` as a number, or NaN. */
const digits = (text: string, start: number, end: number): number => {
  let value = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** The index at which the fraction's digits end, or `start` without a fraction. */
const endOfFraction = (text: string, start: number): number => {
  if (text.charCodeAt(start) !== 46) return start
  let index = start + 1
  while (index < text.length && text.charCodeAt(index) >= 48 && text.charCodeAt(index) <= 57) index++
  return index
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar, counting years from March. */
const epochDays = (year: number, month: number, day: number): number => {
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Minutes east of UTC; `index` is the start of the offset in a well-formed text. */
const offsetMinutes = (text: string, index: number): number => {
  const sign = text.charCodeAt(index)
  if (sign !== 43 && sign !== 45) return 0
  const minutes = digits(text, index + 1, index + 3) * 60 + digits(text, index + 4, index + 6)
  return sign === 43 ? minutes : -minutes
}

const epochMinutes = (text: string, offsetIndex: number): number =>
  epochDays(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)) * 1440 +
  digits(text, 11, 13) * 60 +
  digits(text, 14, 16) -
  offsetMinutes(text, offsetIndex)

/** A leap second is the last second of a month in UTC, so the next minute starts a month. */
const endsMonth = (minutes: number): boolean =>
  (minutes + 1) % 1440 === 0 && new Date((minutes + 1) * 60_000).getUTCDate() === 1

/** Why a text is not RFC 3339, or `undefined` if it is. */
export const rejection = (text: string): string | undefined => {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || Number.isNaN(year + month + day)) {
    return "it does not start with a date YYYY-MM-DD"
  }
  if (month < 1 || month > 12) return `there is no month ${text.slice(5, 7)}`
  if (day < 1 || day > daysInMonth(year, month)) return `${text.slice(0, 7)} has no day ${text.slice(8, 10)}`
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 116) return "the letter T must stand between date and time"
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58 || Number.isNaN(hour + minute + second)) {
    return "the time is not hh:mm:ss"
  }
  if (hour > 23) return "the hour must be 00 to 23"
  if (minute > 59) return "the minute must be 00 to 59"
  const offsetIndex = endOfFraction(text, 19)
  if (offsetIndex === 20) return "no digit follows the decimal point"
  const unreadable = rejectOffset(text, offsetIndex)
  if (unreadable !== undefined) return unreadable
  if (second > 60 || (second === 60 && !endsMonth(epochMinutes(text, offsetIndex)))) {
    return "the second must be 00 to 59, or 60 in the last minute of a month in UTC"
  }
  return undefined
}

const rejectOffset = (text: string, index: number): string | undefined => {
  const mark = text.charCodeAt(index)
  if (mark === 90 || mark === 122) return text.length === index + 1 ? undefined : "something follows the Z"
  if (mark !== 43 && mark !== 45) return "the offset from UTC is missing: end with Z or with +hh:mm"
  const hour = digits(text, index + 1, index + 3)
  const minute = digits(text, index + 4, index + 6)
  if (text.length !== index + 6 || text.charCodeAt(index + 3) !== 58 || Number.isNaN(hour + minute)) {
    return "the offset from UTC is not +hh:mm or -hh:mm"
  }
  return hour > 23 || minute > 59 ? "the offset from UTC must be within 23:59" : undefined
}

/** The instant of a text that {@link rejection} accepts. */
export const toEpochNanoseconds = (text: string): bigint => {
  const offsetIndex = endOfFraction(text, 19)
  const seconds = epochMinutes(text, offsetIndex) * 60 + digits(text, 17, 19)
  const fraction = offsetIndex === 19 ? 0 : Number(text.slice(20, Math.min(offsetIndex, 29)).padEnd(9, "0"))
  return BigInt(seconds) * nanosPerSecond + BigInt(fraction)
}

const firstSecondOfUtc = epochDays(0, 1, 1) * 86_400
const endOfUtc = epochDays(10_000, 1, 1) * 86_400
const widestOffset = (23 * 60 + 59) * 60

const twoDigits: ReadonlyArray<string> = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"))

/** The date `days` days after 1970-01-01: the inverse of {@link epochDays}. */
const printDate = (days: number): string => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + (dayOfEra === 146_096 ? 1 : 0)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${twoDigits[Math.floor(year / 100)]}${twoDigits[year % 100]}-${twoDigits[month]}-${twoDigits[day]}`
}

const printTime = (secondOfDay: number): string => {
  const minutes = Math.floor(secondOfDay / 60)
  return `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[secondOfDay % 60]}`
}

/**
 * The instant in UTC, with no more fraction digits than it needs; with an offset if UTC has no four-digit year for it.
 */
export const print = (epochNanoseconds: bigint): string => {
  const fraction = ((epochNanoseconds % nanosPerSecond) + nanosPerSecond) % nanosPerSecond
  const seconds = Number((epochNanoseconds - fraction) / nanosPerSecond)
  const [shift, offset] =
    seconds < firstSecondOfUtc ? [widestOffset, "+23:59"] : seconds >= endOfUtc ? [-widestOffset, "-23:59"] : [0, "Z"]
  const days = Math.floor((seconds + shift) / 86_400)
  // Not `Date.toISOString`: it takes three times as long, and printing dominates the planning of requests.
  const whole = `${printDate(days)}T${printTime(seconds + shift - days * 86_400)}`
  return fraction === 0n
    ? `${whole}${offset}`
    : `${whole}.${fraction
        .toString()
        .padStart(9, "0")
        .replace(/0{1,9}$/, "")}${offset}`
}

/** An offset from UTC. */
export const printOffset = (minutes: number): string => {
  if (minutes === 0) return "Z"
  const size = Math.abs(minutes)
  return `${minutes < 0 ? "-" : "+"}${twoDigits[Math.floor(size / 60)]}:${twoDigits[size % 60]}`
}
