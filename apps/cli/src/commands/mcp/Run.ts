/** Runs `transfers mcp`. Not in the bundle that most runs load. */
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as SecretFile from "@transferkit/files/node/SecretFile"
import * as HostName from "@transferkit/http-api/HostName"
import * as Mask from "@transferkit/mcp/Mask"
import * as MirrorQuery from "@transferkit/mcp/MirrorQuery"
import * as TransferMcp from "@transferkit/mcp/TransferMcp"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import manifest from "../../../package.json" with { type: "json" }
import { Globals, only, withoutRows } from "../../flags/Globals.ts"
import { Rerun } from "../../Rerun.ts"
import { Screen } from "../../terminal/Screen.ts"
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
  yield* only("mcp", withoutRows)
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
  const { quiet, allowIncomplete } = yield* Globals
  const { host, port, allow_origin: allowedOrigins } = input
  const read = { ...(yield* check(input)), query: yield* mirrorQuery }
  const options = { ...read, version: manifest.version, quiet, allowIncomplete }
  // A client is at the other end of a pipe.
  if (!input.http && process.stdin.isTTY) yield* (yield* Screen).note(forPerson)
  if (input.http) return yield* TransferMcp.http({ ...options, host, port, allowedOrigins })
  yield* TransferMcp.stdio(options)
  // A client that takes no more answers may leave it open, which would keep this process.
  process.stdin.destroy()
})

/** What a person who has started the command needs to know. */
const forPerson = `Waiting for a client of MCP on standard input, until Ctrl-C. Usually a client starts this command. Add it to the configuration of yours:
{ "mcpServers": { "transfers": {
  "command": "transfers", "args": ["mcp", "--from", "/data/transfers.db"] } } }
To serve clients that connect instead: transfers mcp --http
`

/** SQL runs as `transfers query` does, in a process that can be ended. */
const mirrorQuery = Effect.gen(function* () {
  const [globals, again, { kind }] = [yield* Globals, yield* Rerun, yield* TransferSource]
  return again === undefined || kind !== "mirror" ? undefined : MirrorQuery.inProcess(again, globals)
})

const tokenOf = Effect.fnUntraced(function* ({ token_file }: Input) {
  if (token_file !== undefined) return Redacted.make(yield* SecretFile.readLine(token_file))
  const given = yield* Effect.orElseSucceed(Config.option(Config.Redacted("TRANSFERS_MCP_TOKEN")), Option.none)
  return Option.getOrUndefined(Option.filter(given, (token) => Redacted.value(token) !== ""))
})
