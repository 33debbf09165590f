/** The command line of `transfers-fake`: every flag is also an environment variable, `TRANSFERS_FAKE_…`. */
import * as fs from "node:fs/promises"
import * as DurationText from "@transferkit/fake/DurationText"
import { FakeServer } from "@transferkit/fake/FakeServer"
import * as Fault from "@transferkit/fake/Fault"
import * as Partners from "@transferkit/fake/Partners"
import * as RateLimit from "@transferkit/fake/RateLimit"
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

/** A flag or a file it names does not say what it should. */
class InvalidFlag extends Data.TaggedError("InvalidFlag")<{ readonly flag: string; readonly reason: string }> {
  override get message(): string {
    return `--${this.flag}: ${this.reason}`
  }
}

const env = (flag: string): string => `TRANSFERS_FAKE_${flag.toUpperCase().replaceAll("-", "_")}`

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withFallbackConfig(Config.String(env(name))))

const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withFallbackConfig(Config.Int(env(name))))

const flags = {
  port: whole("port", "Port to listen on; 0 takes any free one").pipe(Flag.withDefault(8787)),
  host: text("host", "Address to listen on").pipe(Flag.withDefault("127.0.0.1")),
  partner: Flag.String("partner").pipe(
    Flag.withDescription("A partner as id:secret; can be repeated (default: demo:demo-secret)"),
    Flag.atLeast(1),
    Flag.withFallbackConfig(Config.Array(S.String, env("partner"))),
    Flag.withDefault([Partners.defaultPartner]),
  ),
  seed: whole("seed", "Another seed generates other transfers").pipe(Flag.withDefault(1)),
  transfers: whole("transfers", "How many transfers to generate for each partner (default: 1000; with --data 0)").pipe(
    Flag.optional,
  ),
  data: text("data", "File with transfers of the first partner: a JSON array, or one object a line").pipe(
    Flag.optional,
  ),
  order: Flag.Literals("order", sortOrders).pipe(
    Flag.withDescription("Order of results"),
    Flag.withFallbackConfig(Config.Literals(sortOrders, env("order"))),
    Flag.withDefault("newest-first" as const),
  ),
  displaced: whole("displaced", "How many transfers, drawn by the seed, are listed after all others").pipe(
    Flag.withDefault(0),
  ),
  lteToken: text("lte-token", 'Operator of created_at for "less than or equal"; none for no such operator').pipe(
    Flag.withDefault("lte"),
  ),
  defaultLimit: whole("default-limit", "Limit where a request has none").pipe(Flag.withDefault(20)),
  latency: text("latency", "How long answers take: 20ms, or 20ms..80ms").pipe(Flag.optional),
  rateLimit: text("rate-limit", "How often each partner may ask: 50/s, 600/m").pipe(Flag.optional),
  lenient: Flag.Boolean("lenient").pipe(
    Flag.withDescription("Pass over unknown parameters"),
    Flag.withFallbackConfig(Config.Boolean(env("lenient"))),
    Flag.withDefault(false),
  ),
  faults: text("faults", "JSON file with fault rules to start with").pipe(Flag.optional),
  adminToken: text("admin-token", "Calls under /_fake must bring it in the header x-fake-token").pipe(Flag.optional),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Say where it listens as a line of JSON"),
    Flag.withDefault(false),
  ),
}

/** The value of a flag, read by its own grammar. */
const parsed = <A, E>(flag: string, value: Option.Option<string>, parse: (text: string) => Result.Result<A, E>) =>
  Option.isNone(value)
    ? Effect.undefined
    : Effect.fromResult(
        Result.mapError(
          parse(value.value),
          (error) => new InvalidFlag({ flag, reason: error instanceof Error ? error.message : String(error) }),
        ),
      )

const rulesIn = Effect.fn("Command.rulesIn")(function* (file: Option.Option<string>) {
  if (Option.isNone(file)) return []
  const fail = (reason: string) => new InvalidFlag({ flag: "faults", reason: `${file.value}: ${reason}` })
  const value: unknown = yield* Effect.tryPromise({
    try: async () => JSON.parse(await fs.readFile(file.value, "utf8")),
    catch: (error) => fail(error instanceof Error ? error.message : String(error)),
  })
  return yield* Effect.fromResult(Result.mapError(Fault.parse(value), fail))
})

/** Serves until it is stopped. */
export const command = Command.make("transfers-fake", flags, (input) =>
  Effect.gen(function* () {
    const server = FakeServer.layer({
      port: input.port,
      host: input.host,
      partners: input.partner,
      seed: input.seed,
      transfers: Option.getOrElse(input.transfers, () => (Option.isNone(input.data) ? 1000 : 0)),
      dataFile: Option.getOrUndefined(input.data),
      order: input.order,
      displaced: input.displaced,
      lteToken: input.lteToken === "none" ? undefined : input.lteToken,
      defaultLimit: input.defaultLimit,
      latency: yield* parsed("latency", input.latency, DurationText.parseRange),
      rateLimit: yield* parsed("rate-limit", input.rateLimit, RateLimit.parse),
      lenient: input.lenient,
      faults: yield* rulesIn(input.faults),
      adminToken: Option.getOrUndefined(input.adminToken),
      consoleFolder: new URL("./console/", import.meta.url),
    })
    const announced = Layer.effectDiscard(
      Effect.gen(function* () {
        const { url } = yield* FakeServer
        yield* Console.log(
          input.json ? JSON.stringify({ event: "listening", url }) : `transfers-fake listens on ${url}`,
        )
      }),
    )
    return yield* Layer.launch(Layer.provide(announced, server))
  }),
).pipe(Command.withDescription("A fake of the transfer service, in memory, over HTTP"))
