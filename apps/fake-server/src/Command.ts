/** The command line of `transfers-fake`: every flag is also an environment variable, `TRANSFERS_FAKE_…`. */
import { readFile } from "node:fs/promises"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Utf8 from "@transferkit/domain/Utf8"
import { isLoopback } from "@transferkit/fake/FakeOptions"
import { FakeServer } from "@transferkit/fake/FakeServer"
import * as Latency from "@transferkit/fake/Latency"
import * as Partners from "@transferkit/fake/Partners"
import * as RateLimit from "@transferkit/fake/RateLimit"
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as AuthorityFile from "./AuthorityFile.ts"
import * as ConsoleFiles from "./ConsoleFiles.ts"
import * as LikeCertificate from "./LikeCertificate.ts"
import * as Recording from "./Recording.ts"
import { expected, InvalidFlag, InvalidVariable } from "./UsageError.ts"

const env = (flag: string): string => `TRANSFERS_FAKE_${flag.toUpperCase().replaceAll("-", "_")}`

/** The environment variable of a flag, used if the flag is missing. */
const variable = <A>(
  flag: string,
  config: (name: string) => Config.Config<A>,
  expected = "a text",
): Effect.Effect<A, CliError.CliError> =>
  Config.option(config(env(flag))).pipe(
    Effect.catch(() =>
      Effect.flatMap(Effect.orDie(Config.String(env(flag))), (value) =>
        Effect.fail(new CliError.UserError({ cause: new InvalidVariable({ variable: env(flag), value, expected }) })),
      ),
    ),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.fail(new CliError.MissingOption({ option: flag })),
        onSome: Effect.succeed,
      }),
    ),
  )

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withDefault(variable(name, Config.String)))

const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(variable(name, Config.Int, expected.integer)))

const list = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.atLeast(1),
    Flag.withDefault(variable(name, (from) => Config.Array(S.String, from))),
  )

const onOff = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withDefault(variable(name, Config.Boolean, expected.boolean)),
    Flag.withDefault(false),
  )

const flags = {
  port: whole("port", "Port to listen on; 0 takes any free one (default: 8787)").pipe(Flag.withDefault(8787)),
  host: text("host", "Address to listen on (default: 127.0.0.1)").pipe(Flag.withDefault("127.0.0.1")),
  partner: list("partner", "Partner as id:secret; repeatable (default: demo:demo-secret)").pipe(
    Flag.withDefault([Partners.defaultPartner]),
  ),
  seed: whole("seed", "Seed of the generated transfers and of all probabilities (default: 1)").pipe(
    Flag.withDefault(1),
  ),
  transfers: whole(
    "transfers",
    "Number of transfers to generate for each partner (default: 1000, with --data or --replay 0)",
  ).pipe(Flag.optional),
  fees: text("fees", "JSON file with the fee schedule of the generated transfers (default: random fees)").pipe(
    Flag.optional,
  ),
  now: text("now", "Instant or day at which generated transfers end (default: today)").pipe(Flag.optional),
  arrivals: text("arrivals", "Let transfers arrive by themselves and the clock run: 2/s, 30/m").pipe(Flag.optional),
  data: text(
    "data",
    "File with the first partner's transfers: a JSON array, or one object a line; read again when it changes",
  ).pipe(Flag.optional),
  from: text("from", "Mirror with the first partner's transfers: sqlite:FILE, or postgres://…; read at the start").pipe(
    Flag.optional,
  ),
  order: Flag.Literals("order", sortOrders).pipe(
    Flag.withDescription("Order of results (default: newest-first)"),
    Flag.withDefault(
      variable(
        "order",
        (from) => Config.Literals(sortOrders, from),
        sortOrders.map((order) => `"${order}"`).join(" | "),
      ),
    ),
    Flag.optional,
  ),
  displaced: whole("displaced", "Number of transfers, drawn by the seed, to list after all others").pipe(
    Flag.withDefault(0),
  ),
  lteToken: text("lte-token", 'Operator of created_at for "less than or equal"; none disables it (default: lte)').pipe(
    Flag.optional,
  ),
  defaultLimit: whole("default-limit", "Limit of requests without one (default: 20)").pipe(Flag.optional),
  like: text("like", "Behave like a deployment: a certificate that transfers certify --out wrote").pipe(Flag.optional),
  latency: text("latency", "Latency of responses: 20ms, 20ms..80ms or lognormal(50ms, 0.5)").pipe(Flag.optional),
  rateLimit: text("rate-limit", "Rate limit of each partner: 50/s, 600/m").pipe(Flag.optional),
  lenient: onOff("lenient", "Ignore unknown parameters"),
  faults: text("faults", "JSON file with fault rules, read again when it changes").pipe(Flag.optional),
  adminToken: text("admin-token", "Token that requests under /_fake must send in x-fake-token").pipe(Flag.optional),
  allowHost: list("allow-host", "Further name to accept in Host, such as fake.test; repeatable").pipe(
    Flag.withDefault([]),
  ),
  cors: list("cors", "Origin of web pages that may read the service, or *; repeatable").pipe(Flag.withDefault([])),
  tls: text(
    "tls",
    "Serve HTTPS; write the certificate of the authority to trust to this file, or over that of an earlier start",
  ).pipe(Flag.optional),
  record: text("record", "Base URL of a service: pass requests on to it and record its responses").pipe(Flag.optional),
  out: text("out", "File for --record to write").pipe(Flag.optional),
  keepIdentifiers: onOff("keep-identifiers", "Record ids, references and wallets as they are, not as pseudonyms"),
  replay: text("replay", "Recording to serve: its transfers by content, its odd responses literally").pipe(
    Flag.optional,
  ),
  json: onOff("json", "Print the URL as a line of JSON"),
}

