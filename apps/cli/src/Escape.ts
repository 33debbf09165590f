/** Text from outside, made safe to show: it cannot move the cursor, colour the terminal or run in a spreadsheet. */
import * as Amount from "@transferkit/domain/Amount"

// C0 and C1 control characters, DEL, line separators, and the marks that reorder text or hide in it.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** The text with everything a terminal would obey written as an escape, such as `\x1b`. */
export const escapeControls = (text: string): string =>
  text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0)
    if (character === "\n") return "\\n"
    if (character === "\t") return "\\t"
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
  })

/** A CSV cell that a spreadsheet would take for a formula gets a quote in front. Amounts are numbers and stay. */
export const neutraliseFormula = (cell: string): string =>
  /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) && !Amount.isAmount(cell) ? `'${cell}` : cell
