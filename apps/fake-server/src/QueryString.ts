/** A query string, read strictly: what a lenient parser would guess at is an error that says where it is. */
import * as Result from "effect/Result"

/** The parameters in order, names and values decoded. A plus sign stands for a blank, as in a form. */
export const parse = (text: string): Result.Result<ReadonlyArray<readonly [name: string, value: string]>, string> => {
  const pairs: Array<readonly [string, string]> = []
  if (text === "") return Result.succeed(pairs)
  for (const part of text.split("&")) {
    if (part === "") continue
    const equals = part.indexOf("=")
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? "" : decode(part.slice(equals + 1))
    if (name === undefined) return Result.fail("a parameter's name is not percent-encoded UTF-8")
    if (value === undefined) return Result.fail(`${name} is not percent-encoded UTF-8`)
    pairs.push([name, value])
  }
  return Result.succeed(pairs)
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
