/** The bookings of every ledger of the corpus, as exports write them. The expectations are written by hand. */

/** A booking in the notations of the corpus. */
export interface Booking {
  readonly ref: string
  readonly text: string
  /** Day, month and year of two and of four digits. */
  readonly day: string
  readonly month: string
  readonly isOut: boolean
  /** Without its sign. */
  readonly plain: string
  /** The running balance, which began at 1000.00. */
  readonly balance: string
}

/** Three of money in and one of money out. */
export const bookings: ReadonlyArray<Booking> = [
  { ref: "R-1001", text: "Invoice paid", day: "03", month: "09", isOut: false, plain: "1234.50", balance: "2234.50" },
  { ref: "R-1002", text: "Refund", day: "05", month: "09", isOut: true, plain: "80.00", balance: "2154.50" },
  { ref: "R-1003", text: "Invoice paid", day: "12", month: "09", isOut: false, plain: "12.30", balance: "2166.80" },
  {
    ref: "R-1004",
    text: "Order",
    day: "30",
    month: "09",
    isOut: false,
    plain: "1234567.80",
    balance: "1236734.60",
  },
]

/** What they are to be read as, without the currency. */
export const expected = [
  "R-1001 | 1234.50 | 2024-09-03",
  "R-1002 | -80.00 | 2024-09-05",
  "R-1003 | 12.30 | 2024-09-12",
  "R-1004 | 1234567.80 | 2024-09-30",
]

/** Their sums, of both sides and of each. */
export const sums = { net: "1235734.60", in: "1235814.60", out: "80.00" }

/** How a number is written: the sign between groups, the decimal sign, and the digits of the groups before the last. */
export type Style = readonly [group: string, decimal: string, size?: number]

/** The styles of countries. */
export const styles = {
  us: [",", "."],
  de: [".", ","],
  fr: ["\u202f", ","],
  ch: ["'", "."],
  india: [",", ".", 2],
  bare: ["", "."],
  comma: ["", ","],
} as const satisfies Readonly<Record<string, Style>>

/** A number in a style. */
export const write = (plain: string, [group, decimal, size = 3]: Style): string => {
  const [whole = "", fraction = ""] = plain.split(".")
  const head = whole.slice(0, -3)
  const parts: Array<string> = []
  for (let end = head.length; end > 0; end -= size) parts.unshift(head.slice(Math.max(0, end - size), end))
  return `${[...parts, whole.slice(-3)].join(group)}${decimal}${fraction}`
}

/** A number with the sign of its booking. */
export const signed = (booking: Booking, style: Style): string =>
  `${booking.isOut ? "-" : ""}${write(booking.plain, style)}`

/** The number of a booking, if it is of this side. */
export const side = (booking: Booking, of: "in" | "out", style: Style): string =>
  booking.isOut === (of === "out") ? write(booking.plain, style) : ""
