/** A history as a link to the playground, which draws how it is read. */
import type { History } from "./History.ts"

/** The address below the site. Faults, changes and lives are not drawn. */
export const of = ({ ages, order, displaced, limit, windowSize, concurrency }: History): string => {
  const history = JSON.stringify({ ages, order, displaced, limit, windowSize })
  const query = new URLSearchParams({ windows: String(concurrency), history })
  return `playground/index.html#scan?${query.toString()}`
}
