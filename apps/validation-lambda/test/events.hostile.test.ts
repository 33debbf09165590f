/** Events that somebody else wrote: each is answered or rejected in bounded time, and nothing of it reaches the log. */
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { makeLambda } from "./invoke.ts"
import { startService } from "./service.ts"

const canary = "canary-7f3a"

/** Own names, which a literal would take for the prototype. */
const inherited = `{"__proto__":{"transfers":[]},"constructor":"${canary}","hasOwnProperty":"${canary}"}`

const http = (body: string, more: object = {}): object => ({
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body,
  ...more,
})

const message = (id: string, body: string, more: object = {}): object => ({
  messageId: id,
  eventSource: "aws:sqs",
  body,
  attributes: {},
  ...more,
})

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

const attacks: ReadonlyArray<readonly [name: string, event: unknown]> = [
  ["no event", null],
  ["a text", canary],
  ["inherited names", JSON.parse(inherited)],
  ["inherited names in a proposal", { transfers: [JSON.parse(inherited)] }],
  ["inherited names as headers", http("{}", { headers: JSON.parse(inherited) })],
  [
    "headers of other types",
    http("{}", { headers: { "content-type": 7, host: null }, multiValueHeaders: { a: [{}, 1] } }),
  ],
  ["a method of line breaks", http("{}", { requestContext: { http: { method: `${canary}\r\n{"level":"INFO"}` } } })],
  ["a correlation of line breaks", http("{}", { headers: { "x-request-id": `${canary}\n{}` } })],
  ["no JSON", http(`{"external_id":"${canary}`)],
  ["a name twice", http(`{"external_id":"1","${canary}":1,"${canary}":2}`)],
  ["other JSON", http(JSON.stringify(canary))],
  ["half of a surrogate pair", http(`{"external_id":"\\ud800${canary}"}`)],
  ["a character that was lost", http(`{"external_id":"\ufffd${canary}"}`)],
  [
    "bytes that are not UTF-8",
    http(Buffer.from(`{"external_id":"\u00fc${canary}"}`, "latin1").toString("base64"), { isBase64Encoded: true }),
  ],
  ["a charset of line breaks", http("{}", { headers: { "content-type": `application/json; charset=${canary}\n{}` } })],
  ["200,000 levels", http(`{"source":${nested(200_000)}}`)],
  ["200,000 levels of an event", { transfers: [{ source: JSON.parse(nested(5000)) }] }],
  ["a body of 5 MB", http(`{"external_id":"${canary.repeat(500_000)}"}`)],
  [
    "zeros of 256 MB in gzip",
    http(gzipSync(Buffer.alloc(1 << 28)).toString("base64"), {
      isBase64Encoded: true,
      headers: { "content-encoding": "gzip" },
    }),
  ],
  ["a million empty proposals", http(`[${"{},".repeat(1_000_000)}{}]`)],
  [
    "an amount of a million digits",
    http(`{"source":{"amount":"${"9".repeat(1_000_000)}","currency_code":"fiat/USD"}}`),
  ],
  ["a currency of a prototype", http('{"source":{"amount":"1","currency_code":"__proto__"}}')],
  ["records of nothing", { Records: [] }],
  ["records of another service", { Records: [{ eventSource: "aws:sns" }] }],
  [
    "1,000 messages",
    { Records: Array.from({ length: 1000 }, (_, at) => message(`m${at}`, `{"external_id":"${canary}"}`)) },
  ],
  [
    "messages of inherited names",
    { Records: [message("__proto__", inherited), message("constructor", nested(100_000))] },
  ],
  ["a hash that is a path", { capabilities: "../../etc/passwd" }],
  ["a file of a path", { file: { bucket: "../..", key: `../${canary}` } }],
  [
    "a continuation of an audit with counts of its own",
    {
      audit: {
        since: "2024-09-01T00:00:00Z",
        until: "2024-09-02T00:00:00Z",
        checkpoint: { version: 2, query: "", transfers: 0, remaining: [] },
        tally: { audited: 1e6, with_findings: 1, codes: { [canary.repeat(300_000)]: 1 } },
        signature: "0".repeat(64),
      },
    },
  ],
  [
    "results to merge with counts of their own",
    {
      audit: {
        merge: [
          {
            window: { a: canary },
            tally: {
              audited: 1,
              with_findings: 1,
              codes: { [canary.repeat(300_000)]: 1, ...JSON.parse('{"__proto__":3}') },
            },
            capabilities: { hash: canary.repeat(300_000) },
            signature: canary.repeat(300_000),
          },
        ],
      },
    },
  ],
  [
    "an audit since a time of megabytes",
    { audit: { since: `2024-09-01T00:00:00.${"0".repeat(3e6)}Z`, until: canary } },
  ],
  ["an audit of nothing", { audit: JSON.parse(inherited) }],
]

test("every event ends in time, and the log holds nothing of it", async () => {
  await using service = await startService()
  const lambda = makeLambda(service.url)
  for (const [name, event] of attacks) {
    const before = performance.now()
    const ended = await lambda.invoke(event).then(
      (value) => JSON.stringify(value),
      (error) => `${error.name}: ${error.message}`,
    )
    expect({ name, took: performance.now() - before }).toEqual({ name, took: expect.closeTo(0, -4) })
    expect({ name, ended: ended.slice(0, 500) }).toEqual({
      name,
      ended: expect.not.stringMatching(/internal_error/),
    })
    const last = lambda.log.at(-1)
    expect({ name, last }).toEqual({ name, last: expect.objectContaining({ requestId: expect.any(String) }) })
    expect({ name, message: last?.["message"] }).not.toEqual({ name, message: "crashed" })
  }
  expect(lambda.log.filter((entry) => JSON.stringify(entry).toLowerCase().includes(canary))).toEqual([])
})
