/**
 * Validates a file of proposals part by part while there is time, writes the verdicts beside it, and returns a
 * continuation for the rest. A state machine passes it back until the file is done (proposals.asl.json).
 */
import * as Proposals from "@transferkit/domain/Proposals"
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { timeLeft } from "../Deadline.ts"
import { TooLarge } from "../event/RequestBody.ts"
import * as Log from "../Log.ts"
import { OutOfTime } from "../OutOfTime.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import * as CapabilitiesOfParts from "../service/CapabilitiesOfParts.ts"
import { PartnerKey } from "../service/PartnerKey.ts"
import * as Verdicts from "../verdict/Verdicts.ts"
import * as Continuation from "./Continuation.ts"
import * as FileRequest from "./FileRequest.ts"
import { FirstUses } from "./FirstUses.ts"
import * as ObjectStore from "./ObjectStore.ts"
import * as ProposalRows from "./ProposalRows.ts"

/** The result of a file, or of a part of one. */
export interface FileResult {
  readonly done: boolean
  readonly file: ObjectStore.Place & { readonly etag: string }
  /** The prefix of the objects with the verdicts. */
  readonly verdicts: string
  /** Over all parts. */
  readonly tally: FileRequest.Tally
  readonly capabilities: CapabilitiesOfParts.CapabilitiesOfParts
  /** Present unless done: the event that continues. */
  readonly continuation?: { readonly file: FileRequest.FileRequest }
}

/** Rows of a part, which is written as one object. */
const partRows = 1000

/** The most rows of a file: their external_ids take 32 MB. */
const maxRows = 1_000_000

/** Kept back from the time left, for the result. In milliseconds. */
const margin = 200

/** Validates the file of a request, or continues one. */
export const requested = Effect.fnUntraced(function* (request: unknown) {
  const file = yield* Effect.fromResult(FileRequest.parse(request))
  const rowsOf = ProposalRows.formatOf(file.key)
  if (rowsOf === undefined) {
    return yield* new FileRequest.MalformedFile({ reason: "The key ends in neither .csv, .ndjson nor .jsonl." })
  }
  const partnerKey = yield* (yield* PartnerKey).current
  if (file.etag !== undefined && !Continuation.isGenuine(partnerKey, file)) {
    const reason = "The continuation is not one that was returned, or the partner's key was replaced since."
    return yield* new FileRequest.MalformedFile({ reason })
  }
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const { etag, body } = yield* ObjectStore.open(file, file.etag)
  const capabilities = CapabilitiesOfParts.used(snapshot, file.capabilities)
  const progress = new Progress({ ...file, etag })
  const parts = partsOf(rowsOf(body))
  const nextPart = Effect.tryPromise({
    try: () => parts.next(),
    catch: (error) =>
      error instanceof Proposals.MalformedProposals
        ? error
        : new ObjectStore.StoreFailed({ place: file, reason: error instanceof Error ? error.message : String(error) }),
  })
  const validateAll = Effect.gen(function* () {
    for (let next = yield* nextPart; next.done !== true; next = yield* nextPart) {
      yield* validatePart(progress, next.value, snapshot)
    }
    if (progress.tally.rows === 0) return yield* new Proposals.MalformedProposals({ reason: "the file has no rows" })
    yield* finish(progress, capabilities)
  })
  yield* validateAll.pipe(
    Effect.timeoutOrElse({
      duration: Math.max(0, (yield* timeLeft) - margin),
      orElse: () => Effect.fail(new OutOfTime()),
    }),
    // What is wrong with the file itself will be so again.
    Effect.catch((failure) =>
      progress.hasMoved && !(failure instanceof Proposals.MalformedProposals || failure instanceof TooLarge)
        ? Effect.logWarning("file stopped").pipe(Effect.annotateLogs({ error: failure._tag }))
        : Effect.fail(failure),
    ),
  )
  const value = progress.result(capabilities, partnerKey)
  return { value, entry: { done: value.done, rows: value.tally.rows, ...progress.counts(), capabilities } }
}, Effect.scoped)

