/** Where the parts of a statement of PostgreSQL end. */

/** Where what begins at a place ends, if it is a comment, and else the place itself. */
export const commentEnd = (text: string, start: number): number => {
  if (text.startsWith("--", start)) return lineEnd(text, start)
  if (!text.startsWith("/*", start)) return start
  // Comments of PostgreSQL nest.
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text.startsWith("/*", at)) [depth, at] = [depth + 1, at + 1]
    else if (text.startsWith("*/", at)) [depth, at] = [depth - 1, at + 1]
    if (depth === 0) return at + 1
  }
  return text.length
}

const lineEnd = (text: string, start: number): number => {
  const length = text.slice(start).search(/[\r\n]/)
  return length === -1 ? text.length : start + length
}

/** Where the next word begins, after spaces, semicolons and comments. */
export const wordStart = (text: string, from: number): number => {
  let at = from
  for (;;) {
    const end = /[\s;]/.test(text.charAt(at)) ? at + 1 : commentEnd(text, at)
    if (end === at) return at
    at = end
  }
}

/** A statement that can stand in another one: without the semicolon that ends it, and what follows. */
export const withoutEnd = (text: string): string => {
  const special = /--|\/\*|['";]|\$\w*\$/g
  for (;;) {
    const found = special.exec(text)
    if (found === null) return text
    const { index } = found
    if (found[0] === ";") return wordStart(text, index) === text.length ? text.slice(0, index) : text
    const end = quoteEnd(text, index, found[0]) ?? commentEnd(text, index)
    if (end <= index) return text
    special.lastIndex = end
  }
}

/** Where a text or a name in quotes ends. A dollar may be a part of a name. */
const quoteEnd = (text: string, start: number, quote: string): number | undefined => {
  if (quote === "--" || quote === "/*") return undefined
  const before = text.slice(Math.max(0, start - 2), start)
  if (quote.startsWith("$") && /[\w$]$/.test(before)) return start + 1
  const escaped = quote === "'" && /(?:^|[^\w$])e$/i.test(before) ? /\\[^]|'/g : undefined
  if (escaped === undefined) return text.indexOf(quote, start + quote.length) + quote.length
  escaped.lastIndex = start + 1
  for (;;) {
    const found = escaped.exec(text)
    if (found === null) return start
    if (found[0] === "'") return escaped.lastIndex
  }
}
