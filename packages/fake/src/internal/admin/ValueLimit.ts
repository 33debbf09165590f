/** The limit on the values of a body: 16 MiB of `{}` become a gigabyte once they are parsed. */

/** The most of a mark. 10,000 transfers with all fields have less. */
const most = 1_000_000

/** Why a JSON text has too many values, if it has: each follows a comma, or what opens its container. */
export const fault = (text: string): string | undefined =>
  [",", "[", "{"].some((mark) => hasMore(text, mark))
    ? `The body has more than ${most} values: send it in parts.`
    : undefined

const hasMore = (text: string, mark: string): boolean => {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > most) return true
  return false
}
