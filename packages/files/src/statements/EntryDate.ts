/** The days of booking in MT940: a month and a day, whose year the statement around them shows. */

/** Days by which a booking may be outside of the balances around it: some banks date these by another day. */
const slackDays = 31

const halfYear = 183

const yearOf = (date: string): number => Number(date.slice(0, 2))

/** Of a date such as `240930`. 30 February, which some banks have, is 1 or 2 March. */
const daysOf = (date: string): number =>
  Date.UTC(2000 + yearOf(date), Number(date.slice(2, 4)) - 1, Number(date.slice(4))) / 86_400_000

/** A date such as `2024-09-30` without its century and its hyphens. */
const short = (day: string): string => day.slice(2).replaceAll("-", "")

/**
 * The day of an entry, such as `0930`, with its year: `20240930`. It is the day that is nearest to the value, such as
 * `240930`, or the first that is not before the balance with which the statement begins, of a day such as `2024-09-01`.
 */
export const of = (entered: string, { value, opened }: { readonly value: string; readonly opened: string }): string => {
  const inYear = (year: number) => `${String(year).padStart(2, "0")}${entered}`
  const [valued, balance] = [yearOf(value), short(opened)]
  const apart = daysOf(inYear(valued)) - daysOf(value)
  const nearest = valued + (apart > halfYear ? -1 : apart < -halfYear ? 1 : 0)
  const isPossible = (year: number) => daysOf(inYear(year)) >= daysOf(balance) - slackDays
  const first = [-1, 0, 1].map((more) => yearOf(balance) + more).find(isPossible)
  return `20${inYear(Math.max(nearest, first ?? nearest))}`
}

/** Whether a booking such as `20240930` is too late for the closing balance of its statement, of a day such as `2024-09-30`. */
export const isAfter = (booked: string, closed: string): boolean =>
  daysOf(short(booked)) > daysOf(short(closed)) + slackDays