/** Rows in lists of {@link partRows}, the same ones each time. */
async function* partsOf(rows: AsyncGenerator<ProposalRows.Row>): AsyncGenerator<ReadonlyArray<ProposalRows.Row>> {
  let part: Array<ProposalRows.Row> = []
  for await (const row of rows) {
    if (part.push(row) < partRows) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

const validatePart = Effect.fnUntraced(function* (
  progress: Progress,
  rows: ReadonlyArray<ProposalRows.Row>,
  snapshot: CapabilitiesCache.Current,
) {
  const start = progress.read
  if (start + rows.length > maxRows) {
    return yield* new TooLarge({ found: `more than ${maxRows} rows`, allowed: `${maxRows} rows` })
  }
  const drafts = rows.map((row, offset) => verdictOf(row, start + offset, progress, snapshot))
  progress.read += rows.length
  // Validated by an earlier invocation: only its external_ids are needed.
  if (progress.read <= progress.tally.rows) return
  const { results } = yield* Verdicts.resultOf(drafts, yield* Verdicts.lookUp(drafts), snapshot)
  const key = `${progress.folder}/part-${String(start).padStart(7, "0")}.jsonl`
  const text = results.map((verdict) => `${JSON.stringify(verdict)}\n`).join("")
  // If it is interrupted here the part is validated again, and written again to the same place.
  yield* ObjectStore.put({ bucket: progress.file.bucket, key }, "application/x-ndjson", text)
  progress.add(results)
  yield* Log.info("rows validated", { first_row: start, ...Log.counts(results) })
})

const verdictOf = (
  row: ProposalRows.Row,
  index: number,
  { firstUses }: Progress,
  { capabilities }: CapabilitiesCache.Current,
): Validation.Verdict => {
  if (row._tag === "Unreadable") {
    return { index, valid: false, violations: [Validation.unreadable(row.reason, row.text)] }
  }
  const [verdict] = Validation.validateAll([row.value], capabilities)
  const { external_id, violations = [] } = verdict ?? {}
  const first = external_id === undefined ? index : firstUses.note(external_id, index)
  const owner = `The row at index ${first} has this external_id too.`
  const all = first === index ? violations : [Validation.duplicate(external_id, owner), ...violations]
  return { index, ...(external_id === undefined ? {} : { external_id }), valid: all.length === 0, violations: all }
}

/** Says beside the verdicts that they are complete. */
const finish = Effect.fnUntraced(function* (progress: Progress, capabilities: FileResult["capabilities"]) {
  const summary = { done: true, ...progress.file, ...progress.tally, capabilities }
  const place = { bucket: progress.file.bucket, key: `${progress.folder}/summary.json` }
  yield* ObjectStore.put(place, "application/json", `${JSON.stringify(summary)}\n`)
  progress.isDone = true
})

/** How far an invocation is with a file. */
class Progress {
  readonly file: FileResult["file"]
  readonly folder: string
  readonly firstUses = new FirstUses()
  /** Rows that this invocation has read. */
  read = 0
  hasMoved = false
  #tally: FileRequest.Tally
  isDone = false
  #counts: FileRequest.Tally = FileRequest.none

  constructor({ bucket, key, etag, tally }: FileRequest.FileRequest & { readonly etag: string }) {
    this.file = { bucket, key, etag }
    this.folder = FileRequest.folderOf({ bucket, key, etag, tally })
    this.#tally = tally
  }

  get tally(): FileRequest.Tally {
    return this.#tally
  }

  /** Of this invocation. */
  counts(): Log.Entry {
    const { rows: proposals, invalid, violations } = this.#counts
    return { proposals, invalid, violations }
  }

  add(verdicts: ReadonlyArray<Validation.Verdict>): void {
    this.hasMoved = true
    this.#tally = plus(this.#tally, verdicts)
    this.#counts = plus(this.#counts, verdicts)
  }

  result(capabilities: FileResult["capabilities"], key: Redacted.Redacted): FileResult {
    const { file, tally } = this
    const result = { done: this.isDone, file, verdicts: `${this.folder}/`, tally, capabilities }
    if (this.isDone) return result
    const next = { ...file, tally, capabilities: CapabilitiesOfParts.hashesOf(capabilities) }
    return { ...result, continuation: { file: { ...next, signature: Continuation.signature(key, next) } } }
  }
}

const plus = (tally: FileRequest.Tally, verdicts: ReadonlyArray<Validation.Verdict>): FileRequest.Tally => {
  const violations: Record<string, number> = { ...tally.violations }
  for (const { code } of verdicts.flatMap((verdict) => verdict.violations)) {
    violations[code] = (violations[code] ?? 0) + 1
  }
  const invalid = tally.invalid + verdicts.filter(({ valid }) => !valid).length
  return { rows: tally.rows + verdicts.length, invalid, violations }
}
