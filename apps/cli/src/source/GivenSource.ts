/** The words of a command line that name the source of its transfers, so that it can be repeated. No secret is among them. */
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import type * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import { today } from "../filter/Now.ts"
import { Globals } from "../flags/Globals.ts"

/** The words as they were given. Of a source that was asked, they name the transfers that it had then. */
export const words = Effect.fnUntraced(function* (asked?: SourceWords.Asked) {
  const { from, asOf, exportedAs, sandbox, now = yield* today, partnerId, profile, allowIncomplete } = yield* Globals
  const seen = asOf ?? asked?.source.coverage?.seen_at?.text
  return [
    ...(sandbox ? ["--sandbox", "--now", now] : []),
    ...(from === undefined ? [] : ["--from", MirrorAddress.shown(from)]),
    ...(seen === undefined ? [] : ["--as-of", seen]),
    ...(exportedAs === undefined ? [] : ["--exported-as", exportedAs]),
    ...(allowIncomplete ? ["--allow-incomplete"] : []),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(partnerId === undefined ? [] : ["--partner-id", partnerId]),
  ]
})
