/** Words of a shell. */
import { escapeControls } from "@transferkit/domain/SafeText"

/** The text as one word of a shell, so that a command line with it can be copied and run. */
export const shellWord = (text: string): string => `'${escapeControls(text).replaceAll("'", `'\\''`)}'`
