/** The lines of an open file, with their offsets, read in blocks. Only a line feed ends a line. */
import * as Files from "node:fs"

/** A line without its break, and its offsets. */
export interface FileLine {
  readonly text: string
  readonly start: number
  /** The offset after its break. */
  readonly end: number
}

const blockSize = 1 << 20
const lineBreak = 10

/** The lines of a file. Text after the last line break counts only with `unfinished`. */
export function* fileLines(file: number, options = { unfinished: false }): Generator<FileLine> {
  let pending = Buffer.alloc(0)
  let start = 0
  for (let position = 0; ;) {
    const block = Buffer.allocUnsafe(blockSize)
    const read = Files.readSync(file, block, 0, blockSize, position)
    if (read === 0) {
      if (options.unfinished && pending.length > 0) {
        yield { text: pending.toString("utf8"), start, end: start + pending.length }
      }
      return
    }
    position += read
    pending = Buffer.concat([pending, block.subarray(0, read)])
    let from = 0
    for (let to = pending.indexOf(lineBreak); to !== -1; to = pending.indexOf(lineBreak, from)) {
      yield { text: pending.toString("utf8", from, to), start: start + from, end: start + to + 1 }
      from = to + 1
    }
    start += from
    pending = pending.subarray(from)
  }
}
