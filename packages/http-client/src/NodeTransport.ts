/** {@link HttpTransport} by `node:http` over kept-alive connections, at half the cost of `fetch`. */
import type * as Http from "node:http"
import type * as Https from "node:https"
import type { Socket } from "node:net"
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as ProxyTunnel from "@transferkit/http-api/ProxyTunnel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  BodyTooLarge,
  type HttpResponse,
  type HttpRequest,
  HttpTransport,
  type TransportError,
  TransportTimedOut,
} from "./HttpTransport.ts"
import type { ConnectionOptions } from "./internal/transport/ConnectionOptions.ts"
import { startTimer } from "./internal/transport/Timer.ts"
import { transportFailed } from "./internal/transport/TransportFailed.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** A transport with connections of its own, closed with the layer. */
export const layer: Layer.Layer<HttpTransport> = /* @__PURE__ */ Layer.suspend(() => layerAgents({}))

/** The same with certificates, a proxy or an agent of yours. */
export const layerConnection = (options: ConnectionOptions): Layer.Layer<HttpTransport, InvalidConfiguration> =>
  Layer.unwrap(Effect.map(Effect.fromResult(makeAgents(options)), (agents) => layerAgents(agents)))

const layerAgents = (agents: Agents): Layer.Layer<HttpTransport> =>
  Layer.effect(
    HttpTransport,
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          agents.http?.destroy()
          agents.https?.destroy()
        }),
      )
      return { get: (request: HttpRequest) => get(agents, request) }
    }),
  )

/** Over connections that the whole process shares, as `fetch` does: they are never closed, and idle ones keep no process alive. */
export const ofRuntime: HttpTransport["Service"] = {
  get: (request) => get(shared, request),
}

/** Over connections of its own, with the options of a client that is never closed. */
export const ofConnection = (
  options: ConnectionOptions,
): Result.Result<HttpTransport["Service"], InvalidConfiguration> =>
  Result.map(makeAgents(options), (agents) => ({ get: (request) => get(agents, request) }))

/** Made on first use. */
interface Agents {
  http?: Http.Agent
  https?: Http.Agent
}

const shared: Agents = {}

// Not an `import`: that reads every export, and one of node:http's loads fetch and WebSocket, 25 ms of a process's start.
const builtin = process.getBuiltinModule

/** The most recently used connection comes first, so that those of a burst can time out at the service. */
const agentOptions = (): Http.AgentOptions => {
  // Those of the environment, if Node is set to use them.
  const { proxyEnv } = ofGlobalAgent()
  return {
    keepAlive: true,
    scheduling: "lifo",
    ...(proxyEnv === undefined ? {} : { proxyEnv: exceptLoopback(proxyEnv) }),
  }
}

/** `http:` is accepted on this machine, because the key does not leave it. A proxy would. */
const exceptLoopback = (
  env: NonNullable<Http.AgentOptions["proxyEnv"]>,
): NonNullable<Http.AgentOptions["proxyEnv"]> => {
  const { no_proxy, NO_PROXY, ...proxies } = env
  return {
    ...proxies,
    no_proxy: [no_proxy ?? NO_PROXY ?? "", "localhost", "127.0.0.1-127.255.255.255", "::1", "[::1]"].join(","),
  }
}

/** Node's types keep the options of an agent to themselves. A Node without proxies has none of that name. */
const ofGlobalAgent = (): Http.AgentOptions => {
  const agent: Http.Agent & { readonly options?: Http.AgentOptions } = builtin("node:http").globalAgent
  return agent.options ?? {}
}

const makeAgents = ({ ca, proxy, agent }: ConnectionOptions): Result.Result<Agents, InvalidConfiguration> => {
  const invalid = (setting: string, reason: string) => Result.fail(new InvalidConfiguration({ setting, reason }))
  const { Agent } = builtin("node:http")
  if (agent !== undefined) {
    return agent instanceof Agent
      ? Result.succeed({ http: agent, https: agent })
      : invalid("agent", "it must be an http.Agent or an https.Agent")
  }
  if (ca !== undefined && ![ca].flat().every((text) => typeof text === "string" && text.includes("BEGIN CERT"))) {
    return invalid("ca", "it must be a certificate in PEM, or several")
  }
  if (proxy !== undefined && !/^https?:$/.test(URL.parse(proxy)?.protocol ?? "")) {
    return invalid("proxy", "it is not a URL. Write one such as http://proxy.example:3128")
  }
  if (proxy !== undefined && !("proxyEnv" in ofGlobalAgent())) {
    return invalid("proxy", `Node ${process.versions.node} has no proxies. Use Node 22.21, 24.5 or later`)
  }
  const options: Https.AgentOptions = {
    ...agentOptions(),
    ...(ca === undefined ? {} : { ca: [ca].flat() }),
  }
  const through = (proxyEnv: NonNullable<Http.AgentOptions["proxyEnv"]>): Https.AgentOptions =>
    proxy === undefined ? options : { ...options, proxyEnv }
  try {
    return Result.succeed({
      http: new Agent(through(exceptLoopback({ HTTP_PROXY: proxy }))),
      https: secure(through({ HTTPS_PROXY: proxy })),
    })
  } catch {
    // Its error repeats the password.
    return invalid("proxy", "it is not a URL, or what it escapes is no text. Write % as %25")
  }
}

