/** Space outside of memory that lasts as long as the work which needs it. Both functions throw a `FileError`. */
export interface Scratch {
  /** Differs in each run, so that no user can choose keys that share a partition. */
  readonly seed: number
  readonly append: (bytes: Uint8Array) => Place
  readonly read: (place: Place) => Buffer
}

/** Where appended bytes are. */
export interface Place {
  readonly offset: number
  readonly length: number
}
