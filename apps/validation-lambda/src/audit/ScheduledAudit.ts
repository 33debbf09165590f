/**
 * Audits the transfers of a window, part by part while there is time, and returns a continuation for the rest. A state
 * machine passes the continuation back until the audit is done (audit.asl.json).
 */
import * as crypto from "node:crypto"
import * as Audit from "@transferkit/domain/Audit"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import type { Batch } from "@transferkit/domain/TransferPager"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { timeLeft } from "../Deadline.ts"
import { OutOfTime } from "../OutOfTime.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import * as CapabilitiesOfParts from "../service/CapabilitiesOfParts.ts"
import * as Delivery from "../service/Delivery.ts"
import { PartnerKey } from "../service/PartnerKey.ts"
import { Settings } from "../Settings.ts"
import * as Signature from "../Signature.ts"
import * as AuditedMirror from "./AuditedMirror.ts"
import * as AuditParts from "./AuditParts.ts"
import type * as AuditTally from "./AuditTally.ts"
import * as AuditWindow from "./AuditWindow.ts"

/** A transfer with findings. */
export interface AuditedTransfer {
  readonly id: string
  readonly external_id?: string
  readonly findings: ReadonlyArray<Audit.Finding>
}

/** The result of an audit, or of a part of one. */
export interface AuditResult {
  readonly done: boolean
  readonly window: AuditWindow.WindowText
  /** Over all parts. */
  readonly tally: AuditTally.AuditTally
  /** Of this part, as many as fit. */
  readonly transfers: ReadonlyArray<AuditedTransfer>
  /** Transfers of this part with findings that did not fit into `transfers`; the tally and the log have them. */
  readonly left_out: number
  readonly capabilities: CapabilitiesOfParts.CapabilitiesOfParts
  /** Present unless done: the event that continues the audit. */
  readonly continuation?: { readonly audit: AuditWindow.AuditRequest }
  /** Present if done: by which the function knows the result of a part again. */
  readonly signature?: string
}

/** The most bytes of `transfers` as JSON: a state machine passes on 256 KiB at most. */
const maxTransfersBytes = 128 * 1024

/** Audits the window that ends at `time`. */
export const scheduled = Effect.fnUntraced(function* (time: string) {
  const { auditWindow } = yield* Settings
  return yield* run(yield* Effect.fromResult(AuditWindow.endingAt(time, auditWindow)))
})

/** Audits the window of a request, continues one, divides one into parts, or merges the results of parts. */
export const requested = Effect.fnUntraced(function* (request: unknown) {
  const { merge, split }: { readonly [field: string]: unknown } = { ...Object(request) }
  const key = yield* (yield* PartnerKey).current
  if (merge !== undefined) {
    const results = yield* Effect.fromResult(AuditParts.readResults(merge))
    if (!results.every((result) => Signature.isOf(key, statementOf(result), result.signature))) return yield* forged
    const value = AuditParts.merge(results)
    return { value, entry: { done: true, ...value.tally } }
  }
  const window = yield* Effect.fromResult(AuditWindow.parse(request))
  if (window.signature !== undefined && !Signature.isOf(key, continuationOf(window), window.signature)) {
    return yield* forged
  }
  if (split === undefined) return yield* run(window)
  if (typeof split !== "number" || !Number.isInteger(split) || split < 1 || split > AuditParts.maxCount) {
    return yield* Effect.fromResult(AuditWindow.malformed(`split is not a number from 1 to ${AuditParts.maxCount}.`))
  }
  // The sum of its parts would be that of the part, and say that it is of the window.
  if (window.part !== undefined) return yield* Effect.fromResult(AuditWindow.malformed("A part is not divided again."))
  const parts = AuditParts.split(window, split)
  const value = {
    window: AuditWindow.textOf(window),
    parts: parts.map((part) => ({ audit: signed(key, part) })),
  }
  return { value, entry: { parts: parts.length } }
})

const forged = Effect.fromResult(
  AuditWindow.malformed("The audit is not one that was returned, or the partner's key was replaced since."),
)

const continuationOf = (window: AuditWindow.AuditWindow): Signature.Statement => ({
  kind: "continuation of an audit",
  ...AuditWindow.toRequest(window),
})

