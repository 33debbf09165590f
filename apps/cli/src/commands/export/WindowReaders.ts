/**
 * The processes of `--workers`: each reads windows that this process names, and prints what it finds. This process
 * alone writes the spool, so an export may be killed and resumed as any other; a window whose reader ends early goes to
 * another one. Near the end, a window with much left is divided among those that have nothing to do.
 */
import type { ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { Tally } from "@transferkit/domain/TransferPager"
import type { FileError } from "@transferkit/files/FileError"
import * as TransferDecoder from "@transferkit/files/formats/TransferDecoder"
import * as MirrorWorkers from "@transferkit/mirror/MirrorWorkers"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type { Globals } from "../../flags/GlobalFlags.ts"
import type { Screen } from "../../terminal/Screen.ts"
import * as WindowLines from "../worker/WindowLines.ts"
import * as WorkerProcess from "../worker/WorkerProcess.ts"

/** What to read, and with what. */
export interface Options {
  readonly workers: number
  readonly concurrency: number
  /** A mirror that deals the permits for requests. */
  readonly to: string
  readonly globals: Globals
  /** The creation times to read. They have an end. */
  readonly created_at: CreatedAt.CreatedAt
  /** Told each batch, with what is left to read after it. */
  readonly onBatch: (batch: Batch) => Effect.Effect<void, FileError>
  /** Told of each worker that ended early, and how. */
  readonly onEnd: (how: string) => Effect.Effect<void, never, Screen>
}

/** What a worker has read. */
export interface Batch {
  readonly transfers: ReadonlyArray<Transfer>
  readonly remaining: Checkpoint.Checkpoint["remaining"]
  /** Transfers that are still to come, by a guess. */
  readonly expected: number
}

/** Windows for each worker to begin with. */
const windowsEach = 2

/** Transfers that are left of a window that is worth dividing. */
const dense = 1000

type Remaining = Checkpoint.Checkpoint["remaining"]

interface Window {
  remaining: Remaining
  expected: number
  tally: Tally | undefined
  isStopped: boolean
  readonly reader: ChildProcess
}

/** Reads until nothing is left, or no worker. Returns what was counted. */
export const read = Effect.fn("WindowReaders.read")(function* (options: Options) {
  const waiting: Array<Remaining> = []
  const queue = yield* Queue.unbounded<Remaining, Cause.Done>()
  const active = new Set<Window>()
  const tallies: Array<Tally> = []
  let [idle, received] = [0, 0]

  const offer = (parts: ReadonlyArray<Remaining>): void => {
    waiting.push(...parts)
    Queue.offerAllUnsafe(queue, parts)
    if (waiting.length + active.size === 0) Queue.endUnsafe(queue)
  }

  /** Ends the window with the most to come for those that wait, unless one is ending. */
  const divide = (): void => {
    const all = [...active]
    if (idle === 0 || waiting.length > 0 || all.some(({ isStopped }) => isStopped)) return
    const [most] = all.filter(({ expected }) => expected > dense).toSorted((a, b) => b.expected - a.expected)
    if (most === undefined) return
    most.isStopped = true
    most.reader.stdin?.write(`${WindowLines.stop}\n`)
  }

  const take = Effect.suspend(() => {
    idle++
    divide()
    return Effect.ensuring(
      Queue.take(queue),
      Effect.sync(() => idle--),
    )
  })

  const accept = Effect.fnUntraced(function* (window: Window, { transfers, batch }: Received) {
    window.remaining = batch.checkpoint.remaining
    window.expected = batch.expected
    window.tally = batch.tally
    received += transfers.length
    const all = [...active]
    const known = all.filter(({ tally }) => tally !== undefined)
    const expected = known.reduce((sum, one) => sum + one.expected, 0)
    const each = (received + expected) / (tallies.length + known.length)
    yield* options.onBatch({
      transfers,
      remaining: [...waiting.flat(), ...all.flatMap(({ remaining }) => remaining)],
      expected: Math.max(1, expected + each * (waiting.length + all.length - known.length)),
    })
    divide()
  })

  /** Whether the worker is still there afterwards. */
  const readWindow = Effect.fnUntraced(function* (remaining: Remaining, { reader, next }: Reader) {
    waiting.splice(waiting.indexOf(remaining), 1)
    const window: Window = { remaining, expected: 0, tally: undefined, isStopped: false, reader }
    active.add(window)
    reader.stdin?.write(`${textOf(remaining)}\n`)
    let found = yield* Effect.promise(next)
    for (; typeof found === "object"; found = yield* Effect.promise(next)) yield* accept(window, found)
    active.delete(window)
    if (window.tally !== undefined) tallies.push(window.tally)
    offer(window.remaining.length === 0 ? [] : Checkpoint.divide(window.remaining, window.isStopped ? idle + 1 : 1))
    return found === "end"
  })

  const serve = Effect.gen(function* () {
    const reader = yield* start(options)
    let isThere = true
    while (isThere) {
      const remaining = yield* Effect.orElseSucceed(take, () => undefined)
      if (remaining === undefined) return
      isThere = yield* readWindow(remaining, reader)
    }
    reader.reader.kill()
    yield* options.onEnd((yield* Effect.promise(() => reader.ended)) ?? "exit code 0")
  }).pipe(Effect.scoped)

  offer(yield* windowsOf(options))
  yield* Effect.forEach(Array.from({ length: options.workers }), () => serve, {
    concurrency: "unbounded",
    discard: true,
  })
  return tallies
})

const textOf = (remaining: Remaining): string => {
  const checkpoint: Checkpoint.Checkpoint = { version: 2, query: "", transfers: 0, remaining }
  return JSON.stringify(checkpoint)
}

/** The creation times in parts of the same length. */
const windowsOf = Effect.fnUntraced(function* ({ created_at, workers }: Options) {
  const remaining = CreatedAt.intervals(created_at).map(({ first, end }) => ({
    ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first) }),
    ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end) }),
  }))
  const until = remaining.at(-1)?.lt
  const bounded = until === undefined ? remaining : yield* MirrorWorkers.bounded({ remaining, until })
  return Checkpoint.divide(bounded, windowsEach * workers)
})

