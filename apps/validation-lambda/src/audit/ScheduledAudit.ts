/**
 * Audits the transfers of a window, page by page for as long as there is time, and says where to go on. A state
 * machine feeds the continuation back until the answer is done (audit.asl.json).
 */
import * as Audit from "@transferkit/domain/Audit"
import type { Batch } from "@transferkit/domain/TransferPager"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Failure, OutOfTime } from "../Failure.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import * as AuditWindow from "./AuditWindow.ts"

/** A transfer with findings. */
export interface AuditedTransfer {
  readonly id: string
  readonly external_id?: string
  readonly findings: ReadonlyArray<Audit.Finding>
}

/** The answer to an audit, or to a part of one. */
export interface AuditAnswer {
  readonly done: boolean
  readonly window: { readonly since: string; readonly until: string }
  /** Over all parts. */
  readonly tally: AuditWindow.Tally
  /** Of this part, as many as fit. */
  readonly transfers: ReadonlyArray<AuditedTransfer>
  /** Transfers of this part with findings that did not fit into `transfers`; the tally and the log have them. */
  readonly left_out: number
  readonly capabilities: CapabilitiesCache.CapabilitiesUsed
  /** There unless done: the event to go on with. */
  readonly continuation?: { readonly audit: AuditWindow.AuditRequest }
}

/** What `transfers` may take, in characters of JSON: a state machine passes on 256 KiB at the most. */
const maxAnswerLength = 128 * 1024

/**
 * Audits until `endsAt` at the latest, in milliseconds since the epoch. Fails with {@link OutOfTime}, or with what the
 * service failed with, only if no page could be audited; after a page the rest is a continuation.
 */
export const run = Effect.fnUntraced(function* (window: AuditWindow.AuditWindow, endsAt: number) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const pager = yield* TransferPager.make
  const part = new Part(window)

  // Not to be interrupted: what is counted and what the checkpoint says must be the same.
  const audit = Effect.fnUntraced(function* ({ results, checkpoint }: Batch) {
    for (const transfer of results) {
      const findings = Audit.audit(transfer, snapshot.capabilities)
      part.add(transfer, findings)
      if (findings.length > 0) {
        yield* Effect.logWarning("transfer with findings").pipe(
          Effect.annotateLogs({ transfer_id: transfer.id, codes: findings.map(({ code }) => code) }),
        )
      }
    }
    part.checkpoint = checkpoint
  }, Effect.uninterruptible)

  const { resume } = window
  const pages = pager.pages(AuditWindow.query(window), { prefetch: 1, ...(resume === undefined ? {} : { resume }) })
  yield* Stream.runForEach(pages, audit).pipe(
    Effect.timeoutOrElse({
      duration: Math.max(0, endsAt - (yield* Clock.currentTimeMillis)),
      orElse: () => Effect.fail(new OutOfTime()),
    }),
    Effect.catch((failure): Effect.Effect<void, Failure> =>
      part.checkpoint === undefined
        ? Effect.fail(failure)
        : Effect.logWarning("audit stopped").pipe(Effect.annotateLogs({ error: failure._tag })),
    ),
  )
  const answer = part.answer(CapabilitiesCache.used(snapshot))
  const { done, tally, capabilities } = answer
  return { value: answer, entry: { done, ...tally, capabilities } }
})

/** What one invocation has audited. */
class Part {
  readonly #window: AuditWindow.AuditWindow
  readonly #transfers: Array<AuditedTransfer> = []
  readonly #codes: Record<string, number>
  #audited: number
  #withFindings: number
  #leftOut = 0
  #length = 0
  checkpoint: Batch["checkpoint"] | undefined = undefined

  constructor(window: AuditWindow.AuditWindow) {
    this.#window = window
    this.#codes = { ...window.tally.codes }
    this.#audited = window.tally.audited
    this.#withFindings = window.tally.with_findings
  }

  add({ id, external_id }: Batch["results"][number], findings: ReadonlyArray<Audit.Finding>): void {
    this.#audited += 1
    if (findings.length === 0) return
    this.#withFindings += 1
    for (const { code } of findings) this.#codes[code] = (this.#codes[code] ?? 0) + 1
    const found: AuditedTransfer = { id, ...(external_id === undefined ? {} : { external_id }), findings }
    this.#length += JSON.stringify(found).length
    if (this.#length > maxAnswerLength) this.#leftOut += 1
    else this.#transfers.push(found)
  }

  answer(capabilities: CapabilitiesCache.CapabilitiesUsed): AuditAnswer {
    const { since, until } = this.#window
    const tally = { audited: this.#audited, with_findings: this.#withFindings, codes: this.#codes }
    const resume = this.checkpoint
    const done = resume === undefined || resume.windows.length === 0
    return {
      done,
      window: { since: since.text, until: until.text },
      tally,
      transfers: this.#transfers,
      left_out: this.#leftOut,
      capabilities,
      ...(done ? {} : { continuation: { audit: AuditWindow.toRequest({ since, until, resume, tally }) } }),
    }
  }
}
