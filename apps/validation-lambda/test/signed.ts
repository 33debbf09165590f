/** Continuations of audits as the function returns them, without the invocation that would. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as AuditWindow from "../src/audit/AuditWindow.ts"
import * as ScheduledAudit from "../src/audit/ScheduledAudit.ts"

/** A continuation with what a checkpoint has in each of them, and a signature. */
export const signed = (
  { checkpoint, ...audit }: { readonly checkpoint: object; readonly [field: string]: unknown },
  key = "key",
): object => {
  const request = { ...audit, checkpoint: { version: 2, transfers: 0, ...checkpoint }, signature: "" }
  const window = Result.getOrThrow(AuditWindow.parse(request))
  return JSON.parse(JSON.stringify(ScheduledAudit.signed(Redacted.make(key), window)))
}
