/**
 * Bytes that come in parts, held in one piece: whoever sends each byte as a part of its own would otherwise take some
 * hundred bytes of memory for it.
 */

/** Takes parts. A part is not changed, and must not change until another has come. */
export interface ByteParts {
  /** Whether there are at most as many bytes as are accepted. Once there are more, they are forgotten. */
  readonly add: (part: Uint8Array) => boolean
  /** What has come, without a copy if it came in one part. */
  readonly whole: () => Uint8Array
}

/**
 * Parts of at most so many bytes together.
 *
 * @example
 * const parts = ByteParts.make(4)
 * const accepted = ["ab", "cd"].map((text) => parts.add(new TextEncoder().encode(text)))
 * accepted // => [true, true]
 * new TextDecoder().decode(parts.whole()) // => "abcd"
 */
export const make = (most: number): ByteParts => {
  let held: Uint8Array = new Uint8Array()
  let length = 0
  return {
    add: (part) => {
      const start = length
      length += part.length
      if (length > most) held = new Uint8Array()
      else if (start === 0) held = part
      else {
        if (length > held.length) {
          const larger = new Uint8Array(Math.min(most, length + start))
          larger.set(held)
          held = larger
        }
        held.set(part, start)
      }
      return length <= most
    },
    whole: () => held.subarray(0, length),
  }
}
