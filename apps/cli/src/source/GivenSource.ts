/** The words of a command line that name the source of its transfers, so that it can be repeated. No secret is among them. */
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as Effect from "effect/Effect"
import { Globals } from "../flags/Globals.ts"

export const words = Effect.map(Globals, ({ from, asOf, sandbox, now, partnerId, profile }): ReadonlyArray<string> => [
  ...(sandbox ? ["--sandbox"] : []),
  ...(now === undefined ? [] : ["--now", now]),
  ...(from === undefined ? [] : ["--from", MirrorAddress.shown(from)]),
  ...(asOf === undefined ? [] : ["--as-of", asOf]),
  ...(profile === undefined ? [] : ["--profile", profile]),
  ...(partnerId === undefined ? [] : ["--partner-id", partnerId]),
])
