/** The settings that the variables of the environment give. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import { InvalidSettings, Settings } from "../src/Settings.ts"

const least = {
  TRANSFERS_BASE_URL: "https://example.com",
  TRANSFERS_PARTNER_ID: "partner",
  TRANSFERS_SECRET_KEY: "key",
}

const aws = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "access" }

const settingsOf = (variables: Readonly<Record<string, string>>) =>
  Settings.pipe(
    Effect.provide(Settings.layer),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...least, ...variables }))),
    Effect.runSync,
  )

const problemsOf = (variables: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  try {
    settingsOf(variables)
    return []
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems
    throw error
  }
}

test("have the defaults that README.md lists", () => {
  const { key, ...settings } = settingsOf({})
  expect(key._tag === "Value" && Redacted.value(key.value)).toBe("key")
  expect(settings).toEqual({
    baseUrl: "https://example.com",
    partnerId: "partner",
    destination: undefined,
    capabilitiesTimeToLive: Duration.minutes(5),
    capabilitiesPolicy: { _tag: "fail-closed" },
    capabilitiesBucket: undefined,
    duplicateCheck: { mode: "off", timeout: Duration.seconds(2) },
    invalidMessages: "accept",
    auditWindow: Duration.hours(1),
    auditMirror: undefined,
    settlement: { settledStatuses: ["complete"], failedStatuses: ["declined"] },
    metricsNamespace: undefined,
    debugSample: 0,
  })
})

test("names every problem at once, and quotes no value", () => {
  const problems = problemsOf({
    TRANSFERS_BASE_URL: " ",
    TRANSFERS_SECRET_ID: "s3cr3t",
    TRANSFERS_CAPABILITIES_TTL: "s3cr3t",
    TRANSFERS_DUPLICATE_CHECK: "s3cr3t",
    TRANSFERS_AUDIT_MIRROR: "s3cr3t",
    TRANSFERS_LOG_DEBUG_SAMPLE: "s3cr3t",
  })
  expect(problems).toEqual([
    "TRANSFERS_BASE_URL is not set",
    "set exactly one of TRANSFERS_SECRET_ID, TRANSFERS_SECRET_PARAMETER, TRANSFERS_SECRET_KEY",
    'TRANSFERS_CAPABILITIES_TTL is not a duration such as "5 minutes" or "1 hour"',
    "TRANSFERS_DUPLICATE_CHECK is not one of off, best-effort, required",
    "TRANSFERS_AUDIT_MIRROR is neither sqlite:FILE nor postgres://USER@HOST/DATABASE",
    "TRANSFERS_LOG_DEBUG_SAMPLE is not a number from 0 to 1",
  ])
})

describe("a duration", () => {
  test.each([
    ["0 seconds", 0],
    ["250 millis", 250],
    ["1 minute", 60_000],
    ["1.5 hours", 5_400_000],
    ["2 days", 172_800_000],
  ])("is read from %j", (text, millis) => {
    expect(Duration.toMillis(settingsOf({ TRANSFERS_CAPABILITIES_TTL: text }).capabilitiesTimeToLive)).toBe(millis)
  })

  test.each(["5", "5 weeks", "five minutes", "5 minutes ago", "x5 minutes", "-5 minutes", "1. hours", "Infinity"])(
    "is rejected in the form %j",
    (text) => {
      expect(problemsOf({ TRANSFERS_AUDIT_WINDOW: text })).toHaveLength(1)
    },
  )
})

describe("the share of invocations that log at level DEBUG", () => {
  test.each([
    ["0", 0],
    ["0.25", 0.25],
    ["1", 1],
  ])("is read from %j", (text, share) => {
    expect(settingsOf({ TRANSFERS_LOG_DEBUG_SAMPLE: text }).debugSample).toBe(share)
  })

  test.each(["1.0", "10", "01", "0.", ".5", "x0", "0x"])("is rejected in the form %j", (text) => {
    expect(problemsOf({ TRANSFERS_LOG_DEBUG_SAMPLE: text })).toHaveLength(1)
  })
})

describe("the destination", () => {
  const access = { region: "eu-central-1", accessKeyId: "id", sessionToken: undefined, endpoint: undefined }
  test.each([
    ["sqs", "verdicts.fifo", { _tag: "Queue", path: "/123456789012/verdicts.fifo" }],
    ["sns", "verdicts", { _tag: "Topic", arn: "arn:aws:sns:eu-central-1:123456789012:verdicts" }],
    [
      "events",
      "event-bus/transfers",
      { _tag: "EventBus", arn: "arn:aws:events:eu-central-1:123456789012:event-bus/transfers" },
    ],
  ])("is in the region of its ARN: %s %s", (service, name, expected) => {
    const arn = `arn:aws:${service}:eu-central-1:123456789012:${name}`
    expect(settingsOf({ ...aws, TRANSFERS_DESTINATION_ARN: arn }).destination).toMatchObject({ ...expected, access })
  })

  test.each([
    "arn:aws:s3:eu-west-1:123456789012:bucket",
    "arn:aws:sqs:eu-west-1:12345678901:verdicts",
    "arn:aws:sqs:eu-west-1:1234567890123:verdicts",
    "arn:aws:sqs:eu-west-1:123456789012:",
    "arn:aws:sqs:eu-west-1:123456789012:a b",
    "an arn:aws:sqs:eu-west-1:123456789012:verdicts",
    "arn:aws:sqs:eu-west-1:123456789012:verdicts and more",
    "arn::sqs:eu-west-1:123456789012:verdicts",
  ])("is rejected if it is %s", (arn) => {
    expect(problemsOf({ ...aws, TRANSFERS_DESTINATION_ARN: arn })).toEqual([
      "TRANSFERS_DESTINATION_ARN is not the ARN of a queue, a topic or an event bus",
    ])
  })
})

describe("access to AWS", () => {
  const accessOf = (variables: Readonly<Record<string, string>>) => {
    const { capabilitiesBucket } = settingsOf({ ...aws, TRANSFERS_CAPABILITIES_BUCKET: "bucket", ...variables })
    return capabilitiesBucket?.access ?? expect.fail("no bucket")
  }

  test("has no session token for keys that have none", () => {
    expect(accessOf({}).sessionToken).toBeUndefined()
    const { sessionToken } = accessOf({ AWS_SESSION_TOKEN: "token" })
    expect(sessionToken && Redacted.value(sessionToken)).toBe("token")
  })

  test("prefers the endpoint of the service to that of all services", () => {
    expect(accessOf({}).endpoint).toBeUndefined()
    expect(accessOf({ AWS_ENDPOINT_URL: "http://all" }).endpoint).toBe("http://all")
    expect(accessOf({ AWS_ENDPOINT_URL: "http://all", AWS_ENDPOINT_URL_S3: "http://s3" }).endpoint).toBe("http://s3")
  })

  test("is asked for by name if something needs it", () => {
    expect(problemsOf({ TRANSFERS_CAPABILITIES_BUCKET: "bucket" })).toEqual([
      "AWS_REGION is not set",
      "AWS_ACCESS_KEY_ID is not set",
      "AWS_SECRET_ACCESS_KEY is not set",
    ])
  })
})

test("the statuses of a deployment are lists, which have none in common", () => {
  const { settlement } = settingsOf({ TRANSFERS_SETTLED: "paid, complete", TRANSFERS_FAILED: "expired" })
  expect(settlement).toEqual({ settledStatuses: ["paid", "complete"], failedStatuses: ["expired"] })
  expect(problemsOf({ TRANSFERS_SETTLED: "paid,declined" })).toEqual([
    "TRANSFERS_SETTLED and TRANSFERS_FAILED have a status in common",
  ])
})

describe("the mirror of audits", () => {
  test.each(["sqlite:mirror.db", "postgres://user@host/db", "postgresql://user@host/db"])("is at %s", (address) => {
    const { auditMirror } = settingsOf({ TRANSFERS_AUDIT_MIRROR: address })
    expect(auditMirror?._tag === "Value" && Redacted.value(auditMirror.value)).toBe(address)
  })

  test.each(["sqlite:", "postgres:user@host", "mysql://user@host/db", "a sqlite:mirror.db"])(
    "is rejected at %s",
    (address) => {
      expect(problemsOf({ TRANSFERS_AUDIT_MIRROR: address })).toHaveLength(1)
    },
  )

  test("may have its address in a secret or a parameter, not in both", () => {
    const [secret, parameter] = [
      { TRANSFERS_AUDIT_MIRROR_SECRET_ID: "mirror" },
      { TRANSFERS_AUDIT_MIRROR_PARAMETER: "/mirror" },
    ]
    expect(settingsOf({ ...aws, ...secret }).auditMirror).toMatchObject({ _tag: "SecretsManager", secretId: "mirror" })
    expect(settingsOf({ ...aws, ...parameter }).auditMirror).toMatchObject({ _tag: "ParameterStore", name: "/mirror" })
    expect(problemsOf({ ...aws, ...secret, ...parameter })).toEqual([
      "set at most one of TRANSFERS_AUDIT_MIRROR_SECRET_ID, TRANSFERS_AUDIT_MIRROR_PARAMETER, TRANSFERS_AUDIT_MIRROR",
    ])
  })
})
