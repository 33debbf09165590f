/**
 * Where a text stops being JSON, by its line: people write such files by hand. `JSON.parse` names no place for some
 * mistakes, and an offset for others.
 */

/**
 * The first mistake, as a clause; nothing if the text is JSON. `firstLine` is the number of the text's first line in its file.
 *
 * @example
 * JsonSyntax.faultOf('{"a":1}') // => undefined
 * JsonSyntax.faultOf('{\n  "a": 1,\n}') // => "it is not JSON: line 3, column 1: expected a name in double quotes, found }"
 */
export const faultOf = (text: string, firstLine = 1): string | undefined => {
  const fault = scan(text)
  return fault && `it is not JSON: ${placed(fault, text, firstLine)}`
}

/**
 * The first name that an object has a second time, as a clause: `JSON.parse` takes the last value, other programs the first.
 * Nothing if there is none. A text that is no JSON has {@link faultOf}.
 *
 * @example
 * JsonSyntax.repeatOf('{"a":1,"b":{"a":2}}') // => undefined
 * JsonSyntax.repeatOf('{"a": 1,\n "a": 2}') // => 'line 2, column 2: its object has "a" already: remove one of the two'
 */
export const repeatOf = (text: string, firstLine = 1): string | undefined => {
  const names: Array<Set<string>> = []
  let repeat: Fault | undefined
  scan(text, (depth, at, end) => {
    if (end === undefined) return void (names[depth] = new Set())
    const quoted = text.slice(at, end)
    const name: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1)
    const seen = (names[depth] ??= new Set())
    if (seen.size < seen.add(name).size) return undefined
    return (repeat = {
      at,
      reason: `its object has ${JSON.stringify(name.slice(0, 64))} already: remove one of the two`,
    })
  })
  return repeat && placed(repeat, text, firstLine)
}

const placed = ({ at, reason }: Fault, text: string, firstLine: number): string => {
  let [line, column] = [firstLine, 1]
  // Not by a list of the lines or letters before it, of which there may be millions.
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(index + 1) !== lineFeed)) {
      line++
      column = 1
    } else if (code !== carriageReturn && !isLowSurrogate(code)) column++
  }
  return `line ${line}, column ${column}: ${reason}`
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

interface Fault {
  readonly at: number
  readonly reason: string
}

type Expected = "value" | "first item" | "name" | "first name" | "colon" | "after item" | "after member" | "end"

const words: Readonly<Record<Expected, string>> = {
  value: "a value",
  "first item": "a value or ]",
  name: "a name in double quotes",
  "first name": "a name in double quotes or }",
  colon: "a colon",
  "after item": "a comma or ]",
  "after member": "a comma or }",
  end: "the end of the text",
}

/** Called where an object opens, and with the end of each of its names, which it may reject. */
type OnName = (depth: number, at: number, end?: number) => Fault | undefined

/** Without recursion, because a text may nest as deep as it is long. */
const scan = (text: string, onName?: OnName): Fault | undefined => {
  const open: Array<"after item" | "after member"> = []
  let expected: Expected = "value"
  for (let at = endOf(space, text, 0); ; at = endOf(space, text, at)) {
    const character = text[at]
    const isValue: boolean = expected === "value" || expected === "first item"
    const isClosed =
      (character === "]" && (expected === "first item" || expected === "after item")) ||
      (character === "}" && (expected === "first name" || expected === "after member"))
    if (character === undefined && expected === "end") return undefined
    if (isClosed) {
      open.pop()
      expected = open.at(-1) ?? "end"
      at++
    } else if (character === "," && (expected === "after item" || expected === "after member")) {
      expected = expected === "after item" ? "value" : "name"
      at++
    } else if (character === ":" && expected === "colon") {
      expected = "value"
      at++
    } else if (isValue && (character === "[" || character === "{")) {
      open.push(character === "[" ? "after item" : "after member")
      expected = character === "[" ? "first item" : "first name"
      if (character === "{") onName?.(open.length, at)
      at++
    } else if (character === '"' && (isValue || expected === "name" || expected === "first name")) {
      const end = endOfString(text, at)
      if (typeof end !== "number") return end
      const repeat = isValue ? undefined : onName?.(open.length, at, end)
      if (repeat !== undefined) return repeat
      expected = isValue ? (open.at(-1) ?? "end") : "colon"
      at = end
    } else {
      const end = endOf(word, text, at)
      if (!isValue || !isScalar.test(text.slice(at, end)))
        return { at, reason: `expected ${words[expected]}, found ${foundAt(text, at)}` }
      expected = open.at(-1) ?? "end"
      at = end
    }
  }
}

const space = /[ \t\n\r]*/y
const word = /[-+.\w]*/y
/** All but quotes, backslashes and controls. */
const plain = /[ !#-[\]-\u{10FFFF}]*/uy
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
const isScalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?)$/

/** Where a match ends that begins at a place; the place itself if there is none. */
const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const endOfString = (text: string, from: number): number | Fault => {
  for (let at = endOf(plain, text, from + 1); ; at = endOf(plain, text, at)) {
    if (text[at] === '"') return at + 1
    if (/^[\n\r]?$/.test(text[at] ?? ""))
      return { at: from, reason: "the quotes opened here are not closed on this line" }
    const end = endOf(escape, text, at)
    if (end === at) return { at, reason: reasonOf(text.slice(at, at + 2)) }
    at = end
  }
}

/** Why these characters cannot stand in quotes. */
const reasonOf = ([first = "", second = ""]: string): string =>
  first === "\\"
    ? `${first}${second} is no escape in quotes: write \\\\ for a backslash`
    : `write ${JSON.stringify(first).slice(1, -1)} for this character in quotes`

/** A word if there is one, and not more of it than helps to find it. */
const foundAt = (text: string, at: number): string => {
  if (at >= text.length) return "the end of the text"
  const [first = ""] = text.slice(at, at + 2)
  return text.slice(at, endOf(word, text, at)).slice(0, 24) || (/[!-~]/.test(first) ? first : JSON.stringify(first))
}
