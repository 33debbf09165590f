/** A query string, read strictly: what a lenient parser would guess at is an error that says where it is. */
import * as Result from "effect/Result"

/** A parameter, its name and value decoded. */
export interface Parameter {
  readonly name: string
  readonly value: string
}

/** The parameters in order. A plus sign stands for a blank, as in a form. Fails with what is wrong. */
export const parse = (text: string): Result.Result<ReadonlyArray<Parameter>, string> => {
  const parameters: Array<Parameter> = []
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf("&", start)
    const end = ampersand === -1 ? text.length : ampersand
    if (end > start) {
      const equals = text.indexOf("=", start)
      const nameEnd = equals === -1 || equals > end ? end : equals
      const name = decode(text.slice(start, nameEnd))
      if (name === undefined) return Result.fail("the name of a parameter is not percent-encoded UTF-8")
      const value = nameEnd === end ? "" : decode(text.slice(nameEnd + 1, end))
      if (value === undefined) return Result.fail(`${name} is not percent-encoded UTF-8`)
      parameters.push({ name, value })
    }
    start = end + 1
  }
  return Result.succeed(parameters)
}

const decode = (text: string): string | undefined => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}
