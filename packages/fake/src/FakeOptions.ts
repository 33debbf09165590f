/** The options of a fake, and their checks when it starts. */
import { inspect } from "node:util"
import type * as Capabilities from "@transferkit/domain/Capabilities"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import { maxLimit } from "@transferkit/domain/SearchRequest"
import * as HostName from "@transferkit/http-api/HostName"
import { Schema as Behaviour, type ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import { type SortOrder, sortOrders } from "@transferkit/in-memory/TransferStore"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import type { Rule } from "./FaultRule.ts"
import type { Entry } from "./Journal.ts"
import { isPossible, type Latency } from "./Latency.ts"
import type { RateLimit } from "./RateLimit.ts"

/**
 * The content of a fake, its behaviour, and its address.
 *
 * @example
 * const options = { partners: ["acme:secret"], transfers: 100, seed: 7, rateLimit: { requests: 50, perMs: 1000 } }
 * await using fake = await startFakeServer(options)
 * (await fetch(`${fake.url}/v1/capabilities`, { headers })).status // => 401
 */
export interface FakeOptions {
  /** Partners as `<id>:<secret>`. @default ["demo:demo-secret"] */
  readonly partners?: ReadonlyArray<string> | undefined
  /** How many transfers to generate for each partner. @default 0 */
  readonly transfers?: number | undefined
  /** Another seed generates other transfers and draws other probabilities. @default 1 */
  readonly seed?: number | undefined
  /** The fees of generated transfers, where one row fits. @default none, they are random */
  readonly fees?: FeeSchedule.FeeSchedule | undefined
  /** When generated transfers end and the clock starts: an RFC 3339 timestamp, or a day in UTC. @default "2025-01-01" */
  readonly now?: string | undefined
  /** Transfers that arrive by themselves, for each partner; the clock runs with them. @default none, it stands still */
  readonly arrivals?: RateLimit | undefined
  /** Wire objects of the first partner's transfers. */
  readonly data?: ReadonlyArray<unknown> | undefined
  /** A file with the first partner's transfers: a JSON array, or one JSON object a line. */
  readonly dataFile?: string | undefined
  /** A recording: its transfers, capabilities and odd responses. */
  readonly replayFile?: string | undefined
  /** @default "newest-first" */
  readonly order?: SortOrder | undefined
  /** How many of each partner's transfers, drawn by the seed, are listed after all others. @default 0 */
  readonly displaced?: number | undefined
  /** The operator "less than or equal" of `created_at`; `undefined` for none. @default "lte" */
  readonly lteToken?: string | undefined
  /** The limit of a request without one. @default 20 */
  readonly defaultLimit?: number | undefined
  /** A deployment to imitate, as `transfers certify` found it; other options win. @default none */
  readonly like?: ServiceBehaviour | undefined
  /** @default SampleCapabilities.sample */
  readonly capabilities?: Capabilities.Capabilities | undefined
  /** Ignore unknown parameters. @default false */
  readonly lenient?: boolean | undefined
  /** The latency of each response. @default none */
  readonly latency?: Latency | undefined
  /** The rate limit of each partner. @default none */
  readonly rateLimit?: RateLimit | undefined
  /** Fault rules to start with. */
  readonly faults?: ReadonlyArray<Rule> | undefined
  /** A JSON file with further fault rules to start with. */
  readonly faultsFile?: string | undefined
  /** Read the files again when they change. @default false */
  readonly reload?: boolean | undefined
  /** How many requests the journal keeps. @default 1000 */
  readonly journalSize?: number | undefined
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined
  /** @default "127.0.0.1" */
  readonly host?: string | undefined
  /** Names in a Host header to accept: on a loopback address, beside this machine's; on another, beside IP addresses and names without a dot. @default none */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /** Serve HTTPS, with a certificate made at the start. @default false */
  readonly tls?: boolean | undefined
  /** Origins whose pages may read the service; `*` for any. The operations under `/_fake` stay closed to them. @default none */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Requests under `/_fake` must send it in the header `x-fake-token`. @default none, all requests are accepted */
  readonly adminToken?: string | undefined
  /** Loads the console page, served at `/`. @default none */
  readonly consoleFiles?: (() => Promise<ConsoleFiles>) | undefined
  /** Called with every request that the journal records. @default none */
  readonly onRequest?: ((entry: Entry) => void) | undefined
  /** Closing fails with `UnhandledRequests` if any request got 404 or 405. @default false */
  readonly failOnUnhandled?: boolean | undefined
  /** The time limit for the head of a request. @default 10 seconds */
  readonly headTimeLimit?: Duration.Duration | undefined
  /** The time limit for a whole request. @default 30 seconds */
  readonly requestTimeLimit?: Duration.Duration | undefined
}

/**
 * The files of the console page, by name.
 *
 * @example
 * const [page, empty] = [new TextEncoder().encode("<title>Fake</title>"), new Uint8Array()]
 * const files = { "console.html": page, "console.css": empty, "console.js": empty, "favicon.svg": empty }
 * await using fake = await startFakeServer({ consoleFiles: async () => files })
 * await (await fetch(fake.url)).text() // => "<title>Fake</title>"
 */
export type ConsoleFiles = Readonly<Record<"console.html" | "console.css" | "console.js" | "favicon.svg", Uint8Array>>

/**
 * An option that the fake cannot start with. The message says what is accepted.
 *
 * @example
 * const error = await startFakeServer({ port: 70_000 }).catch((error) => error)
 * error.reason // => "port must be a whole number from 0 to 65535, not 70000."
 */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{ readonly reason: string }> {
  override get message(): string {
    return `The fake cannot start: ${this.reason}`
  }
}

/**
 * The fake cannot listen, such as on a port that another program has.
 *
 * @example
 * await using other = await startFakeServer()
 * const port = Number(new URL(other.url).port)
 * (await startFakeServer({ port }).catch((error) => error))._tag // => "CannotListen"
 */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly host: string
  readonly port: number
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot listen on ${this.host}, port ${this.port}: ${this.reason}. Choose another with --host and --port; port 0 takes any free one.`
  }
}

/**
 * Whether only this machine can reach a host.
 *
 * @example
 * FakeOptions.isLoopback("localhost") // => true
 * FakeOptions.isLoopback("0.0.0.0") // => false
 */
export const isLoopback = (host: string): boolean => HostName.isLoopback(host) || /^(?:[\w-]+\.)+localhost$/i.test(host)

interface Check {
  readonly accepts: (value: unknown) => boolean
  readonly expected: string
}

const check = (schema: S.Schema<unknown>, expected: string): Check => ({ accepts: S.is(schema), expected })

const whole = (minimum: number, maximum: number, maximumText = String(maximum)): Check =>
  check(S.Int.check(S.isBetween({ minimum, maximum })), `a whole number from ${minimum} to ${maximumText}`)

const list = (item: S.Schema<unknown>): Check => check(S.Array(item), "a list")

const text = check(S.NonEmptyString, "a non-empty text")
const flag = check(S.Boolean, "true or false")

/** Timers cannot wait longer. */
const longestTimer = 2 ** 31 - 1

const timeLimit = check(
  S.Duration.check(S.makeFilter((limit) => Duration.toMillis(limit) > 0 && Duration.toMillis(limit) <= longestTimer)),
  "a positive duration of at most 24 days",
)

const latency = S.Union([
  S.Struct({ from: S.Duration, to: S.Duration }),
  S.Struct({ median: S.Duration, sigma: S.Finite }),
]).check(S.makeFilter(isPossible))

const lteToken = S.String.check(
  S.isPattern(/^[A-Za-z_-]{1,32}$/),
  S.makeFilter((token) => !["gt", "gte", "lt"].includes(token)),
)

const Rate = S.Struct({
  requests: S.Int.check(S.isBetween({ minimum: 1, maximum: 1e9 })),
  perMs: S.Finite.check(S.isGreaterThan(0)),
})

const checks: { readonly [Name in keyof FakeOptions]-?: Check } = {
  partners: list(S.String),
  transfers: whole(0, 2 ** 32, "2^32"),
  seed: check(S.Int, "a whole number"),
  fees: check(
    FeeSchedule.FeeSchedule.check(S.makeFilter((fees) => FeeSchedule.faultOf(fees) ?? true)),
    "a fee schedule, as FeeSchedule.parse reads it",
  ),
  now: check(
    S.String.check(S.makeFilter((now) => TransferGenerator.instantOf(now) !== undefined)),
    "an RFC 3339 timestamp or a day of the years 1972 to 2199, such as 2025-01-01",
  ),
  arrivals: check(
    Rate.check(S.makeFilter(({ requests, perMs }) => requests <= perMs)),
    "{ requests, perMs }: at most 1000 transfers a second",
  ),
  data: list(S.Unknown),
  dataFile: text,
  order: check(S.Literals(sortOrders), `one of ${sortOrders.join(", ")}`),
  displaced: whole(0, 1_000_000),
  lteToken: check(lteToken, "a word other than gt, gte and lt"),
  defaultLimit: whole(1, maxLimit),
  like: check(Behaviour, "the behaviour of a certificate"),
  capabilities: check(S.Unknown, "capabilities"),
  lenient: flag,
  latency: check(
    latency,
    "a range { from, to } of durations, from the shorter to the longer, or { median, sigma } with a sigma up to 3",
  ),
  rateLimit: check(Rate, "{ requests, perMs }: at least one request per a positive duration"),
  faults: list(S.Unknown),
  faultsFile: text,
  replayFile: text,
  reload: flag,
  journalSize: whole(0, 1_000_000),
  port: whole(0, 65_535),
  host: text,
  allowHosts: list(S.NonEmptyString),
  tls: flag,
  corsOrigins: check(
    S.Array(S.String.check(S.isPattern(/^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^/?#]+)$/i))),
    "a list of origins, such as http://localhost:5173",
  ),
  adminToken: text,
  consoleFiles: { accepts: (value) => typeof value === "function", expected: "a function" },
  onRequest: { accepts: (value) => typeof value === "function", expected: "a function" },
  failOnUnhandled: flag,
  headTimeLimit: timeLimit,
  requestTimeLimit: timeLimit,
}

/** These may hold a secret, so errors do not show them. */
const secret = new Set(["partners", "adminToken"])

/**
 * Rejects unknown options and impossible values.
 *
 * @example
 * Result.isSuccess(FakeOptions.validate({ transfers: 100, now: "2025-01-01" })) // => true
 * Result.merge(FakeOptions.validate({ defaultLimit: 0 })).reason // => "default limit must be a whole number from 1 to 20, not 0."
 */
export const validate = (options: FakeOptions): Result.Result<void, InvalidOption> => {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.entries(checks).find(([each]) => each === name)?.[1]
    if (known === undefined)
      return fail(`there is no option ${name}; the options are ${Object.keys(checks).join(", ")}.`)
    if (value === undefined || known.accepts(value)) continue
    const given = secret.has(name) ? "" : `, not ${inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 64)}`
    return fail(`${words(name)} must be ${known.expected}${given}.`)
  }
  const { headTimeLimit, requestTimeLimit } = { ...defaultLimits, ...options }
  if (
    headTimeLimit !== undefined &&
    requestTimeLimit !== undefined &&
    Duration.isGreaterThan(headTimeLimit, requestTimeLimit)
  ) {
    return fail("head time limit must not be longer than request time limit.")
  }
  return Result.succeed(undefined)
}

/**
 * The time limits unless others are given.
 *
 * @example
 * Duration.toSeconds(FakeOptions.defaultLimits.requestTimeLimit) // => 30
 */
export const defaultLimits = { headTimeLimit: Duration.seconds(10), requestTimeLimit: Duration.seconds(30) }

const fail = (reason: string): Result.Result<never, InvalidOption> => Result.fail(new InvalidOption({ reason }))

/** `adminToken` as "admin token". */
const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
