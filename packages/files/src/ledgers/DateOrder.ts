/** The orders of day, month and year. */
export const orders = ["ymd", "dmy", "mdy"] as const

/** One of {@link orders}. */
export type Order = (typeof orders)[number]