/** The value of a flag with a grammar of its own. */
const parsed = <A, E>(flag: string, value: Option.Option<string>, parse: (text: string) => Result.Result<A, E>) =>
  Option.isNone(value)
    ? Effect.undefined
    : Effect.fromResult(
        Result.mapError(
          parse(value.value),
          (error) => new InvalidFlag({ flag, reason: error instanceof Error ? error.message : String(error) }),
        ),
      )

/** The content of a file with a grammar of its own. */
const parsedFile = Effect.fnUntraced(function* <A>(
  flag: string,
  path: Option.Option<string>,
  parse: (text: string) => Result.Result<A, string>,
) {
  if (Option.isNone(path)) return undefined
  const toError = (reason: string) => new InvalidFlag({ flag, reason: `${path.value}: ${reason}` })
  const text = yield* Effect.tryPromise({
    try: async () => Result.getOrThrowWith(Utf8.decode(await readFile(path.value)), Error),
    catch: (error) => toError(error instanceof Error ? error.message : String(error)),
  })
  return yield* Effect.fromResult(Result.mapError(parse(text), toError))
})

/** The real time, rounded to the day, so that all starts of a day have the same transfers; to the second if it runs. */
const present = (millis: number, isRunning: boolean): string => {
  const text = new Date(millis).toISOString()
  return isRunning ? text.replace(/\.\d+/, "") : text.slice(0, 10)
}

/** What a mirror holds, if one is given. Its partner may have another id here. */
const mirroredIn = Effect.fnUntraced(function* (
  from: Option.Option<string>,
  { partner = "", hasData }: { readonly partner: string | undefined; readonly hasData: boolean },
) {
  if (Option.isNone(from)) return undefined
  if (hasData) return yield* new InvalidFlag({ flag: "from", reason: "give it or --data, not both" })
  const MirrorData = yield* Effect.promise(() => import("./MirrorData.ts"))
  return yield* MirrorData.read(from.value, partner.split(":", 1)[0] ?? "")
})

