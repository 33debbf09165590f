/**
 * The function's settings; README.md lists the variables. They are read through Effect's `ConfigProvider` and not its
 * `Config`, which stops at the first fault and loads Schema: 40 % of an empty handler's start.
 */
import * as Dialect from "@transferkit/domain/Dialect"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AwsAccess } from "./aws/AwsRequest.ts"

/** Where a secret is. */
export type SecretSource =
  | { readonly _tag: "Value"; readonly value: Redacted.Redacted }
  | { readonly _tag: "SecretsManager"; readonly secretId: string; readonly access: AwsAccess }
  | { readonly _tag: "ParameterStore"; readonly name: string; readonly access: AwsAccess }

/** What to do when the capabilities have expired and the service fails. */
export type CapabilitiesPolicy =
  /** No verdict without fresh capabilities. */
  | { readonly _tag: "fail-closed" }
  /** Verdicts by the expired ones until they are `maxAge` old. The service is asked again after `retryAfter`. */
  | { readonly _tag: "stale-if-error"; readonly maxAge: Duration.Duration; readonly retryAfter: Duration.Duration }

/** How to look up external_ids. */
export interface DuplicateCheckSettings {
  /** With `required` there is no verdict unless every external_id was looked up. */
  readonly mode: "off" | "best-effort" | "required"
  /** For all look-ups of a request together. */
  readonly timeout: Duration.Duration
}

/** A queue, a topic or an event bus that receives the results of messages and audits. */
export type Destination =
  | { readonly _tag: "Queue"; readonly path: string; readonly access: AwsAccess }
  | { readonly _tag: "Topic"; readonly arn: string; readonly access: AwsAccess }
  | { readonly _tag: "EventBus"; readonly arn: string; readonly access: AwsAccess }

/** An S3 bucket that keeps capabilities by their hash. */
export interface Bucket {
  readonly name: string
  readonly access: AwsAccess
}

/** Settings that are missing or wrong, all of them. Values are not quoted: one may be a secret in the wrong place. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return `The function cannot start with these settings: ${this.problems.join("; ")}.`
  }
}

export class Settings extends Context.Service<
  Settings,
  {
    readonly baseUrl: string
    readonly partnerId: string
    /** The partner's secret key. */
    readonly key: SecretSource
    readonly destination: Destination | undefined
    readonly capabilitiesTimeToLive: Duration.Duration
    readonly capabilitiesPolicy: CapabilitiesPolicy
    readonly capabilitiesBucket: Bucket | undefined
    /** For the files of events, if there are credentials: Lambda gives them to each function. */
    readonly objects: AwsAccess | undefined
    readonly duplicateCheck: DuplicateCheckSettings
    /** Whether a queue message with a violation is done with, or goes back to the queue and in time to its dead letters. */
    readonly invalidMessages: "accept" | "reject"
    /** The length of the window that a scheduled audit covers. */
    readonly auditWindow: Duration.Duration
    /** The address of the mirror that audits read, which may hold a password. Without one they read the service. */
    readonly auditMirror: SecretSource | undefined
    /** What the statuses of the deployment mean, for audits: the contract names none. */
    readonly settlement: Dialect.Settlement
    /** The CloudWatch namespace of the metrics, which are logged only if there is one. */
    readonly metricsNamespace: string | undefined
    /** Where X-Ray's daemon takes segments, which Lambda sets if the function is traced. */
    readonly tracingDaemon: { readonly host: string; readonly port: number } | undefined
    /** The share of invocations that log at level DEBUG. */
    readonly debugSample: number
  }
>()("@transferkit/validation-lambda/Settings") {
  /** The settings of the environment. */
  static readonly layer: Layer.Layer<Settings, InvalidSettings> = Layer.effect(
    Settings,
    Effect.suspend(() => read),
  )
}

const keyNames = ["TRANSFERS_SECRET_ID", "TRANSFERS_SECRET_PARAMETER", "TRANSFERS_SECRET_KEY"] as const

const mirrorNames = [
  "TRANSFERS_AUDIT_MIRROR_SECRET_ID",
  "TRANSFERS_AUDIT_MIRROR_PARAMETER",
  "TRANSFERS_AUDIT_MIRROR",
] as const

const credentialNames = ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const

