/** The Promise client: the Effect client and the pager, with options checked and errors translated at its border. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ofConnection, ofRuntime } from "#runtimeTransport"
import * as FetchTransport from "../../FetchTransport.ts"
import { HttpTransport } from "../../HttpTransport.ts"
import { invalid, whole } from "../call/CallOptions.ts"
import { CallSettings, type CallSummary } from "../call/CallSettings.ts"
import { makeClient } from "../call/Client.ts"
import * as Search from "../call/Search.ts"
import { iterate, run } from "./Abort.ts"
import { variable } from "./Environment.ts"
import { makeHooks, makeLogger } from "./Logging.ts"
import type { CallOptions, Logger, PageQuery, TransferClientConfig } from "./Options.ts"
import { publicError } from "./PublicError.ts"
import {
  known,
  listNames,
  type Names,
  readCall,
  readListOptions,
  readPageQuery,
  readParameters,
  readPath,
  readQuery,
  readScanOptions,
  readSignal,
  readValidateOptions,
  scanNames,
} from "./QueryReader.ts"
import type { TransferClient, TransferList, TransferScan } from "./TransferClient.ts"
import { TransferKitError } from "./TransferKitError.ts"
import type { Capabilities, Report, ResponseDetails, Transfer, TransferPage } from "./Values.ts"

export const createClient = (config: TransferClientConfig): TransferClient => {
  try {
    return make(config)
  } catch (error) {
    throw publicError(error)
  }
}

const make = (config: TransferClientConfig): TransferClient => {
  known("config", config, settingNames)
  const logger = makeLogger(config)
  const { api, get } = Effect.runSync(
    makeClient(readConfig(config, logger), Effect.succeed(Search)).pipe(
      Effect.provideService(HttpTransport, readTransport(config)),
    ),
  )
  const pager = Effect.runSync(Effect.provideService(TransferPager.make, TransferApi, api))

  const attemptsOf = new WeakMap<object, number>()
  const observe = ({ error, attempts }: CallSummary) => void (error === undefined || attemptsOf.set(error, attempts))
  const failed = (error: unknown): unknown => {
    const failure = publicError(error, typeof error === "object" && error !== null ? attemptsOf.get(error) : undefined)
    if (failure instanceof TransferKitError) logger.info(failure.message)
    return failure
  }

  /** Runs a call, and puts how it went on its result or its error. */
  const call = async <A extends object>(
    options: CallOptions | undefined,
    effect: () => Effect.Effect<A, unknown>,
  ): Promise<A & { readonly response: ResponseDetails }> => {
    let summary: CallSummary | undefined
    try {
      const settings: CallSettings = { ...readCall(options), onEnd: (end) => observe((summary = end)) }
      const result = await run(Effect.provideService(effect(), CallSettings, settings), readSignal(options))
      const { attempts = 0, status, requestId, raw = noResponse } = summary ?? {}
      const response: ResponseDetails = { attempts, status, requestId, ...raw }
      return Object.defineProperty(result, "response", { value: response }) as A & {
        readonly response: ResponseDetails
      }
    } catch (error) {
      throw failed(error)
    }
  }

  /** Runs a stream as a loop of its consumer. */
  async function* loop<A, E>(
    options: CallOptions | undefined,
    names: ReadonlyArray<string>,
    stream: () => Stream.Stream<A, E>,
  ): AsyncGenerator<A, void, void> {
    try {
      const settings: CallSettings = { ...readCall(options, names), onEnd: observe }
      yield* iterate(Stream.provideService(stream(), CallSettings, settings), readSignal(options))
    } catch (error) {
      throw failed(error)
    }
  }

  const capabilitiesOf = makeCapabilities((options) => call(options, () => api.capabilities))

  return {
    capabilities: async (options) => call(options, () => api.capabilities),
    search: async (query, options) => call(options, () => searchOnce(api, query)),
    list: (query, options) => {
      const report = Ref.makeUnsafe(TransferPager.emptyReport)
      const pages = () =>
        loop(options, listNames, () => pager.pages(readQuery(query), { ...readListOptions(options), report }))
      return makeList(pages, report)
    },
    scan: (query, options) => {
      const report = Ref.makeUnsafe(TransferPager.emptyReport)
      const batches = () =>
        loop(options, scanNames, () => pager.scan(readQuery(query), { ...readScanOptions(options), report }))
      return { [Symbol.asyncIterator]: batches, report: () => readReport(report) } satisfies TransferScan
    },
    validate: async (proposals, options) => {
      try {
        const { maxAge, ...callOptions } = readValidateOptions(options)
        // Most programs do not validate.
        const Verdicts = await import("./Verdicts.ts")
        const given = Verdicts.read(proposals)
        return Verdicts.on(given, await capabilitiesOf(maxAge, callOptions))
      } catch (error) {
        throw publicError(error)
      }
    },
    get: async (path, query, options) => {
      const { value } = await call(options, () =>
        Effect.map(get(readPath(path), readParameters(query)), (value) => ({ value })),
      )
      return value
    },
  }
}

// ---------------------------------------------------------------------------------------------------- settings

