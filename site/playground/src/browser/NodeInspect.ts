/** The part of `node:util` that messages of the fake need: bundled in its place. */

/** A value as text. */
export const inspect = (value: unknown): string => JSON.stringify(value) ?? String(value)
