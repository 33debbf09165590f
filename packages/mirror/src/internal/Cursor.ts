/** Cursors of a mirror: the place of a row in its order, bound to the search that it was issued for. */
import { hash } from "node:crypto"

export interface Place {
  readonly created_ns: bigint
  readonly id: string
}

/** Enough to notice a cursor of another search; a mirror has nothing to hide from who can read it. */
const checkLength = 11

const check = (place: string, scope: string): string =>
  hash("sha256", `${scope}\n${place}`, "base64url").slice(0, checkLength)

export const encode = ({ created_ns, id }: Place, scope: string): string => {
  const place = Buffer.from(`${created_ns}:${id}`, "utf8").toString("base64url")
  return check(place, scope) + place
}

export const decode = (cursor: string, scope: string): Place | "invalid" => {
  const place = cursor.slice(checkLength)
  if (cursor !== check(place, scope) + place) return "invalid"
  const text = Buffer.from(place, "base64url").toString("utf8")
  const colon = text.indexOf(":")
  return { created_ns: BigInt(text.slice(0, colon)), id: text.slice(colon + 1) }
}
