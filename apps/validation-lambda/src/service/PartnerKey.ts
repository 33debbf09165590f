/** The partner's secret key: read once, and read again when the service no longer takes it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import * as AwsRequest from "./AwsRequest.ts"

/** Where the key is. */
export type KeySource =
  | { readonly _tag: "Value"; readonly secretKey: Redacted.Redacted }
  | { readonly _tag: "SecretsManager"; readonly secretId: string; readonly access: AwsRequest.AwsAccess }
  | { readonly _tag: "ParameterStore"; readonly name: string; readonly access: AwsRequest.AwsAccess }

/** The key cannot be read. */
export class KeyUnavailable extends Data.TaggedError("KeyUnavailable")<{ readonly reason: string }> {
  override get message(): string {
    return `The partner's secret key cannot be read: ${this.reason}. Check the secret's name, its content and the function's role.`
  }
}

export class PartnerKey extends Context.Service<
  PartnerKey,
  {
    /** The key, read when it is first asked for. */
    readonly current: Effect.Effect<Redacted.Redacted, KeyUnavailable>
    /** The key that has replaced a refused one; fails with `undefined` where none has. */
    readonly after: (refused: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, KeyUnavailable | undefined>
  }
>()("@transferkit/validation-lambda/PartnerKey") {}

/** Between two looks for a new key, in milliseconds: a wrong one must not become a call of AWS for each invocation. */
const pause = 10_000

/** A key from its source. */
export const make = Effect.fnUntraced(function* (source: KeySource) {
  const single = yield* Semaphore.make(1)
  let known: Redacted.Redacted | undefined
  let readAt = -Infinity

  const fetch = Effect.gen(function* () {
    readAt = yield* Clock.currentTimeMillis
    known = yield* read(source)
    return known
  })

  return PartnerKey.of({
    current: Effect.suspend(() =>
      known === undefined
        ? single.withPermit(Effect.suspend(() => (known === undefined ? fetch : Effect.succeed(known))))
        : Effect.succeed(known),
    ),
    after: (refused) =>
      single.withPermit(
        Effect.gen(function* () {
          const isOld = (key: Redacted.Redacted) => Redacted.value(key) === Redacted.value(refused)
          if (known !== undefined && !isOld(known)) return known
          if ((yield* Clock.currentTimeMillis) - readAt < pause) return yield* Effect.fail(undefined)
          const key = yield* fetch
          return isOld(key) ? yield* Effect.fail(undefined) : key
        }),
      ),
  })
})

const read = (source: KeySource): Effect.Effect<Redacted.Redacted, KeyUnavailable> => {
  switch (source._tag) {
    case "Value":
      return Effect.succeed(source.secretKey)
    case "SecretsManager":
      return fromAws(source.access, {
        service: "secretsmanager",
        target: "secretsmanager.GetSecretValue",
        input: { SecretId: source.secretId },
      })
    case "ParameterStore":
      return fromAws(source.access, {
        service: "ssm",
        target: "AmazonSSM.GetParameter",
        input: { Name: source.name, WithDecryption: true },
      })
  }
}

const fromAws = (access: AwsRequest.AwsAccess, operation: AwsRequest.AwsOperation) =>
  Effect.flatMap(
    Effect.mapError(AwsRequest.call(operation, access), ({ reason }) => new KeyUnavailable({ reason })),
    (answer) => {
      const key = keyIn(textIn(answer))
      return key === undefined
        ? Effect.fail(new KeyUnavailable({ reason: 'it holds neither a text nor {"secret_key":"…"}' }))
        : Effect.succeed(Redacted.make(key))
    },
  )

const textIn = (answer: unknown): unknown => field(answer, "SecretString") ?? field(field(answer, "Parameter"), "Value")

/** The text itself, or the `secret_key` of an object. */
const keyIn = (text: unknown): string | undefined => {
  if (typeof text !== "string" || text.trim() === "") return undefined
  if (!text.trimStart().startsWith("{")) return text.trim()
  try {
    const key = field(JSON.parse(text), "secret_key")
    return typeof key === "string" && key !== "" ? key : undefined
  } catch {
    return text.trim()
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
