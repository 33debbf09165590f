/** Statements of PostgreSQL that begin or end a transaction, or leave something in the session of a pooler. */

const words = new Set([
  ..."ABORT BEGIN COMMIT DEALLOCATE DISCARD END LISTEN LOAD PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START".split(
    " ",
  ),
  "UNLISTEN",
])

/** The word, in capitals, if a statement begins with one of them, after spaces and comments. */
export const of = (text: string): string | undefined => {
  let at = 0
  for (;;) {
    if (/[\s;]/.test(text.charAt(at))) at++
    else if (text.startsWith("--", at)) at = lineEnd(text, at)
    else if (text.startsWith("/*", at)) at = commentEnd(text, at)
    else break
  }
  const word = /^\w+/.exec(text.slice(at, at + 20))?.[0].toUpperCase()
  return word !== undefined && words.has(word) ? word : undefined
}

const lineEnd = (text: string, start: number): number => {
  const length = text.slice(start).search(/[\r\n]/)
  return length === -1 ? text.length : start + length
}

/** Comments of PostgreSQL nest. */
const commentEnd = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text.startsWith("/*", at)) [depth, at] = [depth + 1, at + 1]
    else if (text.startsWith("*/", at)) [depth, at] = [depth - 1, at + 1]
    if (depth === 0) return at + 1
  }
  return text.length
}
