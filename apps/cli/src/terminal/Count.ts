/** Numbers of things, as people read them: `1 transfer`, `5,000 transfers`. */

const format = new Intl.NumberFormat("en-US")

/** A number with its thousands apart. */
export const grouped = (count: number): string => format.format(count)

/** A number of things, whose name takes an `s` where they are several. */
export const counted = (count: number, thing: string): string => `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`
