/** What the function is told by its environment. README.md lists the variables. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Policy } from "./CapabilitiesCache.ts"

/** Where the partner's secret key is. */
export type SecretSource =
  | { readonly _tag: "Value"; readonly secretKey: Redacted.Redacted }
  | { readonly _tag: "SecretsManager"; readonly secretId: string }
  | { readonly _tag: "ParameterStore"; readonly name: string }

/** Whether proposals' external_ids are looked up among the partner's transfers. */
export type DuplicateCheck = "off" | "best-effort" | "required"

/** Everything that can be set. */
export interface Settings {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secret: SecretSource
  readonly capabilitiesTimeToLive: Duration.Duration
  readonly capabilitiesPolicy: Policy
  readonly duplicateCheck: DuplicateCheck
  readonly invalidMessages: "accept" | "reject"
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
    secret: secretOf(read) ?? refuse(`set exactly one of ${secretNames.join(", ")}`, noSecret),
    capabilitiesTimeToLive: duration("TRANSFERS_CAPABILITIES_TTL", Duration.minutes(5)),
    capabilitiesPolicy:
      choice("TRANSFERS_CAPABILITIES_POLICY", ["fail-closed", "stale-if-error"]) === "fail-closed"
        ? { _tag: "fail-closed" }
        : {
            _tag: "stale-if-error",
            maxAge: duration("TRANSFERS_CAPABILITIES_MAX_AGE", Duration.hours(24)),
            retryAfter: duration("TRANSFERS_CAPABILITIES_RETRY_AFTER", Duration.seconds(30)),
          },
    duplicateCheck: choice("TRANSFERS_DUPLICATE_CHECK", ["off", "best-effort", "required"]),
    invalidMessages: choice("TRANSFERS_INVALID_MESSAGES", ["accept", "reject"]),
    auditWindow: duration("TRANSFERS_AUDIT_WINDOW", Duration.hours(1)),
  }
  return problems.length === 0 ? Result.succeed(settings) : Result.fail(new InvalidSettings({ problems }))
}

const secretNames = ["TRANSFERS_SECRET_ID", "TRANSFERS_SECRET_PARAMETER", "TRANSFERS_SECRET_KEY"] as const

const noSecret: SecretSource = { _tag: "Value", secretKey: Redacted.make("") }

const secretOf = (read: (name: string) => string | undefined): SecretSource | undefined => {
  const [secretId, parameter, key] = secretNames.map(read)
  const given = [
    secretId === undefined ? [] : [{ _tag: "SecretsManager", secretId } as const],
    parameter === undefined ? [] : [{ _tag: "ParameterStore", name: parameter } as const],
    key === undefined ? [] : [{ _tag: "Value", secretKey: Redacted.make(key) } as const],
  ].flat()
  return given.length === 1 ? given[0] : undefined
}

const isDuration = (text: string): text is `${number} seconds` =>
  /^\d+(\.\d+)? (milli|second|minute|hour|day)s?$/.test(text)
