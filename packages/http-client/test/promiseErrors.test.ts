/** The errors of the Promise client, as those who catch and print them see them. */
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { publicError } from "../src/internal/promise/PublicError.ts"
import * as errors from "../src/internal/promise/TransferKitError.ts"
import { promiseModules } from "./PromiseModules.ts"
import * as Service from "./Service.ts"

describe.each(promiseModules)("from %s", (_, module) => {
  const clientOf = (baseUrl: string, options = {}) =>
    module.createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 0, ...options })

  const failureOf = async (call: Promise<unknown>): Promise<errors.TransferKitError> => {
    const error: unknown = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof module.TransferKitError)) throw new Error(`not an error of ours: ${inspect(error)}`)
    return error
  }

  test("an error is a TransferKitError with a code, a message and the numbers of its response", async () => {
    await using service = await Service.start(Service.respond(429, "", { "retry-after": "3" }))
    const error = await failureOf(clientOf(service.url).search())
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(module.RateLimited)
    expect(error).not.toBeInstanceOf(module.Unauthorized)
    expect({ ...error }).toEqual({
      code: "rate_limited",
      isRetryable: true,
      requestId: "req-1",
      attempts: 1,
      retryAfter: 3000,
    })
    expect(error.name).toBe("RateLimited")
    expect(error.message).toContain("It asks for a wait of 3s")
  })

  test("a time-out tells its limit in milliseconds", async () => {
    await using service = await Service.start(() => undefined)
    const error = await failureOf(clientOf(service.url, { attemptTimeout: 40 }).search())
    expect(error).toMatchObject({ code: "timed_out", isRetryable: true, attempts: 1 })
    if (!(error instanceof module.TimedOut)) throw error
    expect(error.after).toBe(40)
  })

  test("printing an error shows its message, and its stack names the line of the caller", async () => {
    await using service = await Service.start(Service.respond(401, ""))
    const client = clientOf(service.url)
    const theCaller = async () => await client.search()
    const theLoop = async () => {
      for await (const _ of client.list()) break
    }
    const theScan = async () => {
      for await (const _ of client.scan()) break
    }
    for (const [name, run] of Object.entries({ theCaller, theLoop, theScan })) {
      const printed = inspect(await failureOf(run()))
      expect(printed).toMatch(/^Unauthorized: The service rejected the credentials with status 401/)
      expect(printed).toMatch(new RegExp(`at (?:async )?${name} `))
      expect(printed).toContain("promiseErrors.test.ts")
      expect(printed).toContain("code: 'unauthorized'")
    }
  })

  test("does not print a long cursor", async () => {
    const page = JSON.stringify({ results: [], page_info: { has_next_page: true, end_cursor: "c".repeat(8000) } })
    await using service = await Service.start(Service.respond(200, page))
    const error = await failureOf(clientOf(service.url).list().toArray({ limit: 1 }))
    expect(error.code).toBe("cursor_cycle")
    expect(inspect(error).length).toBeLessThan(4000)
  })

  test("recognises the errors of another copy of the package", async () => {
    await using service = await Service.start(Service.respond(401, ""))
    const error = await failureOf(clientOf(service.url).capabilities())
    expect(error).toBeInstanceOf(errors.TransferKitError)
    expect(error).toBeInstanceOf(errors.Unauthorized)
    expect(error).not.toBeInstanceOf(errors.RateLimited)
  })

  test("takes no other value for one of its errors", () => {
    const nameless = { [Symbol.for("@transferkit/http-client/TransferKitError")]: true }
    const others = [null, undefined, "Unauthorized", 7, {}, { name: "Unauthorized" }, nameless, new Error("no")]
    for (const other of others) {
      expect(other instanceof module.TransferKitError).toBe(false)
      expect(other instanceof module.Unauthorized).toBe(false)
    }
  })

  test("counts the attempts of a call that failed, also of one in a scan", async () => {
    await using service = await Service.start(Service.respond(503, "", { "retry-after": "0" }))
    const client = clientOf(service.url, { retries: 2 })
    expect(await failureOf(client.search())).toMatchObject({ code: "service_unavailable", attempts: 3, retryAfter: 0 })
    const scan = client.scan()
    const failure = failureOf(scan[Symbol.asyncIterator]().next())
    expect(await failure).toMatchObject({ attempts: 3 })
    expect(scan.report()).toMatchObject({ isComplete: false, cutBy: "ServiceUnavailable", pages: 0 })
  })

  test("every class has its own name and code", () => {
    const names = Object.keys(errors.classes)
    expect(names.length).toBeGreaterThan(15)
    expect(names.map((name) => Object(Reflect.get(module, name)).name)).toEqual(names)
  })

  test("a connection that was refused has the code of the operating system as its cause", async () => {
    const service = await Service.start()
    await service[Symbol.asyncDispose]()
    for (const options of [{}, { fetch: globalThis.fetch }]) {
      const error = await failureOf(clientOf(service.url, options).search())
      if (!(error instanceof module.ConnectionFailed)) throw error
      expect(error.cause?.code).toBe("ECONNREFUSED")
      expect(error.cause?.message).toBe(error.reason)
      expect(Object.keys(error).sort()).toEqual(["attempts", "code", "isRetryable", "reason"])
    }
  })

  test("recognises its errors, and nothing else", async () => {
    await using service = await Service.start(Service.respond(401, ""))
    expect(module.isTransferError(await failureOf(clientOf(service.url).search()))).toBe(true)
    for (const other of [undefined, null, new Error("no"), { code: "unauthorized" }]) {
      expect(module.isTransferError(other)).toBe(false)
    }
  })
})

test("an error has the fields of its type and no others", () => {
  const given = {
    _tag: "MalformedResponse",
    pointer: "/a",
    expected: "b",
    actual: "c",
    truncated: true,
    requestId: "r",
  }
  const error = publicError(Object.assign(new Error("broken"), given))
  const found = { code: "malformed_response", isRetryable: false, requestId: "r" }
  expect({ ...Object(error) }).toEqual({ ...found, pointer: "/a", expected: "b", actual: "c" })
})

test.each([
  ["of a class that is not public", Object.assign(new Error("odd"), { _tag: "Odd" })],
  ["whose tag is the name of an object's method", Object.assign(new Error("odd"), { _tag: "toString" })],
  ["whose tag is no text", Object.assign(new Error("odd"), { _tag: 7 })],
  ["without a tag", new Error("plain")],
  ["that is no Error", { _tag: "Unauthorized" }],
])("an error %s is passed on as it is", (_, error) => {
  expect(publicError(error)).toBe(error)
})
