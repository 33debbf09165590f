/** The days of booking in MT940: a month and a day, whose year the statement around them shows. */

/** Days by which a booking may be outside of the balances around it: some banks date these by another day. */
const slackDays = 31

/** Of a date such as `240930` or `2024-09-30`. 30 February, which some banks have, is 1 or 2 March. */
const daysOf = (date: string): number => {
  const [, year, month, day] = /^(?:20)?(..)(..)(..)$/.exec(date.replaceAll("-", "")) ?? []
  return Date.UTC(2000 + Number(year), Number(month) - 1, Number(day)) / 86_400_000
}

const hasLeapDay = (year: number): boolean => year % 4 === 0

/**
 * The day of an entry, such as `0930`, with its year. It is not before the balance with which the statement begins, as far as
 * that is dated by the day; of the years that are left, its own has the day that is nearest to the value.
 */
export const of = (entered: string, { value, opened }: { readonly value: string; readonly opened: string }): string => {
  const years = [value, opened.slice(2)].flatMap((date) => {
    const year = Number(date.slice(0, 2))
    return [year - 1, year, year + 1]
  })
  const distance = (day: string) => Math.abs(daysOf(day) - daysOf(value))
  const [nearest = `20${value.slice(0, 2)}${entered}`] = years
    .filter((year) => entered !== "0229" || hasLeapDay(year))
    .map((year) => `20${String(year).padStart(2, "0")}${entered}`)
    .filter((day) => daysOf(day) >= daysOf(opened) - slackDays)
    .toSorted((one, other) => distance(one) - distance(other))
  return nearest
}

/** Whether a booking is too late for the closing balance of its statement. */
export const isAfter = (booked: string, closed: string): boolean => daysOf(booked) > daysOf(closed) + slackDays
