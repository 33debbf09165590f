/** A program that someone gave for records: a jq expression or a template. It may take any time and memory, or never end. */
import * as Effect from "effect/Effect"
import type { OutOfMemory } from "../Failure.ts"
import type { UsageError } from "../UsageError.ts"

export interface UserProgram {
  readonly flag: "--jq" | "--template"
  readonly text: string
  /** The names that a template may use. */
  readonly known: ReadonlyArray<string>
  /** JSON texts without line breaks. jq gets them one after the other; a template makes a line of each. */
  readonly documents: ReadonlyArray<string>
}

/** What the program prints. jq and the templates are loaded when they are used. */
export const run = Effect.fnUntraced(function* ({
  flag,
  text,
  known,
  documents,
}: UserProgram): Effect.fn.Return<string, UsageError | OutOfMemory> {
  if (flag === "--jq") {
    const Jq = yield* Effect.promise(() => import("./Jq.ts"))
    return yield* Jq.filter(text, documents)
  }
  const Template = yield* Effect.promise(() => import("./Template.ts"))
  const render = yield* Effect.fromResult(Template.compile(text, known))
  return documents.map((document) => `${render(document)}\n`).join("")
})

/** As a process reads it. The documents are not parsed on their way, so their numbers keep their digits. */
export const encode = ({ documents, ...rest }: UserProgram): string => [JSON.stringify(rest), ...documents].join("\n")

/** The program that was encoded. */
export const decode = (text: string): UserProgram => {
  const [rest = "", ...documents] = text.split("\n")
  return { ...JSON.parse(rest), documents }
}
