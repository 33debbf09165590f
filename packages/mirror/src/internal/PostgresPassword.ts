/** The password of a database: that of its address, or else of the environment. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { MirrorAddress } from "../MirrorAddress.ts"

/** A password that the address lacks, as libpq takes it: nothing has to escape it for a URL. */
export const given = Effect.fnUntraced(function* (url: URL) {
  if (url.password !== "" || url.searchParams.has("password")) return Option.none()
  return yield* Effect.orElseSucceed(Config.option(Config.Redacted("PGPASSWORD")), () => Option.none())
})

/** Each text that is a password, as the address has it and as the driver sends it. */
export const secrets = Effect.fnUntraced(function* (address: MirrorAddress) {
  if (address._tag === "Sqlite") return []
  const url = new URL(Redacted.value(address.url))
  const texts = [
    url.password,
    url.searchParams.get("password") ?? "",
    ...Option.toArray(yield* given(url)).map(Redacted.value),
  ]
  return texts.flatMap((text) => [text, decoded(text)]).filter((text) => text !== "")
})

/** Itself, if it is not escaped. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
