/** Text as lines: LF, CRLF and CR each end one, in any mixture. */

/** What ends a line; the longest first. */
export const lineBreaks = ["\r\n", "\n", "\r"] as const

const anyBreak = /\r\n|\n|\r/

/**
 * The lines of a text that comes in chunks, without their breaks. A line of more than `most` characters is the last one,
 * as far as it has been read: its reader rejects it, rather than that its rest fills the memory.
 */
export async function* read(chunks: AsyncIterable<string>, most: number): AsyncGenerator<ReadonlyArray<string>> {
  let pending = ""
  for await (const chunk of chunks) {
    const text = pending + chunk
    // Its LF may be in the next chunk.
    const end = text.endsWith("\r") ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(anyBreak)
    pending = (lines.pop() ?? "") + text.slice(end)
    yield lines
    if (pending.length > most) break
  }
  if (pending !== "") yield [pending.replace(/\r$/, "")]
}
