/** Other names for identifiers: equal ones stay equal, so that joins work, and the key that could tell them apart is not kept. */
import * as crypto from "node:crypto"

/** Gives the pseudonym of an identifier. */
export type Pseudonym = (value: string) => string

/** 128 bits, whatever the length of the identifier: short ones must not meet. */
export const make = (key: string | Uint8Array): Pseudonym => {
  // With the bytes of a key, Node takes seven times as long.
  const secret = crypto.createSecretKey(Buffer.from(key))
  return (value) =>
    `anon-${crypto.createHmac("sha256", secret).update(value).digest().subarray(0, 16).toString("base64url")}`
}

/** The parameters of a search, and the fields of its response, that identify somebody or something. */
const parameters = ["external_id", "after_cursor"]
const field = /"(?:id|external_id|wallet_address|network_transaction_id|end_cursor)"[ \t\r\n]{0,16}:[ \t\r\n]{0,16}/g
const number = /-?\d[\d.eE+-]{0,255}/y

/** The most identifiers of a text: a page of 100 transfers has 400, and each costs as much as a thousand other characters. */
export const most = 250_000

/** Whether a text has more identifiers than are replaced in a second or so. */
export const isExceeded = (text: string): boolean => {
  let count = 0
  for (const _ of text.matchAll(field)) if (++count > most) return true
  return false
}

/** A query with pseudonyms. */
export const inQuery = (query: string, pseudonym: Pseudonym): string => {
  const search = new URLSearchParams(query)
  for (const name of parameters) {
    const values = search.getAll(name)
    if (values.length === 0) continue
    search.delete(name)
    for (const value of values) search.append(name, pseudonym(value))
  }
  return search.toString()
}

/**
 * A text with pseudonyms: of the fields of JSON, even if it is cut off, and of what its request named, anywhere. All
 * other text stays as it is.
 */
export const inText = (text: string, query: string, pseudonym: Pseudonym): string => {
  const search = new URLSearchParams(query)
  const named = parameters.flatMap((name) => search.getAll(name)).filter((value) => value.length > 3)
  const parts: Array<string> = []
  let replaced = ""
  let done = 0
  for (const { index, 0: name } of text.matchAll(field)) {
    const start = index + name.length
    const end = endOfValue(text, start)
    // A key within the value before, or a value that is neither text nor a number.
    if (index < done || end === start) continue
    const value = text[start] === '"' ? unescaped(text.slice(start + 1, end)) : text.slice(start, end)
    // A text that grows by single values takes many times its memory.
    if (parts.push(text.slice(done, start), JSON.stringify(value === "" ? "" : pseudonym(value))) > 4096) {
      replaced += parts.splice(0).join("")
    }
    done = text[start] === '"' ? end + 1 : end
  }
  return named.reduce(
    (hidden, value) => hidden.replaceAll(value, () => pseudonym(value)),
    replaced + parts.join("") + text.slice(done),
  )
}

/** Where a text that starts there has its closing quote, or ends without one; or where a number ends. */
const endOfValue = (text: string, start: number): number => {
  if (text[start] !== '"') {
    number.lastIndex = start
    return start + (number.exec(text)?.[0].length ?? 0)
  }
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1
  return end
}

const unescaped = (value: string): string => {
  try {
    return JSON.parse(`"${value}"`)
  } catch {
    return value
  }
}
