/** `transfers-fake --record URL --out FILE`. */
import { Recorder } from "@transferkit/fake/Recorder"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { InvalidFlag } from "./UsageError.ts"

/** The flags that matter to a recording. */
interface Input {
  readonly out: Option.Option<string>
  readonly keepIdentifiers: boolean
  readonly host: string
  readonly port: number
  readonly allowHost: ReadonlyArray<string>
  readonly json: boolean
}

/** Not a flag, because it is a secret. */
const keyOfPseudonyms = Config.option(Config.Redacted("TRANSFERS_FAKE_RECORD_KEY"))

/** Passes requests on to a service, and records its responses, until it is stopped. */
export const record = Effect.fnUntraced(function* (target: string, input: Input) {
  if (Option.isNone(input.out)) {
    return yield* new InvalidFlag({ flag: "record", reason: "name the file to write with --out." })
  }
  const out = input.out.value
  const key = Option.map(yield* keyOfPseudonyms, Redacted.value)
  const { keepIdentifiers, host, port, allowHost: allowHosts } = input
  const recorder = Recorder.layer({
    target,
    out,
    keepIdentifiers,
    host,
    port,
    allowHosts,
    key: Option.getOrUndefined(key),
  })
  const announced = Layer.effectDiscard(
    Effect.gen(function* () {
      const { url } = yield* Recorder
      yield* Console.log(
        input.json ? JSON.stringify({ event: "listening", url }) : `Listening on ${url}. Recording to ${out}.`,
      )
    }),
  )
  const failed = Layer.effectDiscard(Effect.flatMap(Recorder, ({ failure }) => failure))
  return yield* Layer.launch(Layer.provide(Layer.provideMerge(failed, announced), recorder))
})
