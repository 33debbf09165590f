/** Recordings of a service of one's own, and the forms in which it echoes a key. */
import * as fs from "node:fs/promises"
import * as http from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { Recorder } from "@transferkit/fake/Recorder"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach } from "vitest"

/** A folder for the recording of each test. */
export const useFolder = () => {
  const place = { folder: "", out: "" }
  beforeEach(async () => {
    place.folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
    place.out = path.join(place.folder, "recording.ndjson")
  })
  afterEach(() => fs.rm(place.folder, { recursive: true }))

  /** Records what `use` asks of a service of one's own. */
  const record = async (respond: http.RequestListener, use: (url: string) => Promise<unknown>, base = "") => {
    const service = http.createServer(respond)
    await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve))
    const address = service.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const used = Effect.gen(function* () {
      const { url, failure } = yield* Recorder
      return yield* Effect.raceFirst(
        Effect.promise(() => use(url)),
        failure,
      )
    })
    const layer = Recorder.layer({ target: `http://127.0.0.1:${port}${base}`, out: place.out, keepIdentifiers: true })
    const exit = await Effect.runPromiseExit(Effect.provide(used, layer))
    service.closeAllConnections()
    await new Promise((resolve) => service.close(resolve))
    return exit
  }

  return { place, record }
}

/** A key with characters that are often escaped. */
export const escapedKey = "sk/live+a&b<c-4711"
const unit = (character: string) => character.charCodeAt(0)

/** Its forms. */
export const escapes: ReadonlyArray<readonly [string, string]> = [
  ["PHP's JSON", String.raw`sk\/live+a&b<c-4711`],
  ["Go's JSON", String.raw`sk/live+a\u0026b\u003cc-4711`],
  [".NET's JSON", String.raw`sk/live\u002Ba\u0026b\u003Cc-4711`],
  ["JSON with every character escaped", escapedKey.replace(/./g, (c) => `\\u00${unit(c).toString(16)}`)],
  ["a URL with every byte escaped", escapedKey.replace(/./g, (c) => `%${unit(c).toString(16)}`)],
  ["hexadecimal entities", escapedKey.replace(/[/&<+]/g, (c) => `&#x${unit(c).toString(16).toUpperCase()};`)],
  ["decimal entities", escapedKey.replace(/[/&<+]/g, (c) => `&#${unit(c)};`)],
  ["named entities", "sk/live+a&amp;b&lt;c-4711"],
]
