/** A page of a service that lists transfers newest first, in pages of 20, between `gte` and `lt` of `created_at`. */

interface Listed {
  readonly id: string
  readonly created_at: string
}

/** Transfers are listed `at` an instant in milliseconds, by default their creation. */
export const pageOf = <A extends Listed>(
  params: URLSearchParams,
  rows: ReadonlyArray<A>,
  at: (row: A) => number = ({ created_at }) => Date.parse(created_at),
) => {
  const bound = (name: string, otherwise: string): number => {
    const value = params.getAll("created_at").find((text) => text.startsWith(`${name}:`))
    return Date.parse(value?.slice(name.length + 1) ?? otherwise)
  }
  const [from, to] = [bound("gte", "1900-01-01"), bound("lt", "2100-01-01")]
  const within = rows
    .map((row) => ({ row, at: at(row) }))
    .filter((listed) => listed.at >= from && listed.at < to)
    .toSorted((a, b) => b.at - a.at)
    .map(({ row }) => row)
  const start = Number(params.get("after_cursor") ?? 0)
  const has_next_page = start + 20 < within.length
  return {
    results: within.slice(start, start + 20),
    page_info: { has_next_page, ...(has_next_page && { end_cursor: `${start + 20}` }) },
  }
}
