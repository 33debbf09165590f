/** What a recording must not hold: a service may echo the credentials, cookies and keys that it was sent. */
import * as SecretText from "@transferkit/domain/SecretText"

/** The parameters of the contract: others may be keys. */
const known = new Set(["external_id", "created_at", "limit", "after_cursor"])

const secretHeader = /auth|cookie|credential|jwt|key|pass(?:phrase|w)|secret|session|signature|token/i

/** A shorter text occurs by chance in what is not secret, such as an amount. */
const least = 6

/** The secrets that a request has in its headers and its query. */
export const ofRequest = (query: string, headers: Iterable<readonly [string, string]>): ReadonlyArray<string> =>
  longEnough([
    ...[...headers].filter(([name]) => secretHeader.test(name)).flatMap(([name, value]) => ofHeader(name, value)),
    ...query.split("&").flatMap(ofParameter),
  ])

/** Those that the `Set-Cookie` headers of a response hand out. Attributes follow the first pair, such as Max-Age and SameSite. */
export const ofCookies = (handedOut: ReadonlyArray<string>): ReadonlyArray<string> =>
  longEnough(
    handedOut.flatMap((cookie) => readings(Buffer.from(cookie.split(";")[0] ?? "", "latin1")).flatMap(ofCookie)),
  )

const longEnough = (secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(secrets)].filter((secret) => secret.length >= least)

/** The header, what follows its scheme, the pair that Basic encodes, its key, each parameter, and the value of each cookie. */
const ofHeader = (name: string, sent: string): ReadonlyArray<string> =>
  readings(Buffer.from(sent, "latin1")).flatMap((value) => {
    const pairs = value.split(";")
    return name === "cookie"
      ? [value, ...pairs.flatMap(ofCookie)]
      : [
          value,
          value.replace(/^[A-Za-z]+ +/, ""),
          ...ofBasic(value),
          ...pairs.map(valueOf),
          ...value.split(/[,;]/).flatMap((part) => (isPublic.test(part) ? [] : ofCookie(part))),
        ]
  })

/** Parameters of Digest that say who asks for what: the path is also where a recording has the request. */
const isPublic = /^\s*(?:digest\s+)?(?:realm|uri|username)\s*=/i

/** Of any client: the contract's reader of credentials rejects what a service may accept and echo. */
const ofBasic = (header: string): ReadonlyArray<string> => {
  if (!/^basic\s/i.test(header)) return []
  return readings(Buffer.from(header.slice("basic".length).trim(), "base64")).flatMap((pair) => [
    pair,
    pair.slice(pair.indexOf(":") + 1),
  ])
}

const ofParameter = (pair: string): ReadonlyArray<string> => {
  const [name] = new URLSearchParams(pair).keys()
  if (name === undefined || known.has(name)) return []
  const value = pair.slice(pair.indexOf("=") + 1).replaceAll("+", " ")
  return readings(Buffer.from(decoded(value), "latin1"))
}

/** Bytes, with a character for each. */
const decoded = (value: string): string =>
  value.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** As a service may read bytes: in Latin-1 or UTF-8, and without the line break that ends the file of a key. */
const readings = (bytes: Buffer): ReadonlyArray<string> => {
  const texts = [bytes.toString("latin1"), bytes.toString("utf8")]
  return [...new Set([...texts, ...texts.map((text) => text.trim())])]
}

const valueOf = (pair: string): string => pair.slice(pair.indexOf("=") + 1).trim()

/** Cookies also keep settings. Transfers have such words, numbers and times, and a key of a session is longer or mixed. */
const ordinary = /^(?:[a-z][a-z/_.-]{0,14}|[\d.,:/+-]{1,15}|\d{4}-\d\d-\d\d(?:[T ][\d:.]*(?:Z|[+-][\d:]+)?)?)$/i

const ofCookie = (pair: string): ReadonlyArray<string> => {
  const value = unquoted(valueOf(pair))
  let read = value
  for (let escapes = 0; escapes < mostEscapes; escapes++) read = unquoted(decoded(read))
  return ordinary.test(read) || read.length < least ? [] : [value]
}

/** How many times over a cookie is escaped. */
const mostEscapes = 4

/** The text of a cookie that is quoted, also as JSON of PHP, which escapes slashes. */
const unquoted = (value: string): string => value.replace(/^"(.*)"$/s, (_, text: string) => text.replaceAll("\\/", "/"))

/** Credentials and keys of other requests, known by how they are written. */
const written: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Basic|Bearer) (?!realm=)[\w+/=.~-]{6,4096}/gi, "$1 "],
  [
    /("(?:authorization|(?:x-)?api[_-]?key|(?:set-)?cookie|jwt|pass(?:word|phrase)|(?:client_)?secret|secret[_-]key|(?:access_)?token)"[ \t]?:[ \t]?")[^"\\]{1,4096}/gi,
    "$1",
  ],
  [
    /\b((?:api[_-]?key|access[_-]?token|auth[_-]?token|jwt|pass(?:word|phrase)|secret|secret[_-]key|token)=)[^&"'<>\s\\]{1,4096}/gi,
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
