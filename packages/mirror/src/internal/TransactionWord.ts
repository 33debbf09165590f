/** Statements of PostgreSQL that begin or end a transaction, or leave something in the session of a pooler. */
import * as StatementText from "./StatementText.ts"

const words = new Set([
  ..."ABORT BEGIN COMMIT DEALLOCATE DISCARD END LISTEN LOAD PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START".split(
    " ",
  ),
  "UNLISTEN",
])

/** The word, in capitals, if a statement begins with one of them, after spaces and comments. */
export const of = (text: string): string | undefined => {
  const at = StatementText.wordStart(text, 0)
  const word = /^\w+/.exec(text.slice(at, at + 20))?.[0].toUpperCase()
  return word !== undefined && words.has(word) ? word : undefined
}
