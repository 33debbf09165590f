/** What a recording must not hold: a service may echo the credentials, cookies and keys that it was sent. */
import * as SecretText from "@transferkit/domain/SecretText"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** The parameters of the contract: others may be keys. */
const known = new Set(["external_id", "created_at", "limit", "after_cursor"])

const secretHeader = /auth|cookie|key|passw|secret|session|signature|token/i

/** A shorter text occurs by chance in what is not secret, such as an amount. */
const least = 6

/** The secrets of a request, and those that the `Set-Cookie` headers of its response hand out. */
export const ofExchange = (
  query: string,
  request: Iterable<readonly [string, string]>,
  handedOut: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  [
    ...[...request].filter(([name]) => secretHeader.test(name)).flatMap(([name, value]) => ofHeader(name, value)),
    // Attributes follow the first pair, such as Max-Age and SameSite.
    ...handedOut.flatMap((cookie) => ofCookie(cookie.split(";")[0] ?? "")),
    ...[...new URLSearchParams(query)].filter(([name]) => !known.has(name)).map(([, value]) => value),
  ].filter((secret) => secret.length >= least)

/** The header, what follows its scheme, the pair that Basic encodes, its key, and the value of each cookie. */
const ofHeader = (name: string, value: string): ReadonlyArray<string> => {
  const pairs = value.split(";")
  if (name === "cookie") return [value, ...pairs.flatMap(ofCookie)]
  const basic = Option.match(BasicCredentials.fromHeader(value), {
    onNone: () => [],
    onSome: ({ partner_id, secret_key }) => {
      const key = Redacted.value(secret_key)
      return [`${partner_id}:${key}`, key]
    },
  })
  return [value, value.replace(/^[A-Za-z]+ +/, ""), ...basic, ...pairs.map(valueOf)]
}

const valueOf = (pair: string): string => pair.slice(pair.indexOf("=") + 1).trim()

/** Cookies also keep settings. Transfers have such words, numbers and times, and a key of a session is longer or mixed. */
const ordinary = /^(?:[a-z][a-z/_.-]{0,14}|[\d.,:/+-]{1,15}|\d{4}-\d\d-\d\d(?:[T ][\d:.]*(?:Z|[+-][\d:]+)?)?)$/i

const ofCookie = (pair: string): ReadonlyArray<string> => {
  const value = valueOf(pair).replace(/^"(.*)"$/, "$1")
  return ordinary.test(value) ? [] : [value]
}

/** Credentials and keys of other requests, known by how they are written. */
const written: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Basic|Bearer) (?!realm=)[\w+/=.~-]{6,4096}/gi, "$1 "],
  [
    /("(?:authorization|(?:x-)?api[_-]?key|(?:set-)?cookie|password|(?:client_)?secret|secret[_-]key|(?:access_)?token)"[ \t]?:[ \t]?")[^"\\]{1,4096}/gi,
    "$1",
  ],
  [
    /\b((?:api[_-]?key|access[_-]?token|auth[_-]?token|password|secret|secret[_-]key|token)=)[^&"'<>\s\\]{1,4096}/gi,
    "$1",
  ],
]

/** Takes credentials out of a text that are known by how they are written alone. */
export const hideWritten = (text: string): string =>
  written.reduce((hidden, [pattern, kept]) => hidden.replace(pattern, kept + SecretText.replacement), text)

/** A query in which only the values of the contract's parameters are left. */
export const hiddenQuery = (query: string): string => {
  const search = new URLSearchParams(query)
  if ([...search.keys()].every((name) => known.has(name))) return query
  const hidden = new URLSearchParams()
  for (const [name, value] of search) hidden.append(name, known.has(name) ? value : SecretText.replacement)
  return hidden.toString()
}