const statementOf = ({
  window,
  tally,
  capabilities,
}: Omit<AuditParts.PartResult, "signature" | "window"> & Pick<AuditResult, "window">): Signature.Statement => ({
  kind: "result of an audit",
  window,
  tally,
  capabilities,
})

/** A continuation or a part, as the function takes it back. */
export const signed = (key: Redacted.Redacted, window: AuditWindow.AuditWindow): AuditWindow.AuditRequest => ({
  ...AuditWindow.toRequest(window),
  signature: Signature.of(key, continuationOf(window)),
})

/** Kept back from the time left, for the last batch to be audited and the result to be built. In milliseconds. */
const margin = 200

/**
 * Fails, with {@link OutOfTime} or the service's error, only before the first batch; after it the rest is a continuation.
 * One that went on after a transfer that has moved would count it twice.
 */
const run = Effect.fnUntraced(function* (window: AuditWindow.AuditWindow) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const { auditMirror, settlement } = yield* Settings
  const pager = yield* auditMirror === undefined ? TransferPager.make : AuditedMirror.pager(auditMirror, window)
  const part = new Part(window)

  // Not interruptible: the tally and the checkpoint must agree.
  const audit = Effect.fnUntraced(function* ({ results, checkpoint }: Batch) {
    for (const transfer of results) {
      const findings = Audit.audit(transfer, snapshot.capabilities, settlement)
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
  // Short windows, so that little is read in vain when the time is over.
  const batches = pager.scan(AuditWindow.query(window), { windowSize: 60, ...(resume === undefined ? {} : { resume }) })
  yield* Stream.runForEach(batches, audit).pipe(
    Effect.timeoutOrElse({
      duration: Math.max(0, (yield* timeLeft) - margin),
      orElse: () => Effect.fail(new OutOfTime()),
    }),
    Effect.catch((failure) =>
      part.checkpoint === undefined || failure._tag === "MovedTransfer"
        ? Effect.fail(failure)
        : Effect.logWarning("audit stopped").pipe(Effect.annotateLogs({ error: failure._tag })),
    ),
  )
  const value = part.result(CapabilitiesOfParts.used(snapshot, window.capabilities), yield* (yield* PartnerKey).current)
  const { done, tally, capabilities } = value
  yield* deliver(window, value)
  return { value, entry: { done, ...tally, capabilities } }
}, Effect.scoped)

/** Sends the result to the destination, if there is one. */
const deliver = Effect.fnUntraced(function* (window: AuditWindow.AuditWindow, result: AuditResult) {
  const { destination } = yield* Settings
  if (destination === undefined) return
  const { continuation, signature, ...detail } = result
  // The same if the part is audited again, and another for each part of a window.
  const id = crypto.hash("sha256", JSON.stringify(AuditWindow.toRequest(window)))
  for (const reason of (yield* Delivery.send(destination, [{ id, type: "TransferAudit", detail }])).values()) {
    return yield* new Delivery.DeliveryFailed({ reason })
  }
})

/** What one invocation audits. */
class Part {
  readonly #window: AuditWindow.AuditWindow
  readonly #transfers: Array<AuditedTransfer> = []
  readonly #codes: Record<string, number>
  #audited: number
  #withFindings: number
  #leftOut = 0
  #bytes = 0
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
    this.#bytes += Buffer.byteLength(JSON.stringify(found)) + 1
    if (this.#bytes > maxTransfersBytes) this.#leftOut += 1
    else this.#transfers.push(found)
  }

  result(capabilities: AuditResult["capabilities"], key: Redacted.Redacted): AuditResult {
    const tally = { audited: this.#audited, with_findings: this.#withFindings, codes: this.#codes }
    const resume = this.checkpoint
    const done = resume === undefined || Checkpoint.isComplete(resume)
    const window = AuditWindow.textOf(this.#window)
    const hashes = CapabilitiesOfParts.hashesOf(capabilities)
    return {
      done,
      window,
      tally,
      transfers: this.#transfers,
      left_out: this.#leftOut,
      capabilities,
      ...(done
        ? { signature: Signature.of(key, statementOf({ window, tally, capabilities: hashes })) }
        : { continuation: { audit: signed(key, { ...this.#window, resume, tally, capabilities: hashes }) } }),
    }
  }
}
