/**
 * The limit on the values of a response. A body is bounded in bytes, but 16 MiB of `{}` become a gigabyte once they are
 * parsed. A page of 100 transfers has about 6,000 values.
 */

/** The most values of a JSON text. */
export const most = 250_000

/** Whether a JSON text may have more: each value but the outermost follows a bracket, a brace or a comma. */
export const isExceeded = (text: string): boolean => {
  if (text.length <= most) return false
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === comma || code === bracket || code === brace) values++
  }
  return values > most
}

const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b
