/**
 * The first row of each external_id of a file, in 16 bytes and the room to find them: a million rows take 32 MB. An
 * external_id is kept as 96 bits of its digest, so the chance that two of a million are taken for one is below 10⁻¹⁷.
 */
import * as crypto from "node:crypto"

/** Three words of the digest, and the row counted from one; all zero if the slot is free. */
const slotWords = 4

export class FirstUses {
  #slots = new Uint32Array(1024 * slotWords)
  #count = 0

  /** The row that used it first, which is this one if none did. */
  note(external_id: string, row: number): number {
    // In UTF-8 all lone surrogates would be U+FFFD, and so the same.
    const digest = crypto.createHash("sha256").update(external_id, "utf16le").digest()
    const words = [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), row + 1] as const
    if (this.#count * 2 * slotWords >= this.#slots.length) this.#grow()
    const at = this.#find(words)
    const found = this.#slots[at + 3] ?? 0
    if (found !== 0) return found - 1
    this.#slots.set(words, at)
    this.#count += 1
    return row
  }

  /** The slot that holds it, or the free one where it belongs. */
  #find([a = 0, b, c]: Iterable<number>): number {
    const slots = this.#slots
    let at = (a * slotWords) % slots.length
    while (slots[at + 3] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c)) {
      at = (at + slotWords) % slots.length
    }
    return at
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += slotWords) {
      const words = before.subarray(at, at + slotWords)
      if (words[3] !== 0) this.#slots.set(words, this.#find(words))
    }
  }
}
