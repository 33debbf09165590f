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
    const { port, pathname, search } = new URL(request.url ?? "")
    request.pipe(
      Http.request(`http://127.0.0.1:${port}${pathname}${search}`, { headers: request.headers }, (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(response)
      }).on("error", () => response.writeHead(502).end()),
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
    const elsewhere = service.url.replace("127.0.0.1", "service.invalid")
    await clientOf(elsewhere, { proxy: proxy.url, allowInsecure: true }).search()
    await clientOf(secure.url, { proxy: proxy.url, ca: cert }).search()
    // Without TLS, the proxy would read the key.
    await clientOf(service.url, { proxy: proxy.url }).search()
    expect(proxy.asked).toEqual([
      `GET ${elsewhere}/v1/transfers/search?limit=20`,
      `CONNECT ${secure.url.replace("https://", "")}`,
    ])
  })

  test("gives up a proxy whose answer to CONNECT has no end", async () => {
    const server = Net.createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => flood(socket))
    })
    const flood = (socket: Net.Socket): void => {
      if (!socket.destroyed && socket.write("X-Flood: x\r\n".repeat(1000))) setImmediate(flood, socket)
      else socket.once("drain", () => flood(socket))
    }
    await using proxy = await listen(server)
    const before = process.memoryUsage().rss
    await expect(
      clientOf("https://service.test", { proxy: `http://127.0.0.1:${proxy.port}` }).search(),
    ).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("The proxy has answered with headers of more than 16 KiB"),
    })
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(200)
  })

  test("reads the answer of a proxy that comes in many parts", async () => {
    await using secure = await startTls()
    const server = Net.createServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", async () => {
          socket.pause()
          for (const part of ["HTTP/1.1 200 OK\r\n", ...Array<string>(40).fill("X: y\r\n"), "\r\n"]) {
            socket.write(part)
            await new Promise((resolve) => void setTimeout(resolve, 10))
          }
          const onward = Net.connect(secure.port, "127.0.0.1").on("error", () => undefined)
          onward.pipe(socket).pipe(onward)
        })
    })
    await using proxy = await listen(server)
    const client = clientOf(secure.url, { ca: cert, proxy: `http://127.0.0.1:${proxy.port}` })
    expect((await client.search()).results).toEqual([])
  })

  test.each(["http://user:pa%ss@127.0.0.1:1", "http://user:pass word@host:port:x", "http://user:pa\nss@127.0.0.1:1"])(
    "rejects the proxy %j without its password",
    (proxy) => {
      let message = ""
      try {
        clientOf("https://service.test", { proxy })
      } catch (error) {
        message = String(error)
      }
      expect(message).toMatch(/Invalid proxy: it is not a URL/)
      expect(message).not.toMatch(/pa[^r]/)
    },
  )

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

describe("NODE_USE_ENV_PROXY", () => {
  /** Searches in a process of its own, where the environment names a proxy. */
  const search = (baseUrl: string, proxy: string, env: NodeJS.ProcessEnv = {}) =>
    new Promise<string>((resolve) => {
      const program = `
        import { createTransferClient } from ${JSON.stringify(new URL("../src/promise.ts", import.meta.url).href)}
        const settings = { baseUrl: "${baseUrl}", partnerId: "p", secretKey: "s", retries: 0, allowInsecure: true }
        const page = await createTransferClient(settings).search()
        process.stdout.write(String(page.results.length))`
      const proxied = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NODE_USE_ENV_PROXY: "1", ...env }
      execFile(
        process.execPath,
        ["--input-type=module", "-e", program],
        { env: { ...process.env, ...proxied } },
        (error, out, stderr) => resolve(error === null ? out : stderr),
      )
    })

  test("sends the requests through the proxy of the environment, as fetch does", async () => {
    await using proxy = await startProxy()
    await search("http://service.invalid", proxy.url, { NODE_USE_ENV_PROXY: "0" })
    expect(proxy.asked).toEqual([])
    await search("http://service.invalid", proxy.url)
    expect(proxy.asked).toEqual(["GET http://service.invalid/v1/transfers/search?limit=20"])
    await search("http://service.invalid", proxy.url, { NO_PROXY: "service.invalid" })
    expect(proxy.asked).toHaveLength(1)
  })

  test("whose address has a line break, which Node's error repeats, fails without its password", async () => {
    // That of HTTP_PROXY stops Node before the program starts.
    const proxy = "http://me:proxy-secret@127.0.0.1:1\n"
    const said = await search("https://service.invalid", proxy, { HTTP_PROXY: "" })
    expect(said).toContain("that cannot be read")
    expect(said).not.toContain("proxy-secret")
  })

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "[::1]"])("sends those to %s directly", async (host) => {
    await using proxy = await startProxy()
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const found = await search(service.url.replace("127.0.0.1", host), proxy.url, { NO_PROXY: "other.example" })
    // The service has one of these addresses.
    if (host === "127.0.0.1") expect(found).toBe("0")
    expect(proxy.asked).toEqual([])
  })
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
