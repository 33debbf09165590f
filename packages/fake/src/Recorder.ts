/** A proxy that records what a service responds: to be replayed by a fake, without any credentials. */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import type * as http from "node:http"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { InvalidOption, isLoopback } from "./FakeOptions.ts"
import * as CallerCheck from "./internal/http/CallerCheck.ts"
import * as Connections from "./internal/http/Connections.ts"
import { methodNotAllowed, type Response, rejection, split } from "./internal/http/Exchange.ts"
import * as Listener from "./internal/http/Listener.ts"
import { send } from "./internal/http/Send.ts"
import * as Serve from "./internal/http/Serve.ts"
import * as Pseudonyms from "./internal/recording/Pseudonyms.ts"
import type { Take } from "./internal/recording/Take.ts"

/** What to record, and where. */
export interface RecorderOptions {
  /** The base URL of the service: `https:`, or `http:` on this machine. */
  readonly target: string
  /** The file to write, which must not be there yet. Only its owner can read it. */
  readonly out: string
  /** Keep identifiers, wallet addresses, references and cursors as they are. @default false, they get pseudonyms */
  readonly keepIdentifiers?: boolean | undefined
  /** Recordings with the same key have the same pseudonyms. @default a random key, which is not kept */
  readonly key?: string | undefined
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined
  /** @default "127.0.0.1" */
  readonly host?: string | undefined
  /** Names in a Host header to accept: on a loopback address, beside this machine's; on another, beside IP addresses and names without a dot. @default none */
  readonly allowHosts?: ReadonlyArray<string> | undefined
}

