/** Runs `transfers mcp`. Not in the bundle that most runs load. */
import type { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as HostName from "@transferkit/http-api/HostName"
import * as Mask from "@transferkit/mcp/Mask"
import { ToolSource } from "@transferkit/mcp/ToolSource"
import * as TransferMcp from "@transferkit/mcp/TransferMcp"
import type { MirrorError } from "@transferkit/mirror/MirrorError"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import manifest from "../../../package.json" with { type: "json" }
import { Globals } from "../../flags/Globals.ts"
import * as MirrorTools from "../../mirror/MirrorTools.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"

/** The flags of the command. */
export interface Input {
  readonly mask: string | undefined
  readonly http: boolean
  readonly host: string
  readonly port: number
  readonly allow_origin: ReadonlyArray<string>
  readonly token_file: string | undefined
}

/** Rejects flags that contradict each other or cannot be read, and returns what was read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  const mask = yield* Effect.fromResult(
    Result.mapError(Mask.parse(input.mask), ({ reason }) => new UsageError({ message: `--mask: ${reason}` })),
  )
  if ((yield* Globals).secretKeyStdin && !input.http) {
    return yield* new UsageError({
      message: "Standard input belongs to the client, so it cannot hold the secret key: use --secret-key-file.",
    })
  }
  const token = yield* tokenOf(input)
  if (input.http && token === undefined && !HostName.isLoopback(input.host)) {
    return yield* new UsageError({
      message: `--host ${input.host} lets others in: set a token with --token-file or TRANSFERS_MCP_TOKEN.`,
    })
  }
  return { mask, token }
})

export const run = Effect.fn("transfers mcp")(function* (input: Input) {
  const options = { ...(yield* check(input)), version: manifest.version }
  const { quiet } = yield* Globals
  const { host, port, allow_origin: allowedOrigins } = input
  yield* (input.http ? TransferMcp.http({ ...options, host, port, allowedOrigins }) : TransferMcp.stdio(options)).pipe(
    Effect.provide(source),
    quiet ? Effect.provideService(Console.Console, silent) : (server) => server,
  )
})

/** Its log is for people and scripts that ask for it: `--quiet` does not. */
const silent: Console.Console = Object.assign(Object.create(globalThis.console), { error: () => {} })

type Source = Layer.Layer<ToolSource, InvalidFilter | MirrorError | UsageError, Globals | TransferPager>

const source = Layer.unwrap(
  Effect.map(Globals, ({ from }): Source => (from === undefined ? ToolSource.layerService : MirrorTools.layer)),
)

const tokenOf = Effect.fnUntraced(function* ({ token_file }: Input) {
  if (token_file !== undefined) return Redacted.make(yield* Settings.readSecretFile(token_file))
  const variable = yield* Effect.orElseSucceed(Config.option(Config.Redacted("TRANSFERS_MCP_TOKEN")), () =>
    Option.none(),
  )
  return Option.getOrUndefined(Option.filter(variable, (token) => Redacted.value(token) !== ""))
})
