/** The help pages of all commands. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as HelpPage from "@transferkit/report/HelpPage"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { commandTree } from "../src/CommandTree.ts"
import { builtInFlags } from "../src/flags/GlobalFlags.ts"
import * as HelpContent from "../src/help/HelpContent.ts"
import * as ManPage from "../src/help/ManPage.ts"
import { Screen } from "../src/terminal/Screen.ts"

/** Pages by the words of their command; the root's is the empty text. */
export const all = async (options: HelpPage.PageOptions): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    Object.entries(await docs()).map(([path, doc]) => [path, `${HelpPage.render(HelpContent.of(doc), options)}\n`]),
  )

/** Manual pages by the names of their files. */
export const manual = async (version: string): Promise<Readonly<Record<string, string>>> => {
  const all = Object.values(await docs())
  return Object.fromEntries(all.map((doc) => [ManPage.fileName(doc), ManPage.render(doc, { version, all })]))
}

/** The documents behind the pages. */
export const docs = (): Promise<Readonly<Record<string, HelpDoc>>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const found: Record<string, HelpDoc> = {}
      const waiting: Array<ReadonlyArray<string>> = [[]]
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const doc = yield* docOf(path)
        found[path.join(" ")] = doc
        for (const { commands } of doc.subcommands ?? []) {
          for (const { name } of commands) waiting.push([...path, name])
        }
      }
      return found
    }),
  )

const docOf = (path: ReadonlyArray<string>): Effect.Effect<HelpDoc> =>
  Effect.gen(function* () {
    let doc: HelpDoc | undefined
    const capture = CliOutput.layerPresenter({
      present: (event) => Effect.sync(() => (doc = event._tag === "Help" ? event.helpDoc : undefined)),
    })
    yield* Command.runWith(commandTree, { version: "" })([...path, "--help"]).pipe(
      Effect.provide(
        Layer.mergeAll(
          NodeServices.layer,
          CliConfig.layer({ builtIns: builtInFlags }),
          Screen.layer({ noColour: true }),
          capture,
        ),
      ),
    )
    return doc === undefined ? yield* Effect.die(`no help for ${path.join(" ")}`) : doc
  }).pipe(Effect.orDie)
