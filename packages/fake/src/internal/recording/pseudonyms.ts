/** Other names for identifiers: equal ones stay equal, so that joins work, and the key that could tell them apart is not kept. */
import * as crypto from "node:crypto"

/** Gives the pseudonym of an identifier. */
export type Pseudonym = (value: string) => string

/** 128 bits, whatever the length of the identifier: short ones must not meet. */
export const make =
  (key: string | Uint8Array): Pseudonym =>
  (value) =>
    `anon-${crypto.createHmac("sha256", key).update(value).digest().subarray(0, 16).toString("base64url")}`

/** The parameters of a search, and the fields of its response, that identify somebody or something. */
const parameters = ["external_id", "after_cursor"]
const fields =
  /"(id|external_id|wallet_address|network_transaction_id|end_cursor)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)(?:"|\\?$)|(-?\d[\d.eE+-]*))/g

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
  const replaced = text.replace(fields, (_, name, colon, value: string | undefined, number: string) => {
    if (value === "") return `"${name}"${colon}""`
    return `"${name}"${colon}"${pseudonym(value === undefined ? number : unescaped(value))}"`
  })
  return named.reduce((done, value) => done.replaceAll(value, () => pseudonym(value)), replaced)
}

const unescaped = (value: string): string => {
  try {
    return JSON.parse(`"${value}"`)
  } catch {
    return value
  }
}
