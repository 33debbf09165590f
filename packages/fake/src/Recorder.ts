/** A proxy that records what a service responds: to be replayed by a fake, without any credentials. */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as http from "node:http"
import * as https from "node:https"
import { pipeline } from "node:stream"
import * as zlib from "node:zlib"
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as JsonText from "@transferkit/domain/JsonText"
import * as HostName from "@transferkit/http-api/HostName"
import * as ProxyTunnel from "@transferkit/http-api/ProxyTunnel"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { InvalidOption, isLoopback } from "./FakeOptions.ts"
import { methodNotAllowed, type Response, rejection, split } from "./internal/Exchange.ts"
import * as CallerCheck from "./internal/http/CallerCheck.ts"
import * as Connections from "./internal/http/Connections.ts"
import * as Listener from "./internal/http/Listener.ts"
import { send } from "./internal/http/Send.ts"
import * as Serve from "./internal/http/Serve.ts"
import * as Draft from "./internal/recording/Draft.ts"
import * as Pseudonyms from "./internal/recording/Pseudonyms.ts"
import * as Secrets from "./internal/recording/Secrets.ts"
import * as Take from "./internal/recording/Take.ts"
import { say } from "./internal/Say.ts"

/**
 * What to record, and where.
 *
 * @example
 * const options = { target: "https://transfers.example", out: `${folder}/kept.jsonl`, keepIdentifiers: true }
 * await Effect.runPromise(Effect.scoped(Layer.build(Recorder.layer(options))))
 * fs.readFileSync(options.out, "utf8") // => '{"recording":1}\n'
 */
