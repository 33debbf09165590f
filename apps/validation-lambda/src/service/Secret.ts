/** Reads a secret from where the settings say it is. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as AwsRequest from "../aws/AwsRequest.ts"
import type { SecretSource } from "../Settings.ts"

/** The secret cannot be read, or has not the expected content. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly reason: string }> {}

/** The secret: a text, or the field of this name of a JSON object. */
export const read = (source: SecretSource, name: string): Effect.Effect<Redacted.Redacted, SecretUnreadable> => {
  switch (source._tag) {
    case "Value":
      return Effect.succeed(source.value)
    case "SecretsManager":
      return fromAws(name, source.access, {
        service: "secretsmanager",
        target: "secretsmanager.GetSecretValue",
        input: { SecretId: source.secretId },
      })
    case "ParameterStore":
      return fromAws(name, source.access, {
        service: "ssm",
        target: "AmazonSSM.GetParameter",
        input: { Name: source.name, WithDecryption: true },
      })
  }
}

const fromAws = Effect.fnUntraced(function* (
  name: string,
  access: AwsRequest.AwsAccess,
  operation: AwsRequest.AwsOperation,
) {
  const { call } = yield* Effect.promise(() => import("../aws/AwsRequest.ts"))
  const output = yield* Effect.mapError(call(operation, access), ({ reason }) => new SecretUnreadable({ reason }))
  const secret = secretIn(textIn(output), name)
  return secret === undefined
    ? yield* new SecretUnreadable({ reason: `it contains neither a text nor {"${name}":"…"}` })
    : Redacted.make(secret)
})

const textIn = (output: unknown): unknown => field(output, "SecretString") ?? field(field(output, "Parameter"), "Value")

const secretIn = (text: unknown, name: string): string | undefined => {
  if (typeof text !== "string" || text.trim() === "") return undefined
  if (!text.trimStart().startsWith("{")) return text.trim()
  try {
    const secret = field(JSON.parse(text), name)
    return typeof secret === "string" && secret !== "" ? secret : undefined
  } catch {
    return text.trim()
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
