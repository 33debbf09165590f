/**
 * Buffers that answers are put together in, used again once they are sent: a fresh one for every page costs more than
 * all that is copied into it.
 */

const size = 64 * 1024
const kept = 64

/** The pieces as one, and a function that gives the place back. */
export const join = (parts: ReadonlyArray<Uint8Array>): { readonly body: Uint8Array; readonly free: () => void } => {
  let length = 0
  for (const part of parts) length += part.byteLength
  const [only] = parts
  if (only !== undefined && parts.length === 1) return { body: only, free: nothing }
  if (length > size) return { body: Buffer.concat(parts, length), free: nothing }
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(size)
  let offset = 0
  for (const part of parts) {
    buffer.set(part, offset)
    offset += part.byteLength
  }
  return {
    body: buffer.subarray(0, length),
    free: () => {
      if (spare.length < kept) spare.push(buffer)
    },
  }
}

const spare: Array<Buffer> = []

const nothing = (): void => {}
