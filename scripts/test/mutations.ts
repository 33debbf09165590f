/** Seeded mutations of a good file: bytes changed, cut, moved and repeated, and what parsers stumble over put in. */
import { createHash } from "node:crypto"

/** Numbers from a seed, below a bound. The same seed gives the same numbers. */
export const draws = (seed: string): ((below: number) => number) => {
  let state = createHash("sha256").update(seed).digest().readUInt32LE(0)
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** What parsers stumble over. */
const oddities: ReadonlyArray<Buffer> = [
  ..."\u0000 \u001b[2J \u202e \ufeff \ufffd \" ' \r \n \r\n , ; \t # { } [ ] : \\ \\u0000 \\ud800 1e400 -0 NaN null".split(
    " ",
  ),
  `"__proto__":{"id":"x"},`,
  "9".repeat(400),
  `${"[".repeat(5_000)}`,
  `"a":`.repeat(50),
].map((text) => Buffer.from(text))
const invalidUtf8 = [Buffer.from([0xff]), Buffer.from([0xc0, 0xaf]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.alloc(64)]

/** A mutation of the file: the same one for the same seed. */
export const mutate = (good: Buffer, seed: string): Buffer => {
  const draw = draws(seed)
  let bytes = good
  for (let times = 1 + draw(3); times > 0; times--) bytes = once(bytes, draw)
  return bytes
}

const once = (bytes: Buffer, draw: (below: number) => number): Buffer => {
  const at = draw(bytes.length + 1)
  const end = Math.min(bytes.length, at + 1 + draw(40))
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  const odd = () => [...oddities, ...invalidUtf8][draw(oddities.length + invalidUtf8.length)] ?? Buffer.alloc(1)
  switch (draw(7)) {
    case 0:
      return before
    case 1:
      return Buffer.concat([before, after])
    case 2:
      return Buffer.concat([before, part, part, after])
    case 3:
      return Buffer.concat([before, odd(), part, after])
    case 4:
      return Buffer.concat([before, odd(), after])
    case 5:
      return Buffer.concat([after, before, part])
    default:
      return Buffer.concat([before, part.subarray(0, 1).map((byte) => byte ^ (1 << draw(8))), part.subarray(1), after])
  }
}
