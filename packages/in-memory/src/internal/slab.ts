/** Many small texts in few large buffers: a million rows are a thousand allocations. */

const largest = 1 << 20

/** Where the next bytes go. A slab that is full stays alive as long as a text in it does. */
export interface Slab {
  buffer: Buffer
  used: number
}

export const make = (): Slab => ({ buffer: Buffer.alloc(0), used: 0 })

/** A copy of the bytes that shares its memory with those before it. */
export const keep = (self: Slab, bytes: Uint8Array): Uint8Array => {
  const end = self.used + bytes.byteLength
  if (end > self.buffer.byteLength) {
    const size = Math.max(Math.min(self.buffer.byteLength * 2, largest), bytes.byteLength, 4096)
    self.buffer = Buffer.allocUnsafeSlow(size)
    self.used = 0
  }
  const start = self.used
  self.buffer.set(bytes, start)
  self.used = start + bytes.byteLength
  return self.buffer.subarray(start, self.used)
}
