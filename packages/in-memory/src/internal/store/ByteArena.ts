/** Many small texts in few large buffers: a million rows are a thousand allocations. */

const largest = 1 << 20

/** Where the next bytes go. A full buffer lives as long as any text in it is referenced. */
export interface ByteArena {
  buffer: Buffer
  used: number
}

export const make = (): ByteArena => ({ buffer: Buffer.alloc(0), used: 0 })

/** The location of a text. A view per text would cost as much memory as a small text. */
export interface Slice {
  readonly buffer: Buffer
  readonly start: number
  readonly end: number
}

/** Stores a text as UTF-8. */
export const store = (self: ByteArena, text: string): Slice => {
  const length = Buffer.byteLength(text, "utf8")
  if (self.used + length > self.buffer.byteLength) {
    const size = Math.max(Math.min(self.buffer.byteLength * 2, largest), length, 4096)
    self.buffer = Buffer.allocUnsafeSlow(size)
    self.used = 0
  }
  const start = self.used
  self.used += self.buffer.write(text, start, "utf8")
  return { buffer: self.buffer, start, end: self.used }
}

/** The bytes of a stored text. */
export const bytesOf = ({ buffer, start, end }: Slice): Uint8Array => buffer.subarray(start, end)
