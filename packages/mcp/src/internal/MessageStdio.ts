/**
 * Standard input and output for a server: a line that is not JSON, or too long or deep to be a request, is noted on
 * standard error and skipped. Such a line has no id, so no error response can be sent.
 */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** No request of a tool comes near it. */
const maxBytes = 1024 * 1024

const newline = 10

/** The lines that were completed by some bytes; `undefined` for one that is too long. */
const makeLines = (most: number) => {
  let parts: Array<Uint8Array> = []
  let length = 0
  const take = (part: Uint8Array) => {
    length += part.length
    if (length <= most) parts.push(part)
    else parts = []
  }
  return (bytes: Uint8Array): ReadonlyArray<Uint8Array | undefined> => {
    const lines: Array<Uint8Array | undefined> = []
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      take(bytes.subarray(start, end + 1))
      lines.push(length <= most ? Buffer.concat(parts) : undefined)
      parts = []
      length = 0
      start = end + 1
    }
    if (start < bytes.length) take(bytes.subarray(start))
    return lines
  }
}

/** What is wrong with a line, if anything. */
const faultOf = (line: Uint8Array | undefined): string | undefined => {
  if (line === undefined) return `A message has at most ${maxBytes} bytes`
  const text = Buffer.from(line).toString("utf8")
  if (text.trim() === "") return undefined
  try {
    // What reads it next is recursive.
    return JsonDepth.findDeeper(JSON.parse(text)) === undefined
      ? undefined
      : `A message has at most ${JsonDepth.maxDepth} levels`
  } catch {
    return "A message is one line of JSON"
  }
}

/** Completes `closed` when the client has closed standard input. */
export const layer = (closed: Deferred.Deferred<void>) =>
  Layer.effect(
    Stdio.Stdio,
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const linesOf = makeLines(maxBytes)
      const accepted = Effect.fnUntraced(function* (line: Uint8Array | undefined) {
        const fault = faultOf(line)
        if (fault === undefined) return line === undefined ? [] : [line]
        yield* Console.error(JSON.stringify({ skipped: fault }))
        return []
      })
      const stdin = stdio.stdin.pipe(
        Stream.mapEffect((bytes) => Effect.forEach(linesOf(bytes), accepted)),
        Stream.map((lines) => Buffer.concat(lines.flat())),
        Stream.ensuring(Deferred.succeed(closed, undefined)),
      )
      return Stdio.make({ ...stdio, stdin })
    }),
  )