const names = [
  ...credentialNames,
  ...keyNames,
  ...mirrorNames,
  "TRANSFERS_BASE_URL",
  "TRANSFERS_PARTNER_ID",
  "TRANSFERS_CAPABILITIES_TTL",
  "TRANSFERS_CAPABILITIES_POLICY",
  "TRANSFERS_CAPABILITIES_MAX_AGE",
  "TRANSFERS_CAPABILITIES_RETRY_AFTER",
  "TRANSFERS_CAPABILITIES_BUCKET",
  "TRANSFERS_DUPLICATE_CHECK",
  "TRANSFERS_DUPLICATE_CHECK_TIMEOUT",
  "TRANSFERS_INVALID_MESSAGES",
  "TRANSFERS_AUDIT_WINDOW",
  "TRANSFERS_SETTLED",
  "TRANSFERS_FAILED",
  "TRANSFERS_METRICS_NAMESPACE",
  "TRANSFERS_LOG_DEBUG_SAMPLE",
  "TRANSFERS_DESTINATION_ARN",
  "AWS_SESSION_TOKEN",
  "AWS_XRAY_DAEMON_ADDRESS",
  "AWS_ENDPOINT_URL",
  "AWS_ENDPOINT_URL_EVENTBRIDGE",
  "AWS_ENDPOINT_URL_S3",
  "AWS_ENDPOINT_URL_SECRETS_MANAGER",
  "AWS_ENDPOINT_URL_SNS",
  "AWS_ENDPOINT_URL_SQS",
  "AWS_ENDPOINT_URL_SSM",
] as const

type Name = (typeof names)[number]

const read = Effect.gen(function* () {
  const provider = yield* ConfigProvider.ConfigProvider
  const texts = yield* Effect.forEach(names, (name) =>
    Effect.map(Effect.orDie(provider.load([name])), (node) => [name, node?.value?.trim() || undefined] as const),
  )
  const { problems, settings } = parse(new Map(texts))
  return problems.length === 0 ? settings : yield* new InvalidSettings({ problems })
})

