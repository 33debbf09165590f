/** The error for a name that is not in a list: the nearest one, and all of them. */
import { closestMatch } from "leven"
import { UsageError } from "../UsageError.ts"

/** The error for the value of a flag that should be one of some names. */
export const unknownName = (flag: string, what: string, given: string, known: ReadonlyArray<string>): UsageError => {
  const nearest =
    (given.length > 2
      ? (known.find((name) => name.startsWith(given)) ?? known.find((name) => name.includes(given)))
      : undefined) ?? closestMatch(given.toLowerCase(), known, { maxDistance: 1 + Math.floor(given.length / 4) })
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`
  return new UsageError({
    message: `${flag}: no ${what} ${JSON.stringify(given)}.${hint}\nThe ${what}s are ${known.join(", ")}.`,
  })
}
