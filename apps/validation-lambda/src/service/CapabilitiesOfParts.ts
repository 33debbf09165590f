/** The capabilities that the result of several invocations rests on: a continuation carries the hashes of earlier ones. */
import * as CapabilitiesCache from "./CapabilitiesCache.ts"

/** Those in use, and the hashes of the others that parts rest on. */
export interface CapabilitiesOfParts extends CapabilitiesCache.CapabilitiesUsed {
  /** Present if the capabilities changed between parts. */
  readonly earlier?: ReadonlyArray<string>
}

/** Those of a part that continues others. */
export const used = (snapshot: CapabilitiesCache.Current, carried: ReadonlyArray<string> = []): CapabilitiesOfParts => {
  const earlier = carried.filter((hash) => hash !== snapshot.hash)
  return { ...CapabilitiesCache.used(snapshot), ...(earlier.length === 0 ? {} : { earlier }) }
}

/** All hashes, for the next part to carry, and to be signed. */
export const hashesOf = ({
  hash,
  earlier = [],
}: Pick<CapabilitiesOfParts, "hash" | "earlier">): ReadonlyArray<string> => [...earlier, hash]

/** Whether a value is a list of hashes. */
export const areHashes = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((hash) => typeof hash === "string" && CapabilitiesCache.isHash.test(hash))
