/**
 * Checks the arguments of calls. The runtime would name every mistake of every value, in a text many times as long as the
 * call. Here each argument has one mistake, and their text is bounded.
 */
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { toolkit } from "./Tools.ts"

/** Characters of a name that is unknown, and of the mistake in an argument. */
const [mostName, mostText] = [64, 1000]

/** Says what is wrong with the arguments of a call, one text for each of them that is. */
type Check = (given: Readonly<Record<string, unknown>>) => ReadonlyArray<string>

const checkOf = (fields: Readonly<Record<string, S.ConstraintDecoder<unknown>>>): Check => {
  const readers = Object.entries(fields).map(([name, field]) => {
    const read = S.decodeUnknownResult(S.Struct({ [name]: field }), { errors: "first", onExcessProperty: "error" })
    return (given: Readonly<Record<string, unknown>>) =>
      Result.match(read(Object.hasOwn(given, name) ? { [name]: given[name] } : {}), {
        onSuccess: () => [],
        onFailure: ({ message }) => [cut(message, mostText)],
      })
  })
  return (given) => {
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
    const known = unknown === undefined ? [] : [unknownName(unknown, Object.keys(fields))]
    return [...known, ...readers.flatMap((faultsOf) => faultsOf(given))]
  }
}

const unknownName = (name: string, known: ReadonlyArray<string>): string =>
  `Unexpected argument ${JSON.stringify(cut(name, mostName))}: the arguments are ${known.join(", ")}`

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

const checks: ReadonlyMap<string, Check> = new Map(
  Object.values(toolkit.tools).map(({ name, parametersSchema }) => [name, checkOf(parametersSchema.fields)]),
)

/** The registry of the server, whose tools are called with arguments that fit. */
export const layer = Layer.effect(
  McpServer.McpServer,
  Effect.map(McpServer.McpServer, (server) =>
    McpServer.McpServer.of({
      ...server,
      addTool: (tool) => {
        const { name } = tool.tool
        const check = checks.get(name)
        const handle: typeof tool.handle = (given) => {
          const faults = check?.(Object(given)) ?? []
          if (faults.length === 0) return tool.handle(given)
          const message = `Invalid arguments of ${name}: ${faults.join("\n")}`
          return Effect.fail(new McpSchema.InvalidParams({ message }))
        }
        return server.addTool({ ...tool, handle })
      },
    }),
  ),
)
