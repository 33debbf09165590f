/**
 * Standard input and output for a server. A line that is not JSON is noted on standard error and skipped: it has no id to
 * respond to. A request that is too long or too deep, has too many values, or that JSON-RPC or the order of the protocol
 * does not allow, gets the error that JSON-RPC has for it.
 */
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Declared from "./Declared.ts"
import * as Message from "./Message.ts"
import * as MessageId from "./MessageId.ts"
import { Unanswered } from "./Unanswered.ts"

/** No request of a tool comes near it. */
const maxBytes = 1024 * 1024

const newline = 10

/** The lines that were completed by some bytes; `undefined` for one that is too long. */
const makeLines = (most: number) => {
  let parts = ByteParts.make(most)
  return (bytes: Uint8Array): ReadonlyArray<Uint8Array | undefined> => {
    const lines: Array<Uint8Array | undefined> = []
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(parts.add(bytes.subarray(start, end + 1)) ? parts.whole() : undefined)
      parts = ByteParts.make(most)
      start = end + 1
    }
    if (start < bytes.length) parts.add(bytes.subarray(start))
    return lines
  }
}

/** A line: passed on, skipped with a note, or answered at once. */
type Verdict =
  | { readonly _tag: "Passed"; readonly method: unknown; readonly id?: string | number; readonly cancels?: unknown }
  | { readonly _tag: "Skipped"; readonly note: string | undefined }
  | { readonly _tag: "Rejected"; readonly id: string | number | null; readonly message: string }

const skipped = (note?: string): Verdict => ({ _tag: "Skipped", note })

/** Notifications that a server acts on. It gets no others, so that a flood of them costs nothing. */
const known = new Set(["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"])

const judge = (line: Uint8Array | undefined, hasBegun: boolean): Verdict => {
  if (line === undefined) return { _tag: "Rejected", id: null, message: `A message has at most ${maxBytes} bytes` }
  const decoded = Utf8.decode(line)
  if (Result.isFailure(decoded)) return skipped("A message is UTF-8, and a character was lost")
  const text = decoded.success
  if (text.trim() === "") return skipped()
  const read = Message.read(text)
  if (Result.isFailure(read)) {
    if (read.failure.code === Message.codes.parse) return skipped("A message is one line of JSON")
    return { _tag: "Rejected", id: read.failure.id, message: read.failure.message }
  }
  const message = read.success
  if (!Predicate.isObject(message)) {
    return { _tag: "Rejected", id: null, message: "A message is one JSON object" }
  }
  const { id, method, jsonrpc } = { id: undefined, method: undefined, jsonrpc: undefined, ...message }
  if (id === undefined) {
    if (typeof method !== "string" || !known.has(method)) return skipped()
    const cancels: unknown = Object(Object(message)["params"])["requestId"]
    return { _tag: "Passed", method, cancels }
  }
  if (!MessageId.isExact(id)) return { _tag: "Rejected", id: null, message: MessageId.expected }
  if (jsonrpc !== "2.0") return { _tag: "Rejected", id, message: 'The version of JSON-RPC is "2.0"' }
  // A response to a request of the server.
  if (method === undefined) return { _tag: "Passed", method }
  if (typeof method !== "string") return { _tag: "Rejected", id, message: "The method of a request is a string" }
  if (!hasBegun && method !== "initialize" && method !== "ping") {
    return { _tag: "Rejected", id, message: "The first request is initialize" }
  }
  return { _tag: "Passed", method, id }
}

/**
 * Completes `closed` when the client has closed standard input, or no longer takes answers. No message is read while an
 * answer waits for the client to read it, or too many wait for their answer: others would wait in memory.
 */
export const layer = (closed: Deferred.Deferred<void>) =>
  Layer.effect(
    Stdio.Stdio,
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const linesOf = makeLines(maxBytes)
      const hasBegun = yield* Ref.make(false)
      const unanswered = new Unanswered()
      /** Open while answers are taken, and while there is room for another request. */
      const [taken, room] = [yield* Latch.make(true), yield* Latch.make(true)]
      const makeRoom = Effect.suspend(() => (unanswered.isFull ? room.close : room.open))
      const write = (texts: ReadonlyArray<string>) =>
        taken.close.pipe(
          Effect.andThen(Stream.run(Stream.fromIterable(texts), stdio.stdout({ endOnDone: false }))),
          Effect.tapError(() => Deferred.succeed(closed, undefined)),
          Effect.ensuring(taken.open),
        )
      const respond = (id: string | number | null, message: string) =>
        write([`${Message.rejection({ id, code: Message.codes.invalid, message })}\n`])
      const accepted = Effect.fnUntraced(function* (line: Uint8Array | undefined) {
        const verdict = judge(line, yield* Ref.get(hasBegun))
        switch (verdict._tag) {
          case "Passed":
            if (verdict.method === "initialize") yield* Ref.set(hasBegun, true)
            unanswered.remove(verdict.cancels)
            if (line === undefined) return []
            if (verdict.id !== undefined) unanswered.add(verdict.id, line.length)
            yield* makeRoom
            return [line]
          case "Rejected":
            yield* respond(verdict.id, verdict.message)
            return []
          case "Skipped":
            if (verdict.note !== undefined) yield* Console.error(JSON.stringify({ skipped: verdict.note }))
            return []
        }
      })
      const stdin = stdio.stdin.pipe(
        Stream.mapEffect((bytes) =>
          Effect.andThen(Effect.andThen(taken.await, room.await), Effect.forEach(linesOf(bytes), accepted)),
        ),
        Stream.map((lines) => Buffer.concat(lines.flat())),
        Stream.ensuring(Deferred.succeed(closed, undefined)),
      )
      const stdout: typeof stdio.stdout = () =>
        Sink.forEachArray((texts: ReadonlyArray<string | Uint8Array>) => {
          const lines = texts.map((text) => Declared.honestLines(Buffer.from(text).toString()))
          for (const line of lines) unanswered.answered(line)
          return Effect.andThen(makeRoom, write(lines))
        })
      return Stdio.make({ ...stdio, stdin, stdout })
    }),
  )
