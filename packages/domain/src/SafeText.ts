/** Text from outside, made safe to show: it cannot move a cursor, colour a terminal, or hide or reorder what is read. */

// Control characters, halves of surrogate pairs, line separators, and what shows nothing: format characters, which reorder or
// hide text, fillers, tags, variation selectors, the empty Braille cell; but not what joins two emoji, or shows one in colour.
const unsafe =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}#*\d])[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * The text with everything a terminal would interpret written as an escape.
 *
 * @example
 * SafeText.escapeControls("\u001b[31mred\n") // => "\\x1b[31mred\\n"
 */
export const escapeControls = (text: string): string =>
  text.replace(unsafe, (character) => {
    if (character === "\n") return "\\n"
    if (character === "\t") return "\\t"
    const code = character.codePointAt(0) ?? 0
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`
    return code < 0x10000 ? hex(code) : `\\u{${code.toString(16)}}`
  })

/**
 * The same for a message of several lines, whose line breaks are its own.
 *
 * @example
 * SafeText.escapeLines("one\u0007\ntwo") // => "one\\x07\ntwo"
 */
export const escapeLines = (text: string): string => text.split("\n").map(escapeControls).join("\n")

/**
 * The same for JSON and CSV, whose line breaks and tabs are their own: everything else as `\u001b`, which leaves JSON
 * valid and its values the same.
 *
 * @example
 * SafeText.escapeData("\u0007\n") // => "\\u0007\n"
 */
export const escapeData = (text: string): string =>
  text.replace(unsafe, (characters) =>
    characters === "\n" || characters === "\t"
      ? characters
      : Array.from({ length: characters.length }, (_, at) => hex(characters.charCodeAt(at))).join(""),
  )

const hex = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`