/** The recording cannot be written. */
export class UnwritableRecording extends Data.TaggedError("UnwritableRecording")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot record to ${this.path}: ${this.reason}.`
  }
}

/** A running recorder. */
export class Recorder extends Context.Service<Recorder, { readonly url: string }>()("@transferkit/fake/Recorder") {
  /** Passes requests on, and records them, while the layer's scope is open. */
  static readonly layer = (options: RecorderOptions) => Layer.effect(Recorder, start(options))
}

const start = Effect.fn("Recorder.start")(function* (options: RecorderOptions) {
  const { host = "127.0.0.1", port = 0 } = options
  const target = yield* Effect.fromResult(targetOf(options.target))
  const file = yield* Effect.acquireRelease(open(options.out), (file) => Effect.sync(() => fs.closeSync(file)))
  const pseudonym =
    options.keepIdentifiers === true ? undefined : Pseudonyms.make(options.key ?? crypto.randomBytes(32))
  // At once, so that nothing is lost if the process ends.
  const record = (line: object): void => void fs.writeSync(file, `${JSON.stringify(line)}\n`)
  record({ recording: 1 })
  const callers = CallerCheck.make(host, options.allowHosts ?? [])
  const listener: Listener.Listener = {
    onRequest: (incoming, outgoing) => {
      const respond = (response: Response): void => send(outgoing, response, incoming.headers, () => outgoing.destroy())
      const rejected = rejectionOf(incoming, callers)
      incoming.resume()
      if (rejected !== undefined) return respond(rejected)
      const exchange = async (): Promise<void> => {
        const passed = await pass(target, incoming)
        record(takeOf(incoming.url ?? "", passed, pseudonym))
        if (passed.response === undefined) Connections.reset(outgoing.socket)
        else respond(passed.response)
      }
      exchange().catch((error: unknown) => {
        process.stderr.write(`transfers-fake: ${error instanceof Error ? error.message : String(error)}\n`)
        outgoing.destroy()
      })
    },
    onExpectation: (incoming, outgoing) =>
      send(outgoing, Listener.expectationFailed, incoming.headers, () => outgoing.destroy()),
    ...Listener.outsideOfRequests((response) => response),
    stop: () => {},
  }
  const url = yield* Serve.serve(listener, { host, port, certificate: undefined, ...Serve.limitsOf({}) })
  return Recorder.of({ url })
})

/** The base URL of the service, without a trailing slash. */
const targetOf = (text: string): Result.Result<string, InvalidOption> => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  return url === null || !isSafe || url.username !== "" || url.search !== ""
    ? Result.fail(
        new InvalidOption({
          reason:
            "the target of a recording must be an https: URL without credentials, or an http: one of this machine.",
        }),
      )
    : Result.succeed(url.origin + url.pathname.replace(/\/$/, ""))
}

const open = (path: string) =>
  Effect.try({
    try: () => fs.openSync(path, "wx", 0o600),
    catch: (error) => {
      const isThere = error instanceof Error && "code" in error && error.code === "EEXIST"
      const reason = error instanceof Error ? error.message : String(error)
      return new UnwritableRecording({ path, reason: isThere ? "there is such a file already; name another" : reason })
    },
  })

/** A recorder passes on what only reads, and not for web pages. */
const rejectionOf = (
  { method = "", url = "", headers }: http.IncomingMessage,
  callers: CallerCheck.CallerCheck,
): Response | undefined => {
  if (!url.startsWith("/")) return rejection(400, [{ code: "bad_request", message: "The target must be a path." }])
  if (method !== "GET") return methodNotAllowed(method, "GET")
  return CallerCheck.rejectHost(callers, headers.host) ?? CallerCheck.rejectOrigin(headers)
}

/** A response, or why there was none. */
interface Passed {
  readonly response?: Response
  readonly failure?: string
  readonly ms: number
}

/** Headers that concern one connection only, or that the request to the service has of its own. */
const ownHeaders = new Set(
  "accept-encoding connection content-length expect host keep-alive proxy-authorization te trailer transfer-encoding upgrade".split(
    " ",
  ),
)

/** Headers of the response that are not those of the body that is passed on, which is not compressed. */
const lostHeaders = new Set(["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"])

const timeLimitMs = 120_000

/** No body is larger, in bytes. */
const maxBody = 64 * 1024 * 1024

const pass = async (target: string, { url = "", headers }: http.IncomingMessage): Promise<Passed> => {
  const started = performance.now()
  const since = (): number => Math.round(performance.now() - started)
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name))
  try {
    const reply = await fetch(target + url, {
      headers: sent.map(([name, value]) => [name, String(value)]),
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimitMs),
    })
    const body = await bodyOf(reply)
    const kept = [...reply.headers].filter(([name]) => !lostHeaders.has(name))
    return { response: { status: reply.status, headers: Object.fromEntries(kept), body: [body] }, ms: since() }
  } catch (error) {
    return { failure: reasonOf(error), ms: since() }
  }
}

const bodyOf = async (reply: globalThis.Response): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength
    if (size > maxBody) throw new Error(`the body is larger than ${maxBody} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The code of a network error is in its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : error.message
}

/** Headers that tell something about a response; none of them holds credentials. */
const recordedHeaders = ["content-type", "retry-after", "x-request-id", "www-authenticate", "location", "date"]

/** What is recorded of a request and its response. */
const takeOf = (url: string, { response, failure, ms }: Passed, pseudonym: Pseudonyms.Pseudonym | undefined): Take => {
  const { path, query } = split(url)
  const hidden = (text: string): string => (pseudonym === undefined ? text : Pseudonyms.inText(text, query, pseudonym))
  const common = { path, query: pseudonym === undefined ? query : Pseudonyms.inQuery(query, pseudonym), ms }
  if (response === undefined) return { ...common, failure: failure ?? "" }
  const { status, headers } = response
  const bytes = Buffer.concat(response.body)
  const text = bytes.toString("utf8")
  const isText = Buffer.from(text, "utf8").equals(bytes)
  const kept = recordedHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, hidden(value)]]
  })
  return {
    ...common,
    status,
    headers: Object.fromEntries(kept),
    ...(isText
      ? { body: hidden(text) }
      : { body_base64: Buffer.from(hidden(bytes.toString("latin1")), "latin1").toString("base64") }),
  }
}