const parse = (texts: ReadonlyMap<Name, string | undefined>) => {
  const problems: Array<string> = []
  const reject = <A>(problem: string, fallback: A): A => {
    problems.push(problem)
    return fallback
  }
  const required = (name: Name): string => texts.get(name) ?? reject(`${name} is not set`, "")
  const duration = (name: Name, fallback: Duration.Duration): Duration.Duration => {
    const text = texts.get(name)
    if (text === undefined) return fallback
    const amount = isDuration(text) ? Duration.fromInput(text) : Option.none()
    return Option.isSome(amount)
      ? amount.value
      : reject(`${name} is not a duration such as "5 minutes" or "1 hour"`, fallback)
  }
  const choice = <const C extends string>(name: Name, choices: readonly [C, ...ReadonlyArray<C>]): C => {
    const text = texts.get(name)
    if (text === undefined) return choices[0]
    return choices.find((one) => one === text) ?? reject(`${name} is not one of ${choices.join(", ")}`, choices[0])
  }
  const awsAccess = (endpoint: Name, region = required("AWS_REGION")): AwsAccess => {
    const sessionToken = texts.get("AWS_SESSION_TOKEN")
    return {
      region,
      accessKeyId: required("AWS_ACCESS_KEY_ID"),
      secretAccessKey: Redacted.make(required("AWS_SECRET_ACCESS_KEY")),
      sessionToken: sessionToken === undefined ? undefined : Redacted.make(sessionToken),
      endpoint: texts.get(endpoint) ?? texts.get("AWS_ENDPOINT_URL"),
    }
  }
  const secret = (from: typeof keyNames | typeof mirrorNames): SecretSource | undefined => {
    const [secretId, parameter, value] = from.map((name) => texts.get(name))
    if (secretId !== undefined) {
      return { _tag: "SecretsManager", secretId, access: awsAccess("AWS_ENDPOINT_URL_SECRETS_MANAGER") }
    }
    if (parameter !== undefined) {
      return { _tag: "ParameterStore", name: parameter, access: awsAccess("AWS_ENDPOINT_URL_SSM") }
    }
    return value === undefined ? undefined : { _tag: "Value", value: Redacted.make(value) }
  }
  const given = (from: ReadonlyArray<Name>): number => from.filter((name) => texts.get(name) !== undefined).length
  const key = (): SecretSource => {
    const none: SecretSource = { _tag: "Value", value: Redacted.make("") }
    const source = given(keyNames) === 1 ? secret(keyNames) : undefined
    return source ?? reject(`set exactly one of ${keyNames.join(", ")}`, none)
  }
  const auditMirror = (): SecretSource | undefined => {
    if (given(mirrorNames) > 1) return reject(`set at most one of ${mirrorNames.join(", ")}`, undefined)
    const address = texts.get("TRANSFERS_AUDIT_MIRROR")
    return address === undefined || /^(sqlite:|postgres(ql)?:\/\/)./.test(address)
      ? secret(mirrorNames)
      : reject("TRANSFERS_AUDIT_MIRROR is neither sqlite:FILE nor postgres://USER@HOST/DATABASE", undefined)
  }
  const destination = (): Destination | undefined => {
    const arn = texts.get("TRANSFERS_DESTINATION_ARN")
    if (arn === undefined) return undefined
    const [, service, region, account, name] =
      /^arn:[a-z-]+:(sqs|sns|events):([a-z0-9-]+):(\d{12}):((?:event-bus\/)?[\w./-]+)$/.exec(arn) ?? []
    switch (service) {
      case "sqs":
        return { _tag: "Queue", path: `/${account}/${name}`, access: awsAccess("AWS_ENDPOINT_URL_SQS", region) }
      case "sns":
        return { _tag: "Topic", arn, access: awsAccess("AWS_ENDPOINT_URL_SNS", region) }
      case "events":
        return { _tag: "EventBus", arn, access: awsAccess("AWS_ENDPOINT_URL_EVENTBRIDGE", region) }
      default:
        return reject("TRANSFERS_DESTINATION_ARN is not the ARN of a queue, a topic or an event bus", undefined)
    }
  }
  const share = (name: Name): number => {
    const text = texts.get(name) ?? "0"
    return /^(0(\.\d+)?|1)$/.test(text) ? Number(text) : reject(`${name} is not a number from 0 to 1`, 0)
  }
  const settlement = (): Dialect.Settlement => {
    const { settledStatuses, failedStatuses } = Dialect.standard
    const given = {
      settledStatuses: listOf(texts.get("TRANSFERS_SETTLED")) ?? settledStatuses,
      failedStatuses: listOf(texts.get("TRANSFERS_FAILED")) ?? failedStatuses,
    }
    return Result.isSuccess(Dialect.make(given))
      ? given
      : reject("TRANSFERS_SETTLED and TRANSFERS_FAILED have a status in common", given)
  }
  const bucket = texts.get("TRANSFERS_CAPABILITIES_BUCKET")
  // Of another form it is not for us.
  const daemon = /^([\d.]+):(\d+)$/.exec(texts.get("AWS_XRAY_DAEMON_ADDRESS") ?? "")
  const settings = Settings.of({
    baseUrl: required("TRANSFERS_BASE_URL"),
    partnerId: required("TRANSFERS_PARTNER_ID"),
    key: key(),
    destination: destination(),
    capabilitiesTimeToLive: duration("TRANSFERS_CAPABILITIES_TTL", Duration.minutes(5)),
    capabilitiesPolicy:
      choice("TRANSFERS_CAPABILITIES_POLICY", ["fail-closed", "stale-if-error"]) === "fail-closed"
        ? { _tag: "fail-closed" }
        : {
            _tag: "stale-if-error",
            maxAge: duration("TRANSFERS_CAPABILITIES_MAX_AGE", Duration.hours(24)),
            retryAfter: duration("TRANSFERS_CAPABILITIES_RETRY_AFTER", Duration.seconds(30)),
          },
    objects: given(credentialNames) < credentialNames.length ? undefined : awsAccess("AWS_ENDPOINT_URL_S3"),
    capabilitiesBucket: bucket === undefined ? undefined : { name: bucket, access: awsAccess("AWS_ENDPOINT_URL_S3") },
    duplicateCheck: {
      mode: choice("TRANSFERS_DUPLICATE_CHECK", ["off", "best-effort", "required"]),
      timeout: duration("TRANSFERS_DUPLICATE_CHECK_TIMEOUT", Duration.seconds(2)),
    },
    invalidMessages: choice("TRANSFERS_INVALID_MESSAGES", ["accept", "reject"]),
    auditWindow: duration("TRANSFERS_AUDIT_WINDOW", Duration.hours(1)),
    auditMirror: auditMirror(),
    settlement: settlement(),
    metricsNamespace: texts.get("TRANSFERS_METRICS_NAMESPACE"),
    tracingDaemon: daemon === null ? undefined : { host: daemon[1] ?? "", port: Number(daemon[2]) },
    debugSample: share("TRANSFERS_LOG_DEBUG_SAMPLE"),
  })
  return { problems, settings }
}

/** The values between commas. */
const listOf = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text?.split(",").map((value) => value.trim())

const isDuration = (text: string): text is `${number} seconds` =>
  /^\d+(\.\d+)? (milli|second|minute|hour|day)s?$/.test(text)