export interface RecorderOptions {
  /** The base URL of the service: `https:`, or `http:` on this machine. */
  readonly target: string
  /**
   * The file to write, which must not be there yet. Only its owner can read it. Until the layer's scope closes, `.recording`
   * follows its name: then the recording is searched for every secret that was sent, and one that holds none gets its name.
   */
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

/**
 * The recording cannot be written, such as where another file is.
 *
 * @example
 * const live = Recorder.layer({ target: "https://transfers.example", out: folder })
 * (await Effect.runPromise(Effect.flip(Effect.provide(Effect.void, live)))).path === folder // => true
 */
export class UnwritableRecording extends Data.TaggedError("UnwritableRecording")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot record to ${this.path}: ${this.reason}.`
  }
}

/**
 * The recording held a secret, and was removed.
 *
 * @example
 * new SecretRecorded({ path: "take.jsonl" }).message.startsWith("The recording take.jsonl held a key") // => true
 */
export class SecretRecorded extends Data.TaggedError("SecretRecorded")<{
  readonly path: string
  /** A response holds it where it cannot be left out, such as compressed within the body. */
  readonly isHidden?: boolean
  /** A response that was JSON is none without it. */
  readonly isBroken?: boolean
  /** There were more keys, cookies and other secrets than a recording is searched for. */
  readonly isMany?: boolean
}> {
  override get message(): string {
    if (this.isMany === true) {
      return `The recording ${this.path} was removed: more than 10,000 keys and cookies were sent, or more than 4 MiB of them, and it cannot be searched for all. Record fewer requests at a time.`
    }
    if (this.isHidden === true) {
      return `The recording ${this.path} was removed: a response has a key in its compressed data, or data that is too large to be searched for one. Record without the request that this response is for.`
    }
    if (this.isBroken === true) {
      return `The recording ${this.path} was removed: a response that is JSON is none without a key or a cookie, which is more than a text in it. Record without that cookie, or without the request that this response is for.`
    }
    return `The recording ${this.path} held a key that was sent later, so it was removed. Record again with that key from the start.`
  }
}

/**
 * A running recorder. `failure` waits, and fails once it cannot go on. What is found at the end is a defect of the scope.
 *
 * @example
 * await using fake = await startFakeServer()
 * const live = Recorder.layer({ target: fake.url, out: `${folder}/take.jsonl` })
 * const program = Recorder.use(({ url }) => Effect.promise(() => fetch(`${url}/v1/capabilities`, { headers })))
 * (await Effect.runPromise(Effect.provide(program, live))).status // => 200
 */
export class Recorder extends Context.Service<
  Recorder,
  { readonly url: string; readonly failure: Effect.Effect<never, SecretRecorded> }
>()("@transferkit/fake/Recorder") {
  /** Passes requests on, and records them, while the layer's scope is open. */
  static readonly layer = (options: RecorderOptions) => Layer.effect(Recorder, start(options))
}

const start = Effect.fn("Recorder.start")(function* (options: RecorderOptions) {
  const { host = "127.0.0.1", port = 0 } = options
  const target = yield* Effect.fromResult(targetOf(options.target))
  const pseudonym =
    options.keepIdentifiers === true ? undefined : Pseudonyms.make(options.key ?? crypto.randomBytes(32))
  const failed = yield* Deferred.make<never, SecretRecorded>()
  const draft = yield* Effect.acquireRelease(open(options.out), (draft) =>
    Effect.ensuring(
      Effect.flatMap(Deferred.isDone(failed), (isRemoved) => (isRemoved ? Effect.void : finish(draft, options.out))),
      Effect.sync(draft.close),
    ),
  )
  const keep = (search: Draft.Search): void => removeUnless(search, draft, options.out)
  /** What was recorded before a secret was known may hold it: a file without it is the only one that stays. */
  const learn = async ({ url = "", headers }: http.IncomingMessage): Promise<void> =>
    keep(await draft.learn(Secrets.ofRequest(split(url).query, textsOf(headers))))
  const fail = (error: unknown): void => {
    if (error instanceof SecretRecorded) Deferred.doneUnsafe(failed, Effect.fail(error))
    else say(error instanceof Error ? error.message : String(error))
  }
  const callers = CallerCheck.make(host, options.allowHosts ?? [])
  const outside = Listener.outsideOfRequests((response) => response)
  const listener: Listener.Listener = {
    onRequest: (incoming, outgoing) => {
      const respond = (response: Response): void => send(outgoing, response, incoming.headers, () => outgoing.destroy())
      const rejected = rejectionOf(incoming, callers, target)
      incoming.resume()
      const exchange = async (): Promise<void> => {
        // Before the request is passed on: it may have no response by the time the recorder ends.
        await learn(incoming)
        if (rejected !== undefined) return respond(rejected)
        const { url = "" } = incoming
        const passed = await pass(new URL(target + url), incoming.headers)
        const response = Object.entries(passed.response?.headers ?? {})
        keep(await draft.learn(Secrets.ofCookies(passed.cookies)))
        const received = [...response.map(([, value]) => value), ...(passed.response?.body ?? [])]
        keep(received.some((part) => draft.isWithin(Buffer.from(part))) ? "hidden" : "none")
        const take = takeOf(url, passed, pseudonym, (text) => Secrets.hideWritten(draft.redact(text)))
        keep(isJson(Buffer.concat(passed.response?.body ?? [])) && !isJson(Take.bodyOf(take)) ? "broken" : "none")
        draft.record(take)
        if (passed.response === undefined) Connections.reset(outgoing.socket)
        else respond(passed.response)
      }
      exchange().catch((error: unknown) => {
        fail(error)
        outgoing.destroy()
      })
    },
    onExpectation: (incoming, outgoing) => {
      learn(incoming).catch(fail)
      send(outgoing, Listener.expectationFailed, incoming.headers, () => outgoing.destroy())
    },
    ...outside,
    onConnect: (incoming, socket) => {
      learn(incoming).catch(fail)
      outside.onConnect(incoming, socket)
    },
    stop: () => {},
  }
  const url = yield* Serve.serve(listener, { host, port, certificate: undefined, ...Serve.limitsOf({}) })
  return Recorder.of({ url, failure: Deferred.await(failed) })
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

const open = (path: string) => Effect.try({ try: () => begin(path), catch: (error) => unwritable(path, error) })

/** A file whose first line has no room is not left behind. */
const begin = (path: string): Draft.Draft => {
  const draft = Draft.open(path)
  try {
    draft.record({ recording: 1 })
    return draft
  } catch (error) {
    draft.remove()
    draft.close()
    throw error
  }
}

const unwritable = (path: string, error: unknown): UnwritableRecording => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const there = fs.existsSync(path) ? "there is such a file already" : `there is ${Draft.pathOf(path)} already`
  if (code === "EEXIST") return new UnwritableRecording({ path, reason: `${there}; name another` })
  if (code === "ENOSPC") return new UnwritableRecording({ path, reason: "the disk is full" })
  return new UnwritableRecording({ path, reason: error instanceof Error ? error.message : String(error) })
}

/** A scope has no errors when it ends, so what goes wrong is a defect. */
const finish = (draft: Draft.Draft, path: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    removeUnless(await draft.finish(), draft, path)
    try {
      draft.publish()
    } catch (error) {
      throw unwritable(path, error)
    }
  })

const removeUnless = (search: Draft.Search, draft: Draft.Draft, path: string): void => {
  if (search === "none") return
  draft.remove()
  throw new SecretRecorded({
    path,
    ...(search === "hidden" && { isHidden: true }),
    ...(search === "broken" && { isBroken: true }),
    ...(search === "many" && { isMany: true }),
  })
}

/** A recorder passes on what only reads, and not for web pages. */
const rejectionOf = (
  { method = "", url = "", headers }: http.IncomingMessage,
  callers: CallerCheck.CallerCheck,
  target: string,
): Response | undefined => {
  // `..` may leave the base path, also as %2e%2e.
  if (!url.startsWith("/") || !URL.parse(target + url)?.href.startsWith(`${target}/`)) {
    return rejection(400, [{ code: "bad_request", message: `The target must be a path below ${target}.` }])
  }
  if (method !== "GET") return methodNotAllowed(method, "GET")
  return CallerCheck.rejectHost(callers, headers.host) ?? CallerCheck.rejectOrigin(headers)
}

/** A response, or why there was none. */
interface Passed {
  readonly response?: Response
  readonly failure?: string
  readonly cookies: ReadonlyArray<string>
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

/** No body is larger, in bytes, as with the clients of this contract: all of it is searched at once. */
const maxBody = 16 * 1024 * 1024

/** Another machine may be reached through a proxy; what is sent to this one in the clear stays here. */
const direct = new http.Agent()

/** Node's types keep the options of an agent to themselves. */
const ofRuntime: https.Agent & { readonly options?: https.AgentOptions } = https.globalAgent

/** With the proxies of the environment, if Node is set to use them. */
const secure = ProxyTunnel.bounded(new https.Agent(ofRuntime.options))

const ask = (url: URL, headers: http.OutgoingHttpHeaders): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { headers, signal: AbortSignal.timeout(timeLimitMs) }
    const sent =
      url.protocol === "https:"
        ? https.get(url, { ...options, agent: secure }, resolve)
        : http.get(url, HostName.isLoopback(url.hostname) ? { ...options, agent: direct } : options, resolve)
    sent.on("error", reject)
  })

const pass = async (url: URL, headers: http.IncomingHttpHeaders): Promise<Passed> => {
  const started = performance.now()
  const since = (): number => Math.round(performance.now() - started)
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name))
  try {
    const reply = await ask(url, Object.fromEntries(sent))
    const { statusCode: status = 0 } = reply
    if (!Take.isStatus(status)) {
      reply.destroy()
      throw new Error(`its status is ${status}, and a recording has those from 200 to 599`)
    }
    const body = await bodyOf(reply)
    const kept = textsOf(reply.headers).filter(([name]) => !lostHeaders.has(name))
    const response = { status, headers: Object.fromEntries(kept), body: [body] }
    return { response, cookies: reply.headers["set-cookie"] ?? [], ms: since() }
  } catch (error) {
    return { failure: reasonOf(error), cookies: [], ms: since() }
  }
}

const textsOf = (headers: http.IncomingHttpHeaders): ReadonlyArray<readonly [string, string]> =>
  Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")])

const bodyOf = async (reply: http.IncomingMessage): Promise<Uint8Array> => {
  const parts = ByteParts.make(maxBody)
  const unpacked = decoderOf(reply)
  // Unlike `pipe`, it ends the decoder with the error of a body that breaks off.
  for await (const chunk of unpacked === undefined ? reply : pipeline(reply, unpacked, () => {})) {
    if (!parts.add(chunk)) throw new Error(`the body is larger than ${maxBody} bytes`)
  }
  const body = parts.whole()
  if (Pseudonyms.isExceeded(Buffer.from(body).toString("latin1"))) {
    throw new Error(`the body has more than ${Pseudonyms.most} identifiers`)
  }
  return body
}

/** The request accepts no encoding, but some services use one. */
const decoderOf = ({ headers }: http.IncomingMessage): zlib.Gunzip | zlib.BrotliDecompress | undefined => {
  switch (headers["content-encoding"]?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip()
    case "br":
      return zlib.createBrotliDecompress()
    case "deflate":
      return zlib.createInflate()
    default:
      return undefined
  }
}

/** The code of an error says more than its text, which may be empty. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return "code" in error ? String(error.code) : error.message
}

/** Whether clients read JSON in a body, which a replay must let them do as well. */
const isJson = (body: Buffer): boolean => Result.isSuccess(JsonText.parse(body.toString("utf8").replace(/^\ufeff/, "")))

/** What is recorded of a request and its response. */
const takeOf = (
  url: string,
  { response, failure, ms }: Passed,
  pseudonym: Pseudonyms.Pseudonym | undefined,
  withoutSecrets: (text: string) => string,
): Take.Take => {
  const { path, query } = split(url)
  const hidden = (text: string): string =>
    withoutSecrets(pseudonym === undefined ? text : Pseudonyms.inText(text, query, pseudonym))
  const asked = Secrets.hiddenQuery(pseudonym === undefined ? query : Pseudonyms.inQuery(query, pseudonym))
  const common = { path: withoutSecrets(path), query: withoutSecrets(asked), ms }
  if (response === undefined) return { ...common, failure: failure ?? "" }
  const { status, headers } = response
  const bytes = Buffer.concat(response.body)
  const text = bytes.toString("utf8")
  const isText = Buffer.from(text, "utf8").equals(bytes)
  const kept = Take.headerNames.flatMap((name) => {
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
