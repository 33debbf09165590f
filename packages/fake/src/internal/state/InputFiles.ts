/** The files that a fake starts with: the first partner's transfers and the fault rules. Read again when they change. */
import * as fs from "node:fs/promises"
import * as JsonText from "@transferkit/domain/JsonText"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as FaultRule from "../../FaultRule.ts"
import * as DataFile from "../data/DataFile.ts"
import * as FakeState from "./FakeState.ts"

/** The file cannot be read as fault rules. */
export class UnreadableFaults extends Data.TaggedError("UnreadableFaults")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot read fault rules from ${this.path}: ${this.reason}.`
  }
}

/** Replaces the first partner's transfers by those of the options and of a file; gives how many there are. */
export const readData = Effect.fnUntraced(function* (state: FakeState.FakeState, path: string) {
  const source = yield* Effect.fromResult(FakeState.sourceOf(state, undefined))
  const generator = state.start.get(source.partner)?.generator
  // Apart, so that an error leaves the present transfers as they are.
  const read = TransferStore.make({ order: source.store.order, generator })
  yield* Effect.fromResult(FakeState.insertData(read, state.options.data ?? []))
  yield* DataFile.load(path, read)
  TransferStore.restore(source.store, TransferStore.snapshot(read))
  FakeState.remember(state, source)
  return TransferStore.size(source.store)
})

/** Replaces the rules of the start by those of the options and of a file; gives how many there are. */
export const readFaults = Effect.fnUntraced(function* (state: FakeState.FakeState, path: string) {
  const fail = (reason: string) => new UnreadableFaults({ path, reason })
  const value: unknown = yield* Effect.tryPromise({
    try: async () => {
      const text = Result.getOrThrowWith(Utf8.decode(await fs.readFile(path)), Error)
      return Result.getOrThrowWith(JsonText.parse(text, { levels: FaultRule.maxDepth }), Error)
    },
    catch: (error) => fail(error instanceof Error ? error.message : String(error)),
  })
  const rules = yield* Effect.fromResult(Result.mapError(FaultRule.parse(value), fail))
  const all = [...(state.options.faults ?? []), ...rules]
  yield* Effect.fromResult(Result.mapError(FakeState.setStartRules(state, all), (error) => fail(error.reason)))
  return rules.length
})

/** How often a file is looked at. Events of the file system miss files that are replaced or mounted. */
const interval = "300 millis"

/** Runs an effect each time a file has changed, without end. */
export const onChange = Effect.fnUntraced(function* (path: string, run: Effect.Effect<void>) {
  const look = Effect.promise(() =>
    fs.stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => undefined,
    ),
  )
  let before = yield* look
  while (true) {
    yield* Effect.sleep(interval)
    const now = yield* look
    if (now === undefined || now === before) continue
    before = now
    yield* run
  }
})
