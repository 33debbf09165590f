/** Words of a shell. */
import { escapeControls } from "@transferkit/domain/SafeText"

/** A text as one word, quoted if a shell would read it otherwise: a command line of words can be copied and run. */
export const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${escapeControls(text).replaceAll("'", `'\\''`)}'`
