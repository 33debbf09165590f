/** The waiting of the browser tests: it may begin at any moment of a navigation. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { startFake, until, untilGone, useBrowser } from "./consolePage.ts"

const open = useBrowser()

/** A page whose body comes after its script, which is held back. */
const startLate = async () => {
  const held: Array<ServerResponse> = []
  const server = createServer(({ url }, response) => {
    if (url === "/late.js") held.push(response)
    else response.end(`<!doctype html><head><script src="/late.js"></script></head><body>It is here.</body>`)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const [release, close] = [() => held.map((each) => each.end()), () => server.closeAllConnections()]
  return { url: `http://127.0.0.1:${port}/`, held, release, [Symbol.dispose]: () => (close(), void server.close()) }
}

test.each([
  ["shows a text", (wanted: string) => [wanted, until] as const],
  ["no longer shows one", () => ["gone", untilGone] as const],
])("waits until a page that had no body at first %s", async (_, what) => {
  await using fake = await startFake()
  using late = await startLate()
  await using opened = await open(fake)
  const { page } = opened
  const arrived = page.goto(late.url)
  await expect.poll(() => late.held.length).toBe(1)
  await expect.poll(() => page.evaluate(() => document.body === null)).toBe(true)
  const [text, wait] = what("It is here.")
  const waited = wait(page, text)
  // A document without a body is looked at a few times.
  await new Promise((resolve) => setTimeout(resolve, 500))
  late.release()
  await Promise.all([arrived, waited])
})
