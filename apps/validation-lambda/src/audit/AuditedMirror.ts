/** A mirror of the service, for audits that take nothing from the service's rate limit. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Secret from "../service/Secret.ts"
import { type SecretSource, Settings } from "../Settings.ts"
import * as AuditWindow from "./AuditWindow.ts"

/** The mirror may lack transfers of the window, so an audit of it could miss them. */
export class MirrorIncomplete extends Data.TaggedError("MirrorIncomplete")<{
  readonly partner: string
  readonly window: AuditWindow.WindowText
  /** The creation times, as values of `created_at`. */
  readonly lacks: string
}> {
  override get message(): string {
    const { partner, window, lacks } = this
    return `The mirror lacks transfers of the partner ${partner} created ${lacks}, and the audit covers ${window.since} to ${window.until}. Audit it after the next sync.`
  }
}

/** Pages over the mirror at an address until the scope ends. Fails unless it has read the whole window. */
export const pager = Effect.fnUntraced(function* (source: SecretSource, window: AuditWindow.AuditWindow) {
  const { partnerId } = yield* Settings
  const address = yield* Effect.mapError(
    Secret.read(source, "url"),
    ({ reason }) =>
      new MirrorError({
        kind: "usage",
        mirror: "the mirror to audit",
        reason: `its address cannot be read: ${reason}`,
      }),
  )
  const { open } = yield* Effect.promise(() => import("./MirrorReader.ts"))
  const { api, lacks } = yield* open(Redacted.value(address), partnerId, window)
  if (lacks !== "") {
    return yield* new MirrorIncomplete({ partner: partnerId, window: AuditWindow.textOf(window), lacks })
  }
  return yield* Effect.provideService(TransferPager.make, TransferApi, api)
})