// ---------------------------------------------------------------------------------------------------- one process

interface Received {
  readonly transfers: ReadonlyArray<Transfer>
  readonly batch: WindowLines.Batch
}

interface Reader {
  readonly reader: ChildProcess
  /** The next batch of the window, or how it ended. */
  readonly next: () => Promise<Received | "end" | "gone">
  /** How the process ended, if early. */
  readonly ended: Promise<string | undefined>
}

const start = Effect.fnUntraced(function* ({ concurrency, to, globals }: Options) {
  const args = ["--windows", "--concurrency", String(concurrency), ...WorkerProcess.flagsOf(globals)]
  const reader = yield* Effect.acquireRelease(
    // Why a request failed is found out by this process, when no other is left.
    Effect.sync(() => WorkerProcess.start(args, to, ["pipe", "pipe", "ignore"])),
    (child) => Effect.sync(() => child.kill()),
  )
  const ended = new Promise<string | undefined>((resolve) => {
    reader.on("error", ({ message }) => resolve(message))
    reader.on("close", (code, signal) => resolve(WorkerProcess.early(code, signal)))
  })
  reader.stdin?.on("error", () => {})
  const lines = createInterface({ input: reader.stdout ?? Readable.from([]) })[Symbol.asyncIterator]()
  const next = async (): Promise<Received | "end" | "gone"> => {
    const texts: Array<string> = []
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done === true) return "gone"
      if (line === WindowLines.end) return "end"
      if (line.startsWith(WindowLines.mark)) return received(texts, line.slice(WindowLines.mark.length))
      texts.push(line)
    }
  }
  const found: Reader = { reader, next, ended }
  return found
})

/** A process that was killed may have left half a line. */
const received = (texts: ReadonlyArray<string>, text: string): Received | "gone" => {
  const decoded = Result.all([TransferDecoder.fromJsonTexts(texts), WindowLines.decodeBatch(text)])
  return Result.match(decoded, {
    onFailure: () => "gone",
    onSuccess: ([transfers, batch]) => ({ transfers, batch }),
  })
}
