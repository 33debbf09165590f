/** A service decodes a key that holds escapes, and echoes it: an error shows neither form. */
import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"

const service = createServer(({ headers }, response) => {
  const pair = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString()
  const key = pair.slice(pair.indexOf(":") + 1)
  const message = `[${key}] [${decodeURIComponent(key)}] [${decodeURIComponent(key.replaceAll("+", " "))}]`
  response.writeHead(400, { "content-type": "application/json" })
  response.end(JSON.stringify({ errors: [{ code: "unknown_key", message }] }))
})
let url: string

beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening")
  const address = service.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})

afterAll(() => service.close())

test.each(["abc%7Cdefghij99", "s%3aabc%3Adefghij99", "horse%20battery+4711", "schl%C3%BCssel-4711"])(
  "an error has nothing of the key %s",
  async (key) => {
    const { code, stderr } = await run(["search"], { env: { ...demo(url), TRANSFERS_SECRET_KEY: key } })
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining("unknown_key") })
    expect(stderr).toContain("[<redacted>] [<redacted>] [<redacted>]")
  },
)