const secure = (options: Https.AgentOptions): Https.Agent =>
  ProxyTunnel.bounded(new (builtin("node:https").Agent)(options))

const get = (agents: Agents, request: HttpRequest): Effect.Effect<HttpResponse, TransportError> =>
  Effect.callback((resume) => {
    let current: Http.ClientRequest | undefined
    let mayResend = true
    const settle = (outcome: Effect.Effect<HttpResponse, TransportError>) => {
      mayResend = false
      stopTimer()
      resume(outcome)
    }
    const fail = (error: TransportError) => settle(Effect.fail(error))
    const send = () => {
      let sent: Http.ClientRequest
      try {
        sent = open(agents, request)
      } catch {
        // Its error repeats the password.
        return fail(transportFailed(new Error("the proxy of the environment has an address that cannot be read")))
      }
      current = sent
      sent
        .on("response", (response) => {
          mayResend = false
          read(response, request.maxBodyBytes, fail, (response) => settle(Effect.succeed(response)))
        })
        .on("upgrade", ({ statusCode: status = 101 }, socket: Socket) => {
          // Without a listener, the connection ends, which would be worth another attempt.
          socket.destroy()
          const nothing = { header: () => undefined, headerNames: () => [], body: new Uint8Array() }
          settle(Effect.succeed({ status, ...nothing }))
        })
        .on("error", (error) => {
          // The service may close an idle connection just as we use it: that says nothing about this request.
          if (!mayResend || !sent.reusedSocket || !wasClosed(error)) return fail(transportFailed(error))
          mayResend = false
          send()
        })
        .end()
    }
    const stopTimer = startTimer(request.timeout, () => {
      fail(new TransportTimedOut({ timeout: request.timeout }))
      current?.destroy()
    })
    // What has arrived on an idle connection would pass for the response. Two turns of the loop read it, and Node then
    // drops the connection.
    if (hasIdleConnection(agents)) setImmediate(() => setImmediate(() => mayResend && send()))
    else send()
    return Effect.sync(() => {
      mayResend = false
      stopTimer()
      current?.destroy()
    })
  })

const hasIdleConnection = ({ http, https }: Agents): boolean =>
  [http, https].some((agent) => agent !== undefined && Object.keys(agent.freeSockets).length > 0)

const open = (agents: Agents, { url, headers }: HttpRequest): Http.ClientRequest => {
  const sent = { "accept-encoding": "gzip, br, deflate", ...headers }
  if (url.startsWith("https:")) {
    const { request } = builtin("node:https")
    return request(url, { agent: (agents.https ??= secure(agentOptions())), headers: sent })
  }
  const { Agent, request } = builtin("node:http")
  return request(url, { agent: (agents.http ??= new Agent(agentOptions())), headers: sent })
}

const wasClosed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE")

const read = (
  response: Http.IncomingMessage,
  maxBodyBytes: number,
  failed: (error: TransportError) => void,
  done: (response: HttpResponse) => void,
): void => {
  const reject = () => {
    failed(new BodyTooLarge({ maxBodyBytes }))
    response.destroy()
  }
  if (Number(response.headers["content-length"]) > maxBodyBytes) return reject()
  const parts = ByteParts.make(maxBodyBytes)
  const unpack = decoderOf(response)
  response
    .on("data", (part: Buffer) => parts.add(part) || reject())
    .on("error", (error) => failed(transportFailed(error)))
    .on("end", () => {
      let body = parts.whole()
      try {
        body = unpack?.(body, { maxOutputLength: maxBodyBytes }) ?? body
      } catch (error) {
        return isTooLarge(error) ? reject() : failed(transportFailed(error))
      }
      const whole: HttpResponse = {
        status: response.statusCode ?? 0,
        header: (name) => textOf(response.headers[name]),
        headerNames: () => Object.keys(response.headers),
        body,
      }
      // The agent takes the connection back in a tick of its own: an earlier request would open another.
      process.nextTick(done, whole)
    })
}

const textOf = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "object" ? header.join(", ") : header

/** In one step: a stream takes several times as long for a page, most of it to wake another thread and to wait for it. */
const decoderOf = (response: Http.IncomingMessage): Decoder | undefined => {
  switch (response.headers["content-encoding"]?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return builtin("node:zlib").gunzipSync
    case "br":
      return builtin("node:zlib").brotliDecompressSync
    case "deflate":
      return builtin("node:zlib").inflateSync
    default:
      return undefined
  }
}

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"
