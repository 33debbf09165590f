/**
 * Reused memory for pages: allocating memory for each page would cost more than writing the page.
 */

const size = 64 * 1024
const kept = 64

/** Memory of a length, and a function that returns it, to be called at most once. */
export const take = (length: number): { readonly bytes: Uint8Array; readonly free: () => void } => {
  if (length > size) return { bytes: Buffer.allocUnsafeSlow(length), free: nothing }
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(size)
  return {
    bytes: buffer.subarray(0, length),
    free: () => {
      if (spare.length < kept) spare.push(buffer)
    },
  }
}

const spare: Array<Buffer> = []

const nothing = (): void => {}
