/**
 * The limit on the values of a response. A body is bounded in bytes, but 16 MiB of `{}` become a gigabyte once they are
 * parsed. A page of 100 transfers has about 6,000 values.
 */

/** The most values of a JSON text. */
const most = 250_000

/** Whether a JSON text may have more: each but the first of its container follows a comma, and depth has a limit. */
export const isExceeded = (text: string): boolean => text.length > most && text.split(",", most).length === most
