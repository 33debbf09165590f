/** The lines of an open file, with their offsets, read in blocks. Only a line feed ends a line. */
import { isUtf8 } from "node:buffer"
import * as Files from "node:fs"

/** A line without its break, and its offsets. */
export interface FileLine {
  /** Counted from 1. */
  readonly number: number
  readonly text: string
  readonly start: number
  /** The offset after its break. */
  readonly end: number
}

/** The longest line that is read, in bytes: twice the largest response that the client accepts. */
export const maxLineBytes = 32 * 1024 * 1024

const blockSize = 1 << 20
const lineBreak = 10

/** A damaged byte would become a letter that means nothing, and two keys that differ in it the same. */
const textOf = (bytes: Buffer, number: number): string => {
  if (!isUtf8(bytes)) throw new Error(`line ${number} is not UTF-8: it is damaged, or was saved in another encoding`)
  return bytes.toString("utf8")
}

/**
 * The lines of a file. Text after the last line break counts only with `unfinished`. Throws at a longer line, and at one
 * that is not UTF-8.
 */
export function* fileLines(file: number, options = { unfinished: false }): Generator<FileLine> {
  // The blocks of an unfinished line, put together once: together with each block would take quadratic time.
  let pending: Array<Buffer> = []
  let start = 0
  let number = 1
  for (let position = 0; ;) {
    const block = Buffer.allocUnsafe(blockSize)
    const read = Files.readSync(file, block, 0, blockSize, position)
    if (read === 0) {
      if (options.unfinished && position > start) {
        yield { number, text: textOf(Buffer.concat(pending), number), start, end: position }
      }
      return
    }
    let from = 0
    for (let to = block.indexOf(lineBreak); to !== -1 && to < read; to = block.indexOf(lineBreak, from)) {
      const last = block.subarray(from, to)
      const text = textOf(pending.length === 0 ? last : Buffer.concat([...pending, last]), number)
      const end = position + to + 1
      yield { number, text, start, end }
      pending = []
      from = to + 1
      start = end
      number++
    }
    if (from < read) pending.push(block.subarray(from, read))
    position += read
    if (position - start > maxLineBytes) throw new Error(`line ${number} is longer than ${maxLineBytes >> 20} MiB`)
  }
}
