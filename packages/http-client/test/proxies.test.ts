/** The connections of Node: certificates, proxies and agents, with the client of either kind. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Net from "node:net"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, test, vi } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import { promiseModules } from "./PromiseModules.ts"
import * as Service from "./Service.ts"

const listen = async (server: Net.Server) => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as Net.AddressInfo
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        if (server instanceof Http.Server) server.closeAllConnections()
      }),
  }
}

/** A proxy that notes what it is asked for. */
const startProxy = async () => {
  const asked: Array<string> = []
  const sockets = new Set<Net.Socket>()
  const server = Http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.pipe(
      Http.request(request.url ?? "", { headers: request.headers }, (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(response)
      }),
    )
  })
  server.on("connect", (request, socket: Net.Socket) => {
    asked.push(`${request.method} ${request.url}`)
    const [host = "", port = ""] = (request.url ?? "").split(":")
    const onward = Net.connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      onward.pipe(socket).pipe(onward)
    })
    for (const each of [onward, socket]) {
      sockets.add(each)
      each.on("error", () => undefined)
    }
  })
  const listening = await listen(server)
  return {
    asked,
    url: `http://127.0.0.1:${listening.port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await listening[Symbol.asyncDispose]()
    },
  }
}

// Made for these tests, and trusted by nothing else: localhost, for a hundred years.
const fileOf = (name: string) => readFileSync(new URL(`localhost/${name}.pem`, import.meta.url), "utf8")
const [key, cert] = [fileOf("key"), fileOf("certificate")]

const startTls = async () => {
  const server = Https.createServer({ key, cert }, (request, response) =>
    Service.respond(200, Service.emptyPage)(request, response, 1),
  )
  const listening = await listen(server)
  return { ...listening, url: `https://localhost:${listening.port}` }
}

describe.each(promiseModules)("a Promise client from %s", (_, { createTransferClient }) => {
  const clientOf = (baseUrl: string, options = {}) =>
    createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 0, ...options })

  test("trusts an authority of yours, and only with it one that is not Node's", async () => {
    await using service = await startTls()
    await expect(clientOf(service.url).search()).rejects.toMatchObject({
      code: "connection_failed",
      isRetryable: false,
    })
    expect((await clientOf(service.url, { ca: cert }).search()).results).toEqual([])
    expect((await clientOf(service.url, { ca: [cert, cert] }).search()).results).toEqual([])
  })

  test("goes through a proxy, by a tunnel if the service speaks TLS", async () => {
    await using proxy = await startProxy()
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    await using secure = await startTls()
    await clientOf(service.url, { proxy: proxy.url }).search()
    await clientOf(secure.url, { proxy: proxy.url, ca: cert }).search()
    expect(proxy.asked).toEqual([
      `GET ${service.url}/v1/transfers/search?limit=20`,
      `CONNECT ${secure.url.replace("https://", "")}`,
    ])
  })

  test("rejects a proxy by name on a Node that has none, and sends without one", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const { options } = Http.globalAgent as Http.Agent & { options: Http.AgentOptions }
    const { proxyEnv } = options
    delete options.proxyEnv
    try {
      const create = () => clientOf(service.url, { proxy: "http://127.0.0.1:1" })
      expect(create).toThrow(/^Invalid proxy: Node .* has no proxies[.] Use Node/)
      expect((await clientOf(service.url, { ca: cert }).search()).results).toEqual([])
    } finally {
      options.proxyEnv = proxyEnv
    }
  })

  test("uses an agent of yours", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const agent = new Http.Agent()
    const create = vi.spyOn(agent, "createConnection" as never)
    await clientOf(service.url, { agent }).search()
    expect(create).toHaveBeenCalledTimes(1)
  })

  test.each([
    ["ca", { ca: "/etc/ssl/ca.pem" }],
    ["proxy", { proxy: "proxy:3128" }],
    ["agent", { agent: {} }],
    ["proxy", { proxy: "http://127.0.0.1:1", fetch: async () => new Response() }],
  ])("rejects a wrong %s", (setting, options) => {
    expect(() => clientOf("https://example.com", options)).toThrow(`Invalid ${setting}: `)
  })
})

test("NODE_USE_ENV_PROXY sends the requests through the proxy of the environment, as fetch does", async () => {
  await using proxy = await startProxy()
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const program = `
    import { createTransferClient } from ${JSON.stringify(new URL("../src/promise.ts", import.meta.url).href)}
    const settings = { baseUrl: "${service.url}", partnerId: "p", secretKey: "s" }
    await createTransferClient(settings).search()
    await createTransferClient({ ...settings, fetch: (url, init) => fetch(url, init) }).search()`
  const run = (env: NodeJS.ProcessEnv) =>
    new Promise<void>((resolve, reject) => {
      execFile(
        process.execPath,
        ["--input-type=module", "-e", program],
        { env: { ...process.env, HTTP_PROXY: proxy.url, ...env } },
        (error, _out, stderr) => (error === null ? resolve() : reject(new Error(stderr))),
      )
    })
  await run({})
  expect(proxy.asked).toEqual([])
  await run({ NODE_USE_ENV_PROXY: "1" })
  expect(proxy.asked).toHaveLength(2)
})

test("the layer takes the same options, and a wrong one is an error of the layer", async () => {
  await using service = await startTls()
  const config = { baseUrl: service.url, partnerId: "p", secretKey: Redacted.make("s") }
  const search = (connection: ReturnType<typeof NodeTransport.layerConnection>) =>
    TransferApi.use((api) => api.search({})).pipe(
      Effect.provide(Layer.provide(HttpTransferApi.layer(config), connection)),
      Effect.runPromise,
    )
  expect((await search(NodeTransport.layerConnection({ ca: cert }))).results).toEqual([])
  await expect(search(NodeTransport.layerConnection({ ca: "no" }))).rejects.toMatchObject({ setting: "ca" })
  expect(FetchTransport.ofConnection({ ca: cert })).toMatchObject({ failure: { setting: "ca" } })
})