const settings: Names<TransferClientConfig> = {
  baseUrl: true,
  partnerId: true,
  secretKey: true,
  credentials: true,
  allowInsecure: true,
  attemptTimeout: true,
  deadline: true,
  retries: true,
  concurrency: true,
  maxBodyBytes: true,
  appInfo: true,
  fetch: true,
  ca: true,
  proxy: true,
  agent: true,
  logger: true,
  logLevel: true,
  onRequest: true,
  onResponse: true,
}
const settingNames = Object.keys(settings)

const readConfig = (config: TransferClientConfig, logger: Logger) => {
  const { retries, allowInsecure, attemptTimeout, deadline, concurrency, maxBodyBytes, appInfo, credentials } = config
  const options = { allowInsecure, attemptTimeout, deadline, concurrency, maxBodyBytes, appInfo }
  const service = {
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    baseUrl: setting(config, "baseUrl", "TRANSFERS_BASE_URL"),
    retry: retries === undefined ? {} : { retries },
    ...makeHooks(config, logger),
  }
  if (!["boolean", "undefined"].includes(typeof allowInsecure))
    throw invalid("allowInsecure", "a boolean", allowInsecure)
  if (credentials === undefined) {
    const partnerId = setting(config, "partnerId", "TRANSFERS_PARTNER_ID")
    return { ...service, partnerId, secretKey: Redacted.make(setting(config, "secretKey", "TRANSFERS_SECRET_KEY")) }
  }
  if (typeof credentials !== "function") throw invalid("credentials", "a function", typeof credentials)
  if ("partnerId" in config || "secretKey" in config) throw invalid("credentials", "given alone", "beside others")
  return {
    ...service,
    credentials: Effect.map(
      Effect.promise(async () => credentials()),
      ({ partnerId, secretKey }) => ({ partnerId, secretKey: Redacted.make(secretKey) }),
    ),
  }
}

/** A setting that is passed is not replaced, not even `undefined`: it may have been meant to be another variable. */
const setting = (
  config: TransferClientConfig,
  name: "baseUrl" | "partnerId" | "secretKey",
  variableName: string,
): string => {
  if (name in config) return config[name] as string
  const value = variable(variableName)
  if (value === undefined) throw invalid(name, `passed, or set as ${variableName}`, "missing")
  return value
}

const readTransport = ({ fetch, ca, proxy, agent }: TransferClientConfig): HttpTransport["Service"] => {
  const connection = { ...(ca && { ca }), ...(proxy && { proxy }), ...(agent && { agent }) }
  if (fetch !== undefined && typeof fetch !== "function") throw invalid("fetch", "a function", fetch)
  const [option] = Object.keys(connection)
  if (option === undefined) return fetch === undefined ? ofRuntime : FetchTransport.make(fetch)
  return Result.getOrThrow((fetch === undefined ? ofConnection : FetchTransport.ofConnection)(connection))
}

// ---------------------------------------------------------------------------------------------------- calls

const searchOnce = (
  api: TransferApi["Service"],
  query: PageQuery | undefined,
): Effect.Effect<Pick<TransferPage, "results" | "page_info">, TransferApiError> => {
  const [request, created_at] = readPageQuery(query)
  if (request === undefined) return Effect.succeed({ results: [], page_info: { has_next_page: false } })
  const { external_id } = request
  return Effect.map(api.search(request), (page) => ({
    ...page,
    // As the pager does: a service may match a part of an external_id.
    results: page.results.filter(
      (transfer) =>
        CreatedAt.matches(created_at, transfer.created_at) &&
        (external_id === undefined || transfer.external_id === external_id),
    ),
  }))
}

/** Of a query that asks for nothing. */
const noResponse = { headers: () => ({}), text: () => "" }

/** Reads capabilities again once they are older than a validation accepts. */
const makeCapabilities = (read: (options: CallOptions) => Promise<Capabilities>) => {
  let latest: Capabilities | undefined
  let readAt = 0
  return async (maxAge: number, options: CallOptions): Promise<Capabilities> => {
    const now = performance.now()
    if (latest !== undefined && now - readAt < maxAge) return latest
    latest = await read(options)
    readAt = now
    return latest
  }
}

const makeList = (
  pages: () => AsyncGenerator<ReadonlyArray<Transfer>, void, void>,
  report: Ref.Ref<TransferPager.Report>,
): TransferList => ({
  [Symbol.asyncIterator]: () => oneByOne(pages()),
  pages: () => ({ [Symbol.asyncIterator]: pages }),
  toArray: async (options) => {
    const checked = whole("limit", options?.limit, 1)
    if (Result.isFailure(checked)) throw publicError(checked.failure)
    const limit = checked.success
    const found: Array<Transfer> = []
    for await (const transfers of pages()) {
      found.push(...transfers.slice(0, limit - found.length))
      if (found.length === limit) break
    }
    return found
  },
  report: () => readReport(report),
})

async function* oneByOne(pages: AsyncIterable<ReadonlyArray<Transfer>>): AsyncGenerator<Transfer, void, void> {
  for await (const transfers of pages) yield* transfers
}

const readReport = (ref: Ref.Ref<TransferPager.Report>): Report => {
  const { tally, completeness } = Effect.runSync(Ref.get(ref))
  const cut = completeness._tag === "Cut" ? { cutBy: completeness.by } : {}
  return { isComplete: completeness._tag === "Complete", ...cut, ...tally }
}
