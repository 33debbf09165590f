/** What the function is told by its environment. README.md lists the variables. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AwsAccess } from "./service/AwsRequest.ts"
import type { Policy } from "./service/CapabilitiesCache.ts"
import type { KeySource } from "./service/PartnerKey.ts"
import type { DuplicateCheck } from "./verdict/DuplicateCheck.ts"

/** Everything that can be set. */
export interface Settings {
  readonly baseUrl: string
  readonly partnerId: string
  readonly key: KeySource
  readonly capabilitiesTimeToLive: Duration.Duration
  readonly capabilitiesPolicy: Policy
  readonly duplicateCheck: DuplicateCheck
  /** Whether a queue message with a violation is done with, or goes back to the queue and so to its dead letters. */
  readonly invalidMessages: "accept" | "reject"
  /** What a scheduled audit looks back on. */
  readonly auditWindow: Duration.Duration
}

/** The environment, as Node has it. */
export type Environment = { readonly [name: string]: string | undefined }

/** Settings that are missing or wrong, all of them. Values are not quoted, because one may be in the wrong place. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return `The function cannot start with these settings: ${this.problems.join("; ")}.`
  }
}

/** Reads the settings. */
export const parse = (environment: Environment): Result.Result<Settings, InvalidSettings> => {
  const problems: Array<string> = []
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined
  const required = (name: string): string => read(name) ?? refuse(`${name} is not set`, "")
  const refuse = <A>(problem: string, instead: A): A => {
    problems.push(problem)
    return instead
  }
  const duration = (name: string, fallback: Duration.Duration): Duration.Duration => {
    const text = read(name)
    if (text === undefined) return fallback
    const amount = isDuration(text) ? Duration.fromInput(text) : Option.none()
    return Option.isSome(amount)
      ? amount.value
      : refuse(`${name} is not a duration such as "5 minutes" or "1 hour"`, fallback)
  }
  const choice = <const C extends string>(name: string, choices: readonly [C, ...ReadonlyArray<C>]): C => {
    const text = read(name)
    if (text === undefined) return choices[0]
    return choices.find((one) => one === text) ?? refuse(`${name} is not one of ${choices.join(", ")}`, choices[0])
  }
  const settings: Settings = {
    baseUrl: required("TRANSFERS_BASE_URL"),
    partnerId: required("TRANSFERS_PARTNER_ID"),
    key: keyOf(read, required) ?? refuse(`set exactly one of ${keyNames.join(", ")}`, noKey),
    capabilitiesTimeToLive: duration("TRANSFERS_CAPABILITIES_TTL", Duration.minutes(5)),
    capabilitiesPolicy:
      choice("TRANSFERS_CAPABILITIES_POLICY", ["fail-closed", "stale-if-error"]) === "fail-closed"
        ? { _tag: "fail-closed" }
        : {
            _tag: "stale-if-error",
            maxAge: duration("TRANSFERS_CAPABILITIES_MAX_AGE", Duration.hours(24)),
            retryAfter: duration("TRANSFERS_CAPABILITIES_RETRY_AFTER", Duration.seconds(30)),
          },
    duplicateCheck: {
      mode: choice("TRANSFERS_DUPLICATE_CHECK", ["off", "best-effort", "required"]),
      timeout: duration("TRANSFERS_DUPLICATE_CHECK_TIMEOUT", Duration.seconds(2)),
    },
    invalidMessages: choice("TRANSFERS_INVALID_MESSAGES", ["accept", "reject"]),
    auditWindow: duration("TRANSFERS_AUDIT_WINDOW", Duration.hours(1)),
  }
  return problems.length === 0 ? Result.succeed(settings) : Result.fail(new InvalidSettings({ problems }))
}

const keyNames = ["TRANSFERS_SECRET_ID", "TRANSFERS_SECRET_PARAMETER", "TRANSFERS_SECRET_KEY"] as const

const noKey: KeySource = { _tag: "Value", secretKey: Redacted.make("") }

type Read<A> = (name: string) => A

const keyOf = (read: Read<string | undefined>, required: Read<string>): KeySource | undefined => {
  const [secretId, parameter, key] = keyNames.map(read)
  if ([secretId, parameter, key].filter((given) => given !== undefined).length !== 1) return undefined
  if (key !== undefined) return { _tag: "Value", secretKey: Redacted.make(key) }
  const access = (endpoint: string): AwsAccess => {
    const sessionToken = read("AWS_SESSION_TOKEN")
    return {
      region: required("AWS_REGION"),
      accessKeyId: required("AWS_ACCESS_KEY_ID"),
      secretAccessKey: Redacted.make(required("AWS_SECRET_ACCESS_KEY")),
      sessionToken: sessionToken === undefined ? undefined : Redacted.make(sessionToken),
      endpoint: read(endpoint) ?? read("AWS_ENDPOINT_URL"),
    }
  }
  return parameter === undefined
    ? { _tag: "SecretsManager", secretId: secretId ?? "", access: access("AWS_ENDPOINT_URL_SECRETS_MANAGER") }
    : { _tag: "ParameterStore", name: parameter, access: access("AWS_ENDPOINT_URL_SSM") }
}

const isDuration = (text: string): text is `${number} seconds` =>
  /^\d+(\.\d+)? (milli|second|minute|hour|day)s?$/.test(text)
