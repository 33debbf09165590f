/** A recording: a line of JSON with its version, then one for each request that passed. It holds no credentials. */
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { HeaderValue } from "../HeaderValue.ts"

/** The first line of a recording. */
export const Head = S.Struct({ recording: S.Literal(1) })

/** A status that a fake can serve. */
const Status = S.Int.check(S.isBetween({ minimum: 200, maximum: 599 }))

/** Whether a response with such a status can be replayed. */
export const isStatus = S.is(Status)

/** Headers that tell something about a response; none of them holds credentials, or says how long a body is. */
export const headerNames = ["content-type", "retry-after", "x-request-id", "www-authenticate", "location", "date"]

const Headers = S.Record(S.String, HeaderValue).check(
  S.makeFilter((headers) => Object.keys(headers).every((name) => headerNames.includes(name)), {
    expected: `no other headers than ${headerNames.join(", ")}`,
  }),
)

/** A request, and its response or the failure of the connection. */
export const Take = S.Struct({
  path: S.String,
  query: S.String,
  ms: S.Finite,
  status: S.optionalKey(Status),
  headers: S.optionalKey(Headers),
  body: S.optionalKey(S.String),
  /** A body that is not UTF-8. */
  body_base64: S.optionalKey(S.String),
  failure: S.optionalKey(S.String),
})

export type Take = typeof Take.Type

/** The file is not a recording. */
export class UnreadableRecording extends Data.TaggedError("UnreadableRecording")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot replay ${this.path}: ${this.reason}. Give a file that transfers-fake --record wrote.`
  }
}

const readHead = JsonDocument.reader(Head)
const readTake = JsonDocument.reader(Take)

/** The takes of the text of a recording, in their order. `path` is for the error. */
export const parse = (text: string, path: string): Result.Result<ReadonlyArray<Take>, UnreadableRecording> => {
  const fail = (reason: string) => Result.fail(new UnreadableRecording({ path, reason }))
  const [head = "", ...lines] = text.split("\n")
  if (Result.isFailure(readHead(head))) return fail("line 1 is not that of a recording")
  const takes: Array<Take> = []
  // A recorder that was killed may leave half a line at the end.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const take = readTake(line)
    if (Result.isFailure(take)) return fail(`line ${index + 2} is not a recorded request: ${inLine(take.failure)}`)
    takes.push(take.success)
  }
  return Result.succeed(takes)
}

/** Why a line cannot be read, in one. Its number in the recording says more than that it is the first of its own text. */
const inLine = (reason: string): string => reason.replaceAll(/\s+/g, " ").replace("line 1, ", "")

/** The bytes of a body. */
export const bodyOf = ({ body, body_base64 }: Take): Buffer =>
  body_base64 === undefined ? Buffer.from(body ?? "", "utf8") : Buffer.from(body_base64, "base64")
