/** Runs `transfers mcp`. Not in the bundle that most runs load. */
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import manifest from "../../../package.json" with { type: "json" }
import { Globals } from "../../flags/Globals.ts"
import * as MirrorSource from "../../mirror/MirrorSource.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"
import * as CallLog from "./CallLog.ts"
import * as Handlers from "./Handlers.ts"
import * as Http from "./Http.ts"
import * as MessageStdio from "./MessageStdio.ts"
import * as ServiceData from "./ServiceData.ts"
import * as Source from "./Source.ts"
import { toolkit } from "./Tools.ts"

/** The flags of the command. */
export interface Input {
  readonly mask: string | undefined
  readonly http: boolean
  readonly host: string
  readonly port: number
  readonly allow_origin: ReadonlyArray<string>
  readonly token_file: string | undefined
}

const instructions = `Reads a partner's transfers between fiat and crypto. Nothing can be changed. Amounts are exact decimal text. ${Handlers.notice}`

/** Rejects flags that contradict each other or cannot be read, and returns what was read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  const mask = yield* Effect.fromResult(ServiceData.parseMask(input.mask))
  if ((yield* Globals).secretKeyStdin && !input.http) {
    return yield* new UsageError({
      message: "Standard input belongs to the client, so it cannot hold the secret key: use --secret-key-file.",
    })
  }
  const token = yield* tokenOf(input)
  if (input.http && token === undefined && !Http.isLocal(input.host)) {
    return yield* new UsageError({
      message: `--host ${input.host} lets others in: set a token with --token-file or TRANSFERS_MCP_TOKEN.`,
    })
  }
  return { mask, token }
})

export const run = Effect.fn("transfers mcp")(function* (input: Input) {
  const { mask, token } = yield* check(input)
  const handlers = toolkit.toLayer(Effect.flatMap(sourceOf, (source) => Handlers.make(source, mask)))
  const options = {
    name: "transferkit",
    version: manifest.version,
    instructions,
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
    registrations: McpServer.toolkit(toolkit).pipe(Layer.provide(handlers), Layer.merge(CallLog.layer(mask))),
  } as const
  const closed = yield* Deferred.make<void>()
  const server = input.http
    ? Http.serve(
        McpServer.layerHttp({
          ...options,
          path: Http.path,
          allowedOrigins: input.allow_origin,
          allowSessionTermination: true,
        }),
        { ...input, token },
      )
    : McpServer.layerStdio(options).pipe(Layer.provide(MessageStdio.layer(closed)))
  yield* Layer.launch(server).pipe(Effect.catchTag("IllegalArgumentError", Effect.die), untilClosed(closed))
})

const sourceOf = Effect.gen(function* () {
  const { from } = yield* Globals
  if (from === undefined) return yield* Source.ofService
  const mirror = yield* Layer.build(MirrorSource.mirror)
  return yield* Effect.provideContext(Source.ofMirror, mirror)
})

const tokenOf = Effect.fnUntraced(function* ({ token_file }: Input) {
  if (token_file !== undefined) return Redacted.make(yield* Settings.readSecretFile(token_file))
  const variable = yield* Effect.orElseSucceed(Config.option(Config.Redacted("TRANSFERS_MCP_TOKEN")), () =>
    Option.none(),
  )
  return Option.getOrUndefined(Option.filter(variable, (token) => Redacted.value(token) !== ""))
})

/** How long calls may go on when their client has closed standard input, which is how it ends a session. */
const grace = "2 seconds"

/** The server interrupts itself after its last call. */
const untilClosed =
  (closed: Deferred.Deferred<void>) =>
  <E, R>(server: Effect.Effect<never, E, R>): Effect.Effect<void, E, R> =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkScoped(server)
      const late = Deferred.await(closed).pipe(Effect.andThen(Effect.sleep(grace)), Effect.as(Exit.void))
      const exit = yield* Effect.raceFirst(Fiber.await(fiber), late)
      if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    }).pipe(Effect.scoped)
