/**
 * The limit on the values of a response. A body is bounded in bytes, but 16 MiB of `{}` become a gigabyte once they are
 * parsed. A page of 100 transfers has about 6,000 values.
 */

/** The most values of a JSON text. */
const most = 250_000

/** Whether a JSON text has more: each follows a comma, or what opens its container. */
export const isExceeded = (text: string): boolean =>
  text.length > most && [",", "[", "{"].some((mark) => text.split(mark, most).length === most)
