/** Scratch space of a test. */
import type { Place, Scratch } from "../../src/partitions/Scratch.ts"

export const scratchInMemory = (seed = 1): Scratch & { readonly blocks: ReadonlyArray<Uint8Array> } => {
  const blocks: Array<Uint8Array> = []
  return {
    seed,
    blocks,
    append: (bytes): Place => ({ offset: blocks.push(Uint8Array.from(bytes)) - 1, length: bytes.length }),
    read: ({ offset }) => Buffer.from(blocks[offset] ?? []),
  }
}
