/** Records in a form that scripts choose: some of their fields as JSON, the results of jq, or a line of a template each. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Screen } from "../terminal/Screen.ts"
import { UsageError } from "../UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** The flags as they are written. */
export interface ProjectionFlags {
  readonly json: string | undefined
  readonly jq: string | undefined
  readonly template: string | undefined
}

/** What to print of the records. */
export interface Projection {
  /** The fields to keep; without them, all. */
  readonly fields: ReadonlyArray<string> | undefined
  readonly jq: string | undefined
  readonly template: string | undefined
}

/**
 * The projection that the flags ask for, if they do. `--output` and `--columns` choose other forms. `known` are the names
 * of all fields, if they are known before the records.
 */
export const parse = (
  { json, jq, template }: ProjectionFlags,
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
    return { fields, jq, template }
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

/** Prints the records. jq and the templates are loaded when they are used. */
export const print = Effect.fnUntraced(function* (
  { fields, jq, template }: Projection,
  { records, known, isEach }: Projected,
) {
  const screen = yield* Screen
  yield* Effect.fromResult(checkFields(fields, known))
  const chosen = fields === undefined ? records : records.map((record) => pick(record, fields))
  const documents: ReadonlyArray<unknown> = isEach ? chosen : [chosen]
  if (jq !== undefined) {
    const Jq = yield* Effect.promise(() => import("./Jq.ts"))
    return yield* screen.print(yield* Jq.filter(jq, documents))
  }
  if (template !== undefined) {
    const Template = yield* Effect.promise(() => import("./Template.ts"))
    const render = yield* Effect.fromResult(Template.compile(template, fields ?? known))
    return yield* screen.print(chosen.map((record) => `${render(record)}\n`).join(""))
  }
  yield* screen.print(documents.map((document) => `${JSON.stringify(document, undefined, 2)}\n`).join(""))
})

const pick = (record: object, fields: ReadonlyArray<string>): object => {
  const values = new Map<string, unknown>(Object.entries(record))
  return Object.fromEntries(fields.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])))
}
