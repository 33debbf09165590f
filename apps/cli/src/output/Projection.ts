/** Records in a form that scripts choose: some of their fields as JSON, the results of jq, or a line of a template each. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ProgramTimedOut } from "../Failure.ts"
import * as OwnProcess from "../OwnProcess.ts"
import { Rerun } from "../Rerun.ts"
import { Screen } from "../terminal/Screen.ts"
import { UsageError } from "../UsageError.ts"
import * as Pieces from "./Pieces.ts"
import * as Suggestion from "./Suggestion.ts"
import * as UserProgram from "./UserProgram.ts"

/** The flags as they are written. */
export interface ProjectionFlags {
  readonly json: string | undefined
  readonly jq: string | undefined
  readonly template: string | undefined
  /** Seconds. */
  readonly timeout: number
}

/** What to print of the records. */
export interface Projection {
  /** The fields to keep; without them, all. */
  readonly fields: ReadonlyArray<string> | undefined
  readonly program: Pick<UserProgram.UserProgram, "flag" | "text"> | undefined
  /** Seconds. */
  readonly timeout: number
}

/**
 * The projection that the flags ask for, if they do. `--output` and `--columns` choose other forms. `known` are the names
 * of all fields, if they are known before the records.
 */
export const parse = (
  { json, jq, template, timeout }: ProjectionFlags,
  {
    known,
    ...forms
  }: {
    readonly output: string | undefined
    readonly columns?: string | undefined
    readonly known?: ReadonlyArray<string>
  },
): Result.Result<Projection | undefined, UsageError> =>
  Result.gen(function* () {
    const [wanted] = given({ jq, template, json })
    if (wanted === undefined) return undefined
    const [other] = given({ ...forms, ...(wanted === "jq" ? { template } : {}) })
    if (other !== undefined) {
      const message = `--${wanted} cannot be combined with --${other}: remove one of them.`
      return yield* Result.fail(new UsageError({ message }))
    }
    const fields = json?.split(",").map((name) => name.trim())
    if (known !== undefined) yield* checkFields(fields, known)
    const program =
      jq !== undefined
        ? { flag: "--jq" as const, text: jq }
        : template === undefined
          ? undefined
          : { flag: "--template" as const, text: template }
    return { fields, program, timeout }
  })

const given = (flags: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.keys(flags).filter((name) => flags[name] !== undefined)

const checkFields = (
  fields: ReadonlyArray<string> | undefined,
  known: ReadonlyArray<string>,
): Result.Result<void, UsageError> => {
  const wrong = fields?.find((name) => !known.includes(name))
  return wrong === undefined ? Result.void : Result.fail(Suggestion.unknownName("--json", "field", wrong, known))
}

/** Records to print, and the names that their fields may have. */
export interface Projected {
  readonly records: ReadonlyArray<object>
  readonly known: ReadonlyArray<string>
  /** Whether each record is a JSON document, rather than all together. */
  readonly isEach: boolean
}

/** Prints the records. */
export const print = Effect.fnUntraced(function* (
  { fields, program, timeout }: Projection,
  { records, known, isEach }: Projected,
) {
  const screen = yield* Screen
  yield* Effect.fromResult(checkFields(fields, known))
  const chosen = fields === undefined ? records : records.map((record) => pick(record, fields))
  const values: ReadonlyArray<unknown> = isEach || program?.flag === "--template" ? chosen : [chosen]
  if (program === undefined) {
    return yield* screen.print(values.map((value) => `${JSON.stringify(value, undefined, 2)}\n`).join(""))
  }
  const documents = values.map((value) => JSON.stringify(value))
  const printed = yield* evaluate({ ...program, known: fields ?? known, documents }).pipe(
    Effect.timeoutOrElse({
      duration: Duration.seconds(timeout),
      orElse: () => Effect.fail(new ProgramTimedOut({ what: program.flag, seconds: timeout })),
    }),
  )
  yield* Pieces.write(printed, screen.print)
})

/** In a process that can be ended at once: its own one, or this. */
const evaluate = Effect.fnUntraced(function* (program: UserProgram.UserProgram) {
  const again = yield* Rerun
  if (again === undefined || OwnProcess.isHere()) return [yield* UserProgram.run(program)]
  const { run } = yield* Effect.promise(() => import("./UserProgramProcess.ts"))
  return decoded(yield* run(again, program))
})

function* decoded(chunks: ReadonlyArray<Buffer>): Generator<string> {
  // A key may begin with what would be a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  for (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

const pick = (record: object, fields: ReadonlyArray<string>): object => {
  const values = new Map<string, unknown>(Object.entries(record))
  return Object.fromEntries(fields.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])))
}
