/** The server of `--metrics`, beside clients that do not behave. */
import { once } from "node:events"
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import * as MetricsServer from "../src/telemetry/MetricsServer.ts"
import { Screen } from "../src/terminal/Screen.ts"

test("200 clients may be connected, as to MCP over HTTP, and one that sends no request makes room for the next", async () => {
  const notes: Array<string> = []
  const screen = { note: (text: string) => Effect.sync(() => void notes.push(text)) }
  const used = Effect.gen(function* () {
    yield* MetricsServer.serve({ host: "127.0.0.1", port: 0 })
    const url = new URL(notes[0]?.slice("Metrics on ".length).trim() ?? "")
    yield* Effect.promise(async () => {
      const sockets = Array.from({ length: 200 }, () => Net.connect(Number(url.port), "127.0.0.1"))
      await Promise.all(sockets.map((socket) => once(socket, "connect")))
      const closed = Promise.all(sockets.slice(0, 1).map((socket) => once(socket.resume(), "close")))
      expect((await fetch(url)).status).toBe(200)
      await closed
      for (const socket of sockets) socket.destroy()
    })
  })
  await Effect.runPromise(Effect.scoped(Effect.provideService(used, Screen, screen as never)))
})
