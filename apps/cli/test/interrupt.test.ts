import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { demo, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"

test("a second interrupt ends the program at once, while the first is still being handled", async () => {
  const fake = await startFakeServer({ transfers: 10 })
  await Fake.addFaults(fake.url, { fault: "latency", ms: 60_000 })
  const child = start(["watch", "--exec", "sleep 60"], { env: demo(fake.url) })
  await expect.poll(async () => (await Fake.journal(fake.url)).length).toBeGreaterThan(0)
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  child.kill("SIGINT")
  child.kill("SIGINT")
  expect(await closed).toBe(130)
  await fake.close()
})
