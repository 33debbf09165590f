/**
 * Memory that pages are written in, used again once they are sent: fresh memory for every page would cost more than all
 * that is written into it.
 */

const size = 64 * 1024
const kept = 64

/** Memory of so many bytes, and a function that gives it back; to be called once, or never. */
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
