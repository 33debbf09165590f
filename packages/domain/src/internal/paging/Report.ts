/** The report that a stream of the pager keeps. */

/**
 * What has come so far, in numbers.
 *
 * @example
 * const report = Ref.makeUnsafe(emptyReport)
 * await Effect.runPromise(Stream.runDrain(pager.transfers({}, { report })))
 * Ref.getUnsafe(report).tally // => { pages: 2, transfers: 3, duplicates: 0, outside: 0, oversized: 0, rejected: 0 }
 */
export interface Tally {
  /** Responses received, those included that were read again. */
  readonly pages: number
  /** Delivered: each id once, each within the query. */
  readonly transfers: number
  /** Not delivered, because the service listed the same transfer twice. */
  readonly duplicates: number
  /** Not delivered, because the query does not ask for it. */
  readonly outside: number
  /** Pages with more transfers than the limit; they are taken whole. */
  readonly oversized: number
  /** Cursors that the service rejected although it had given them out. What they led to is read again. */
  readonly rejected: number
}

/**
 * Whether a stream has delivered all there was. `by` names what cut it short: an error's tag, or `consumer`.
 *
 * @example
 * const report = Ref.makeUnsafe(emptyReport)
 * await Effect.runPromise(Stream.runDrain(Stream.take(pager.transfers({}, { report }), 1)))
 * Ref.getUnsafe(report).completeness // => { _tag: "Cut", by: "consumer" }
 */
export type Completeness =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Complete" }
  | { readonly _tag: "Cut"; readonly by: string }

/**
 * What a stream can be asked for while it runs and when it has ended.
 *
 * @example
 * const report = Ref.makeUnsafe(emptyReport)
 * await Effect.runPromise(Stream.runDrain(pager.transfers({}, { report })))
 * Ref.getUnsafe(report).completeness // => { _tag: "Complete" }
 */
export interface Report {
  readonly tally: Tally
  readonly completeness: Completeness
}
