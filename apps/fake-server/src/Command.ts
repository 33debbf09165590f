/** The command line of `transfers-fake`: every flag is also an environment variable, `TRANSFERS_FAKE_…`. */
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { FakeServer } from "./FakeServer.ts"

const env = (name: string): string => `TRANSFERS_FAKE_${name}`

const flags = {
  port: Flag.Int("port").pipe(
    Flag.withDescription("Port to listen on; 0 takes any free one"),
    Flag.withFallbackConfig(Config.Int(env("PORT"))),
    Flag.withDefault(8787),
  ),
  host: Flag.String("host").pipe(
    Flag.withDescription("Address to listen on"),
    Flag.withFallbackConfig(Config.String(env("HOST"))),
    Flag.withDefault("127.0.0.1"),
  ),
  partner: Flag.String("partner").pipe(
    Flag.withDescription("A partner as id:secret; can be repeated (default: demo:demo-secret)"),
    Flag.atLeast(0),
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Another seed generates other transfers"),
    Flag.withFallbackConfig(Config.Int(env("SEED"))),
    Flag.withDefault(1),
  ),
  transfers: Flag.Int("transfers").pipe(
    Flag.withDescription("How many transfers to generate for each partner (default: 1000, with --data none)"),
    Flag.withFallbackConfig(Config.Int(env("TRANSFERS"))),
    Flag.optional,
  ),
  data: Flag.String("data").pipe(
    Flag.withDescription("Transfers of the first partner, from a file: a JSON array, or one JSON object a line"),
    Flag.withFallbackConfig(Config.String(env("DATA"))),
    Flag.optional,
  ),
  order: Flag.Literals("order", sortOrders).pipe(
    Flag.withDescription("Order of results"),
    Flag.withFallbackConfig(Config.Literals(sortOrders, env("ORDER"))),
    Flag.withDefault("newest-first" as const),
  ),
  lteToken: Flag.String("lte-token").pipe(
    Flag.withDescription('Operator of created_at for "less than or equal", or none'),
    Flag.withFallbackConfig(Config.String(env("LTE_TOKEN"))),
    Flag.withDefault("lte"),
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Say where it listens as a line of JSON"),
    Flag.withDefault(false),
  ),
}

/** Serves until it is stopped. */
export const command = Command.make("transfers-fake", flags, (input) =>
  Effect.gen(function* () {
    const server = FakeServer.layer({
      port: input.port,
      host: input.host,
      ...(input.partner.length > 0 && { partners: input.partner }),
      seed: input.seed,
      transfers: Option.getOrElse(input.transfers, () => (Option.isNone(input.data) ? 1000 : 0)),
      dataFile: Option.getOrUndefined(input.data),
      order: input.order,
      lteToken: input.lteToken === "none" ? undefined : input.lteToken,
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
