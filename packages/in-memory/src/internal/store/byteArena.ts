/** Many small texts in few large buffers: a million rows are a thousand allocations. */

const largest = 1 << 20

/** Where the next bytes go. A slab that is full stays alive as long as a text in it does. */
export interface Slab {
  buffer: Buffer
  used: number
}

export const make = (): Slab => ({ buffer: Buffer.alloc(0), used: 0 })

/** Where a text is: a view of its own would cost as much memory as a small text. */
export interface Kept {
  readonly slab: Buffer
  readonly start: number
  readonly end: number
}

/** Keeps a text, as UTF-8, in memory that it shares with those before it. */
export const keep = (self: Slab, text: string): Kept => {
  const length = Buffer.byteLength(text, "utf8")
  if (self.used + length > self.buffer.byteLength) {
    const size = Math.max(Math.min(self.buffer.byteLength * 2, largest), length, 4096)
    self.buffer = Buffer.allocUnsafeSlow(size)
    self.used = 0
  }
  const start = self.used
  self.used += self.buffer.write(text, start, "utf8")
  return { slab: self.buffer, start, end: self.used }
}

/** The bytes of a text that is kept. */
export const bytesOf = ({ slab, start, end }: Kept): Uint8Array => slab.subarray(start, end)
