/**
 * Runs before the console's own script, in its frame: the operations and the service that the console calls are those of a
 * fake in this frame.
 */
import * as FakeFetch from "@transferkit/fake/FakeFetch"
import { createTransferClient } from "@transferkit/http-client/promise"

/** Ways to read all transfers of the fake; each says how it ended. */
export interface Clients {
  readonly scan: () => Promise<string>
  readonly loop: () => Promise<string>
}

declare global {
  interface Window {
    transferkit?: Clients
  }
}

const credentials = { partnerId: "demo", secretKey: "demo-secret" }
const url = "https://fake.example"
const fakeFetch = FakeFetch.make({ transfers: 600, now: new Date().toISOString().slice(0, 10), latency: undefined })

globalThis.fetch = (input, init) => {
  const path = typeof input === "string" ? input : "url" in input ? input.url : input.href
  return fakeFetch(new URL(path, url), init)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

const scan = async (): Promise<string> => {
  const client = createTransferClient({ baseUrl: url, ...credentials, fetch: fakeFetch })
  let count = 0
  try {
    for await (const { results } of client.scan({})) count += results.length
    return `TransferKit: ${count} transfers, each once.`
  } catch (error) {
    return `TransferKit ended with an error, not with a part: ${reasonOf(error)}`
  }
}

/** As many scripts have it: no check of the status, of the shape, or of a cursor that leads back. */
const loop = async (): Promise<string> => {
  const headers = { authorization: `Basic ${btoa(`${credentials.partnerId}:${credentials.secretKey}`)}` }
  let [count, pages, cursor] = [0, 0, ""]
  try {
    do {
      const query = cursor === "" ? "" : `&after_cursor=${cursor}`
      const response = await fakeFetch(`${url}/v1/transfers/search?limit=20${query}`, { headers })
      const { results, page_info } = JSON.parse(await response.text())
      count += results?.length ?? 0
      pages++
      cursor = page_info?.end_cursor ?? ""
    } while (cursor !== "" && pages < 200)
    return `The loop: ${count} transfers, and no word on whether they are all.`
  } catch (error) {
    return `The loop: ${count} transfers, then ${reasonOf(error)}`
  }
}

window.transferkit = { scan, loop }
