/**
 * Lambda's execution environment on this machine: a Runtime API endpoint, and a process that runs a function against
 * it. As on AWS the process is frozen between invocations and killed when an invocation overruns its time.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { RuntimeClient } from "./RuntimeClient.ts"

/** The function, and how to run it. */
export interface SandboxOptions {
  /** The folder with the unpacked zip. */
  readonly taskRoot: string
  /** Such as `lambda.handler`. */
  readonly handler: string
  readonly client: RuntimeClient
  /** The function's environment. Only the variables that Lambda sets are added. */
  readonly environment: Readonly<Record<string, string>>
  /** The function's timeout. */
  readonly timeoutMillis: number
  /** Receives what the function writes. */
  readonly onOutput?: (text: string) => void
}

/** The end of an invocation. */
export interface InvocationResult {
  /** The function's result, or the error that it or the sandbox reports, as JSON. */
  readonly payload: unknown
  readonly isError: boolean
  /** From the event to the result. */
  readonly durationMillis: number
  /** From the process's start until it takes its first event. Present if this invocation started the process. */
  readonly initMillis?: number
}

/** A function that can be invoked, one event at a time. */
export interface Sandbox {
  readonly invoke: (event: unknown) => Promise<InvocationResult>
  /** The process, if it runs: frozen unless an invocation is under way. */
  readonly pid: () => number | undefined
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** A process of the function, from its start to its end. */
interface Environment {
  readonly process: ChildProcess
  readonly startedAt: number
  readonly exited: Promise<void>
  initMillis?: number
  /** The request for the next event, once it waits for one. */
  idle: PromiseWithResolvers<ServerResponse>
  pending?: Pending
}

/** An invocation under way. */
interface Pending {
  readonly requestId: string
  readonly done: PromiseWithResolvers<Ending>
}

type Ending = Pick<InvocationResult, "payload" | "isError">

/** Opens a sandbox. No process starts before the first invocation. */
export const openSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  let environment: Environment | undefined
  const server = createServer((request, response) => {
    if (environment !== undefined) void respondToRuntime(environment, request, response)
  })
  server.keepAliveTimeout = 0
  server.listen(0, "127.0.0.1")
  await once(server, "listening")

  const start = (): Environment => {
    const child = spawn(process.execPath, options.client.arguments, {
      env: { ...options.environment, ...lambdaEnvironment(options, portOf(server)) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => options.onOutput?.(text))
    }
    const exited = new Promise<void>((resolve) => {
      child.once("exit", (code, signal) => {
        if (environment === started) environment = undefined
        const how = signal === null ? `exit status ${code}` : `signal ${signal}`
        started.pending?.done.resolve(failure("Runtime.ExitError", `The function's process ended with ${how}.`))
        resolve()
      })
    })
    const started: Environment = {
      process: child,
      startedAt: performance.now(),
      idle: Promise.withResolvers(),
      exited,
    }
    return started
  }

  const invoke = async (event: unknown): Promise<InvocationResult> => {
    const isCold = environment === undefined
    const current = (environment ??= start())
    current.process.kill("SIGCONT")
    const pending: Pending = { requestId: randomUUID(), done: Promise.withResolvers() }
    current.pending = pending
    const ready = await Promise.race([current.idle.promise, pending.done.promise.then(() => undefined)])
    const sentAt = performance.now()
    const overrun = setTimeout(() => {
      const seconds = (options.timeoutMillis / 1000).toFixed(2)
      pending.done.resolve(failure("Sandbox.Timedout", `${pending.requestId} Task timed out after ${seconds} seconds`))
      current.process.kill("SIGKILL")
    }, options.timeoutMillis)
    if (ready !== undefined) {
      current.idle = Promise.withResolvers()
      const deadline = Date.now() + options.timeoutMillis
      sendEvent(ready, { event, requestId: pending.requestId, deadline })
    }
    const ending = await pending.done.promise
    const durationMillis = performance.now() - sentAt
    clearTimeout(overrun)
    delete current.pending
    const isIdle = await Promise.race([current.idle.promise.then(() => true), current.exited.then(() => false)])
    if (isIdle) current.process.kill("SIGSTOP")
    const initMillis = isCold ? current.initMillis : undefined
    return { ...ending, durationMillis, ...(initMillis === undefined ? {} : { initMillis }) }
  }

  let queue: Promise<unknown> = Promise.resolve()
  return {
    invoke: (event) => {
      const result = queue.then(() => invoke(event))
      queue = result.catch(() => undefined)
      return result
    },
    pid: () => environment?.process.pid,
    [Symbol.asyncDispose]: async () => {
      const running = environment
      running?.process.kill("SIGKILL")
      await running?.exited
      server.closeAllConnections()
      server.close()
    },
  }
}

// ----------------------------------------------------------------------------------------------- Runtime API

const prefix = "/2018-06-01/runtime/"

const respondToRuntime = async (
  environment: Environment,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const path = request.url ?? ""
  if (path === `${prefix}invocation/next`) {
    environment.initMillis ??= performance.now() - environment.startedAt
    environment.idle.resolve(response)
    return
  }
  const payload: unknown = JSON.parse((await textOf(request)) || "null")
  const { pending } = environment
  const isInit = path === `${prefix}init/error`
  const isOurs = pending !== undefined && path.startsWith(`${prefix}invocation/${pending.requestId}/`)
  response.writeHead(isInit || isOurs ? 202 : 403, { "content-type": "application/json" }).end('{"status":"OK"}')
  if (isInit || isOurs) pending?.done.resolve({ payload, isError: isInit || path.endsWith("/error") })
}

const failure = (errorType: string, errorMessage: string): Ending => ({
  payload: { errorType, errorMessage },
  isError: true,
})

interface Delivery {
  readonly event: unknown
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly deadline: number
}

const sendEvent = (response: ServerResponse, { event, requestId, deadline }: Delivery): void => {
  response.writeHead(200, {
    "content-type": "application/json",
    "lambda-runtime-aws-request-id": requestId,
    "lambda-runtime-deadline-ms": String(deadline),
    "lambda-runtime-invoked-function-arn": "arn:aws:lambda:us-east-1:000000000000:function:local",
    "lambda-runtime-trace-id": "Root=1-00000000-000000000000000000000000",
  })
  response.end(JSON.stringify(event))
}

const lambdaEnvironment = ({ handler, taskRoot }: SandboxOptions, port: number) => ({
  AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
  AWS_LAMBDA_FUNCTION_NAME: "local",
  AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
  AWS_LAMBDA_LOG_FORMAT: "JSON",
  AWS_LAMBDA_LOG_GROUP_NAME: "local",
  AWS_LAMBDA_LOG_STREAM_NAME: "local",
  LAMBDA_TASK_ROOT: taskRoot,
  _HANDLER: handler,
})

const portOf = (server: Server): number => {
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the Runtime API endpoint listens on no port")
  return address.port
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  return text
}