const collector = Config.withDefault(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT"), "")

/** What tells a collector of the requests, if the environment names one. */
const telemetryOf = Effect.fnUntraced(function* (endpoint: string) {
  if (endpoint === "") return undefined
  const Telemetry = yield* Effect.promise(() => import("./Telemetry.ts"))
  return yield* Telemetry.make
})

/** Serves until it is stopped. */
export const command = Command.make("transfers-fake", flags, (input) =>
  Effect.gen(function* () {
    if (Option.isSome(input.record)) return yield* Recording.record(input.record.value, input)
    const clock = yield* Clock.Clock
    const arrivals = yield* parsed("arrivals", input.arrivals, RateLimit.parse)
    const now = Option.getOrElse(input.now, () => present(clock.currentTimeMillisUnsafe(), arrivals !== undefined))
    const mirrored = yield* mirroredIn(input.from, { partner: input.partner[0], hasData: Option.isSome(input.data) })
    const telemetry = yield* telemetryOf(yield* collector)
    const like = Option.isSome(input.like) ? yield* LikeCertificate.read(input.like.value) : undefined
    const server = FakeServer.layer({
      port: input.port,
      host: input.host,
      partners: input.partner,
      seed: input.seed,
      transfers: Option.getOrElse(input.transfers, () =>
        Option.isNone(input.data) && Option.isNone(input.replay) && mirrored === undefined ? 1000 : 0,
      ),
      ...mirrored,
      fees: yield* parsedFile("fees", input.fees, FeeSchedule.parse),
      now,
      arrivals,
      dataFile: Option.getOrUndefined(input.data),
      like,
      ...(Option.isSome(input.order) && { order: input.order.value }),
      displaced: input.displaced,
      ...(Option.isSome(input.lteToken) && {
        lteToken: input.lteToken.value === "none" ? undefined : input.lteToken.value,
      }),
      ...(Option.isSome(input.defaultLimit) && { defaultLimit: input.defaultLimit.value }),
      latency: yield* parsed("latency", input.latency, Latency.parse),
      rateLimit: yield* parsed("rate-limit", input.rateLimit, RateLimit.parse),
      ...(input.lenient && { lenient: true }),
      replayFile: Option.getOrUndefined(input.replay),
      faultsFile: Option.getOrUndefined(input.faults),
      reload: true,
      adminToken: Option.getOrUndefined(input.adminToken),
      allowHosts: input.allowHost,
      consoleFiles: ConsoleFiles.load,
      corsOrigins: input.cors,
      tls: Option.isSome(input.tls),
      onRequest: telemetry?.onRequest,
    })
    const announced = Layer.effectDiscard(
      Effect.gen(function* () {
        const { url, ca = "" } = yield* FakeServer
        if (Option.isSome(input.tls)) yield* AuthorityFile.write(input.tls.value, ca)
        yield* Console.log(
          input.json
            ? JSON.stringify({ event: "listening", url, now })
            : `Listening on ${url}. Generated transfers end at ${now}.`,
        )
        if (!isLoopback(input.host) && Option.isNone(input.adminToken)) {
          yield* Console.error(
            `transfers-fake: Anyone who reaches ${input.host} can change this fake. Set --admin-token to prevent it.`,
          )
        }
      }),
    )
    return yield* Layer.launch(Layer.provide(announced, server))
  }).pipe(Effect.scoped),
).pipe(
  Command.withDescription("A fake of the transfer service, in memory, over HTTP."),
  Command.withExamples([
    { command: "transfers-fake --transfers 5000", description: "Serve 5,000 transfers to the partner demo" },
    {
      command: "transfers-fake --port 0 --json --now 2025-01-01",
      description: "The same transfers each day, on a free port, for a script",
    },
    { command: "transfers-fake --arrivals 2/s", description: "Let two transfers arrive each second" },
    { command: "transfers-fake --latency 20ms..80ms --rate-limit 50/s", description: "Be slow, and refuse haste" },
  ]),
)
