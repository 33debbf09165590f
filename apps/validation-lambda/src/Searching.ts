/**
 * What needs to search for transfers: audits, and the check for duplicates. Most invocations do neither, and it takes
 * as long to load as all the rest, so that it is imported when it is first needed.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as AuditWindow from "./AuditWindow.ts"
import * as DuplicateCheck from "./DuplicateCheck.ts"
import * as ScheduledAudit from "./ScheduledAudit.ts"

/** Marks the verdicts on proposals whose external_id is in use. */
export const markDuplicates = DuplicateCheck.apply

/** Audits the window that ends when the clock struck, until `endsAt` at the latest. */
export const auditBefore = (time: string, length: Duration.Duration, endsAt: number) =>
  Effect.flatMap(Effect.fromResult(AuditWindow.endingAt(time, length)), (window) => ScheduledAudit.run(window, endsAt))

/** Audits the window that is asked for, or goes on with one, until `endsAt` at the latest. */
export const audit = (request: unknown, endsAt: number) =>
  Effect.flatMap(Effect.fromResult(AuditWindow.parse(request)), (window) => ScheduledAudit.run(window, endsAt))
