/** Changes at a JSON Pointer into JSON text, `*` standing for every element or field. */
import * as JsonPointer from "effect/JsonPointer"

/** The text with another value at a place, or without one there. Text that is not JSON stays as it is. */
export const drift = (text: string, pointer: string, value: unknown): string => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return text
  }
  change(body, pointer.slice(1).split("/").map(JsonPointer.unescapeToken), value)
  return JSON.stringify(body)
}

const change = (target: unknown, path: ReadonlyArray<string>, value: unknown): void => {
  const [token, ...rest] = path
  if (token === undefined || typeof target !== "object" || target === null) return
  for (const key of token === "*" ? Object.keys(target) : [token]) {
    if (rest.length > 0) change(Reflect.get(target, key), rest, value)
    else if (value === undefined) Reflect.deleteProperty(target, key)
    else Reflect.set(target, key, value)
  }
}
