/** Files of proposals in S3, validated row by row, with the verdicts beside them. */
import { readFileSync } from "node:fs"
import { type RunOptions, StateMachine } from "aws-local-stepfunctions"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
// Loaded before the time of an invocation runs.
import "../src/file/FileValidation.ts"
import * as Continuation from "../src/file/Continuation.ts"
import type { FileRequest } from "../src/file/FileRequest.ts"
import { credentials, Raw, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { type Send, startObjects } from "./objects.ts"
import { capabilitiesText, sendCapabilities, sendJson, startService } from "./service.ts"

const header = "external_id,country_code,payment_method,source_amount,source_currency_code,destination_currency_code"
const row = (external_id: string, amount = "100.00") => `${external_id},US,debit_card,${amount},fiat/USD,ethereum/USDC`
const proposal = (external_id: string, amount = "100.00") => ({
  external_id,
  country_code: "US",
  payment_method: "debit_card",
  source: { amount, currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})
const csvOf = (...rows: ReadonlyArray<string>) => `${[header, ...rows].join("\n")}\n`
const event = (key: string) => ({ file: { bucket: "proposals", key } })

/** Validates one file, and returns the result and the verdicts: codes by index. */
const validate = async (key: string, object: string | Send) => {
  await using objects = await startObjects({ [`proposals/${key}`]: object })
  await using service = await startService()
  const lambda = makeLambda(service.url, objects.environment)
  const result = Object(await lambda.invoke(event(key)))
  const written = objects.beside(`proposals/${key}`)
  return { result, written, verdicts: verdictsIn(written), log: lambda.log }
}

/** A continuation as the function returns it. */
const signed = (file: FileRequest) => ({
  ...file,
  signature: Continuation.signature(Redacted.make("key"), file),
})

interface Verdict {
  readonly index: number
  readonly external_id?: string
  readonly violations: ReadonlyArray<{ readonly code: string; readonly message: string }>
}

const verdictsIn = (written: Readonly<Record<string, string>>): ReadonlyArray<Verdict> =>
  Object.entries(written)
    .filter(([name]) => name.startsWith("part-"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, text]) => text.trimEnd().split("\n"))
    .map((line) => JSON.parse(line))

const codesOf = (verdicts: ReadonlyArray<Verdict>) =>
  verdicts.map(({ index, violations }) => [index, ...violations.map(({ code }) => code)])

describe("a file", () => {
  it("of CSV has a verdict for each row, written beside it, and a summary", async () => {
    const { result, written, verdicts, log } = await validate(
      "may/payouts ü+1.csv",
      csvOf(row("a"), row("b", "0.01"), "", row("c")),
    )
    const folder = `may/payouts ü+1.csv.verdicts/${result.file.etag}/`
    expect(result).toMatchObject({
      done: true,
      verdicts: folder,
      tally: { rows: 3, invalid: 1, violations: { below_minimum: 1 } },
    })
    expect(result).not.toHaveProperty("continuation")
    expect(codesOf(verdicts)).toEqual([[0], [1, "below_minimum"], [2]])
    expect(Object.keys(written)).toEqual(["part-0000000.jsonl", "summary.json"])
    expect(JSON.parse(written["summary.json"] ?? "")).toMatchObject({ done: true, rows: 3, invalid: 1 })
    expect(log).toMatchObject([
      {
        level: "INFO",
        message: "rows validated",
        first_row: 0,
        proposals: 3,
        invalid: 1,
        violations: { below_minimum: 1 },
      },
      { message: "succeeded", event: "File", done: true, rows: 3, proposals: 3, invalid: 1 },
    ])
  })

  it.each([
    ["semicolons, CRLF and a mark", `\ufeff${csvOf(row("a"), row("b")).replaceAll(",", ";").replaceAll("\n", "\r\n")}`],
    ["tabs", csvOf(row("a"), row("b")).replaceAll(",", "\t")],
    ["quotes, and a line break in one", csvOf(`"a\nx",US,"debit_card","100.00",fiat/USD,ethereum/USDC`, row("b"))],
    ["no line break at the end", csvOf(row("a"), row("b")).trimEnd()],
  ])("of CSV may have %s", async (_, text) => {
    const { result, verdicts } = await validate("a.csv", text)
    expect(result).toMatchObject({ done: true, tally: { rows: 2, invalid: 0 } })
    expect(codesOf(verdicts)).toEqual([[0], [1]])
  })

  it.each([1, 4, 11, 12, 40, 90, 100])("of CSV may arrive in parts, the first of %s bytes", async (size) => {
    const bytes = Buffer.from(`\ufeff${csvOf(row("a"), row("b")).replaceAll(",", ";")}`)
    const { result, verdicts } = await validate("a.csv", (response) => {
      response.writeHead(200, { "content-length": bytes.length })
      response.write(bytes.subarray(0, size))
      setTimeout(() => response.end(bytes.subarray(size)), 30)
    })
    expect(result).toMatchObject({ done: true, tally: { rows: 2, invalid: 0 } })
    expect(codesOf(verdicts)).toEqual([[0], [1]])
  })

  it.each([
    ["LF after the header, and CRLF after rows", `${header}\n${row("a")}\r\n${row("b")}\r\n${row("a")}\r\n`],
    ["CRLF after the header, and LF after rows", `${header}\r\n${row("a")}\r\n${row("b")}\n${row("a")}\n`],
    ["CR after the header, and CRLF after rows", `${header}\r${row("a")}\r\n${row("b")}\n${row("a")}\r`],
  ])("of CSV may have %s, also where a part ends between CR and LF", async (_, text) => {
    const parts = text.split(/(?<=\r)/)
    const inParts: Send = (response) => {
      response.writeHead(200, { "content-length": text.length })
      for (const [index, part] of parts.entries()) setTimeout(() => response.write(part), 30 * index)
      setTimeout(() => response.end(), 30 * parts.length)
    }
    for (const object of [text, inParts]) {
      const { verdicts } = await validate("a.csv", object)
      expect(verdicts.map(({ external_id }) => external_id)).toEqual(["a", "b", "a"])
      expect(codesOf(verdicts)).toEqual([[0], [1], [2, "duplicate_external_id"]])
    }
  })

  it("of NDJSON has a verdict for each line that is not blank, also if it is not a proposal", async () => {
    const lines = [proposal("a"), proposal("b", "0.01")].map((value) => JSON.stringify(value))
    const text = `\ufeff${lines.join("\r\n")}\n\n{"a":\n7\n[${lines[0]}]\n{"transfers":[]}\n${lines[0]?.replace('"a"', '"\ufffd"')}`
    const { result, verdicts } = await validate("a.ndjson", text)
    expect(result).toMatchObject({ done: true, tally: { rows: 7, invalid: 6 } })
    expect(codesOf(verdicts)).toEqual([
      [0],
      [1, "below_minimum"],
      ...[2, 3, 4, 5, 6].map((index) => [index, "missing_field"]),
    ])
    expect(verdicts[2]?.violations).toEqual([
      { code: "missing_field", path: "", message: "This must be a proposal: the line is not JSON.", actual: '{"a":' },
    ])
  })

  it("of NDJSON has no proposal where an object has a name twice", async () => {
    const { verdicts } = await validate("a.ndjson", `${JSON.stringify(proposal("a"))}\n{"a":1,"a":2}\n`)
    const reason = 'line 2, column 8: its object has "a" already: remove one of the two'
    expect(verdicts.map(({ violations }) => violations.map(({ message }) => message))).toEqual([
      [],
      [`This must be a proposal: ${reason}.`],
    ])
  })

  it("tells external_ids apart that differ in a lone surrogate", async () => {
    const ids = ["\ud800", "\udfff", "a\ud801b", "a\ud802b", "a\ud801b"]
    const { verdicts } = await validate("a.ndjson", ids.map((id) => JSON.stringify(proposal(id))).join("\n"))
    expect(codesOf(verdicts)).toEqual([[0], [1], [2], [3], [4, "duplicate_external_id"]])
    expect(verdicts[4]?.violations[0]?.message).toContain("The row at index 2 has this external_id too.")
  })

  it("of CSV may have rows that hold no proposal: each is a verdict, and hides no other", async () => {
    const { verdicts } = await validate("a.csv", csvOf("a,US", row("b"), row("c\ufffd"), row("d")))
    expect(verdicts.map(({ violations }) => violations.map(({ message }) => message))).toEqual([
      ["This must be a proposal: the row has 2 cells, unlike the header, which has 6."],
      [],
      ["This must be a proposal: column external_id: a character was lost. Save the file as UTF-8."],
      [],
    ])
  })

  it("is one list: an external_id belongs to the first row that has it, however far away", async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => row(`id-${index % 3990}`))
    const { result, verdicts } = await validate("a.csv", csvOf(...rows))
    expect(result.tally).toEqual({ rows: 4000, invalid: 10, violations: { duplicate_external_id: 10 } })
    expect(verdicts.at(3991)?.violations).toMatchObject([
      { message: "The row at index 1 has this external_id too. Give each transfer one of its own." },
    ])
  })

  it("is named by S3's event of its creation", async () => {
    await using objects = await startObjects({ "proposals/a.csv": csvOf(row("a")) })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    const created = {
      id: "e-1",
      "detail-type": "Object Created",
      source: "aws.s3",
      detail: { bucket: { name: "proposals" }, object: { key: "a.csv", size: 1, etag: "x" } },
    }
    expect(await lambda.invoke(created)).toMatchObject({ done: true, tally: { rows: 1 } })
    expect(lambda.log.at(-1)).toMatchObject({ event: "File", correlation_id: "e-1" })
  })

  it("is read and written at the place that was signed, whatever its key contains", async () => {
    const text = csvOf(row("a"))
    const path = "/proposals/a/../b%20%28c%29%27%2A%21.csv"
    const paths: Array<string> = []
    await using aws = await startAws(
      new Proxy(
        {},
        {
          get: (_, target) => () => (
            paths.push(String(target)),
            new Raw(200, String(target).startsWith("GET") ? text : "")
          ),
        },
      ),
    )
    await using service = await startService()
    const lambda = makeLambda(service.url, { ...credentials, AWS_ENDPOINT_URL_S3: aws.url })
    expect(await lambda.invoke(event("a/../b (c)'*!.csv"))).toMatchObject({ done: true })
    expect(paths.map((one) => one.replace(/\.verdicts.*/, ""))).toEqual([`GET ${path}`, `PUT ${path}`, `PUT ${path}`])
  })
})

describe("a file that cannot be validated", () => {
  it.each([
    ["a.txt", "", "MalformedFile", "ends in neither .csv"],
    ["", "", "MalformedFile", "1 to 900 bytes"],
    ["a.csv.verdicts/x/part-0.jsonl", "{}", "MalformedFile", "that of verdicts"],
    ["a.csv", "", "MalformedProposals", "no rows"],
    ["a.csv", `${header}\n`, "MalformedProposals", "no rows"],
    ["a.ndjson", "\n \n", "MalformedProposals", "no rows"],
    ["a.csv", "a,b\n1,2\n", "MalformedProposals", "a column at place 1,"],
    ["a.csv", csvOf('"a', "x"), "MalformedProposals", "not CSV: a quote is never closed; it opens in"],
    ["a.csv", csvOf(row("a"), '"b"x,US'), "MalformedProposals", "not CSV: the row at line 3 has a misplaced quote"],
    ["a.csv", csvOf(`"${"x".repeat(1_100_000)}"`), "MalformedProposals", "line 2 has more than 1048576 bytes"],
    ["a.ndjson", `{"a":"${"x".repeat(1_100_000)}"}`, "MalformedProposals", "more than 1048576 bytes"],
  ])("%s is an error by name", async (key, text, name, message) => {
    await expect(validate(key, text)).rejects.toMatchObject({ name, message: expect.stringContaining(message) })
  })

  it.each([
    ["a.csv", "a quote within a cell", csvOf(row("a"), row('secret-7"x'))],
    ["a.csv", "a quote after a long cell", csvOf(row("a"), `${"secret-7 ".repeat(40_000)}"x,US`)],
    ["a.csv", "a cell that goes on after its quote", csvOf(row("a"), row('"secret-7" x'))],
    ["a.csv", "no end of a quote", csvOf(row("a"), row('"secret-7'))],
    ["a.csv", "a row too long", csvOf(row("a"), `"${"secret-7".repeat(200_000)}`)],
    ["a.csv", "no header", `${row("secret-7")}\n${row("b")}\n`],
    ["a.csv", "a long header of another kind", `external_id,${"secret-7".repeat(3000)},secret-7,secret-7\n1,2\n`],
    ["a.ndjson", "a line too long", `{"a":"${"secret-7".repeat(200_000)}"}`],
  ])("%s with %s has its text neither in the error nor in the log", async (key, _, text) => {
    await using objects = await startObjects({ [`proposals/${key}`]: text })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    const error: unknown = await lambda.invoke(event(key)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: "MalformedProposals", message: expect.not.stringContaining("secret") })
    expect(JSON.stringify(lambda.log)).not.toContain("secret")
    expect(lambda.log).toMatchObject([{ message: "rejected", error: "MalformedProposals" }])
  })

  it("is missing, or S3 fails, or the function has no credentials", async () => {
    await using objects = await startObjects({ "proposals/a.csv": csvOf(row("a")) })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    await expect(lambda.invoke(event("b.csv"))).rejects.toMatchObject({ name: "FileMissing" })
    objects.state.isDown = true
    await expect(lambda.invoke(event("a.csv"))).rejects.toMatchObject({
      name: "StoreFailed",
      message: expect.stringContaining("SlowDown"),
    })
    await expect(makeLambda(service.url).invoke(event("a.csv"))).rejects.toMatchObject({ name: "StoreFailed" })
    expect(lambda.log).toMatchObject([
      { level: "WARN", message: "rejected" },
      { level: "ERROR", message: "failed" },
    ])
  })

  it("was replaced since it was begun", async () => {
    await using objects = await startObjects({ "proposals/a.csv": csvOf(row("a")) })
    await using service = await startService()
    const file = signed({ ...event("a.csv").file, etag: "other", tally: { rows: 0, invalid: 0, violations: {} } })
    await expect(makeLambda(service.url, objects.environment).invoke({ file })).rejects.toMatchObject({
      name: "FileMissing",
      message: expect.stringContaining("was replaced"),
    })
  })

  it.each([
    {},
    { bucket: "B" },
    { bucket: "proposals" },
    { ...event("a.csv").file, etag: "a/b" },
    { ...event("a.csv").file, etag: "a", tally: 7 },
  ])("is %j", async (file) => {
    await using service = await startService()
    await expect(makeLambda(service.url).invoke({ file })).rejects.toMatchObject({ name: "MalformedFile" })
  })
})

describe("a continuation", () => {
  const text = csvOf(row("a", "0.01"), row("b", "0.01"), row("c", "0.01"))

  it.each([
    ["says that all is valid", { tally: { rows: 3, invalid: 0, violations: {} } }],
    ["counts more rows than there are", { tally: { rows: 1_000_000, invalid: 0, violations: {} } }],
    ["has no signature", { signature: undefined }],
    ["has a signature of another length", { signature: "0" }],
    ["is one of another file", { key: "b.csv" }],
  ])("that %s is rejected, and writes no summary", async (_, change) => {
    await using objects = await startObjects({ "proposals/a.csv": text, "proposals/b.csv": text })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    const { file } = Object(await lambda.invoke(event("a.csv")))
    for (const name of objects.objects.keys()) if (name.includes(".verdicts/")) objects.objects.delete(name)
    const true_ = signed({ ...file, tally: { rows: 0, invalid: 0, violations: {} } })
    await expect(lambda.invoke({ file: { ...true_, ...change } })).rejects.toMatchObject({ name: "MalformedFile" })
    expect([...objects.objects.keys()].filter((name) => name.includes(".verdicts/"))).toEqual([])
    expect(await lambda.invoke({ file: true_ })).toMatchObject({ done: true, tally: { rows: 3, invalid: 3 } })
  })
})

describe("a file that does not fit into one invocation", () => {
  const owned = {
    id: "tr_1",
    external_id: "id-2399",
    kind: "cash_in",
    status: "complete",
    created_at: "2024-09-01T00:00:00Z",
  }
  const rows = Array.from({ length: 2500 }, (_, index) =>
    row(`id-${index % 2400}`, index % 7 === 0 ? "0.01" : "100.00"),
  )
  const text = csvOf(...rows)

  it("is continued until it is done, and its verdicts are those of a single invocation", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      const results = request.url?.includes("id-2399") ? [owned] : []
      sendJson(response, JSON.stringify({ results, page_info: { has_next_page: false } }))
    })
    await using objects = await startObjects({ "proposals/a.csv": text })
    const required = { TRANSFERS_DUPLICATE_CHECK: "required", TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "1 minute" }
    const lambda = makeLambda(service.url, { ...objects.environment, ...required })
    const whole = Object(await lambda.invoke(event("a.csv")))
    const expected = objects.beside("proposals/a.csv")
    expect(whole).toMatchObject({ done: true, tally: { rows: 2500 } })
    expect(Object.keys(expected)).toHaveLength(4)
    for (const name of objects.objects.keys()) if (name.includes(".verdicts/")) objects.objects.delete(name)

    let next: unknown = event("a.csv")
    let invocations = 0
    let result = Object(undefined)
    for (let time = 1000; next !== undefined;) {
      try {
        result = Object(await lambda.invoke(next, time))
        invocations += 1
        next = result.continuation
      } catch (error) {
        // A busy machine: not even one part in that time.
        expect(error).toMatchObject({ name: expect.stringMatching(/^(OutOfTime|DuplicatesUnchecked)$/) })
        time *= 2
      }
    }
    expect(invocations).toBeGreaterThan(1)
    expect({ ...result, capabilities: null }).toEqual({ ...whole, capabilities: null })
    const actual = objects.beside("proposals/a.csv")
    for (const name of Object.keys(expected).filter((one) => one !== "summary.json")) {
      expect(actual[name]).toBe(expected[name])
    }
    expect(whole.tally.violations).toEqual({ duplicate_external_id: 101, below_minimum: 358 })
  })

  it("keeps what it has if S3 breaks off, and goes on from there", async () => {
    const half = text.slice(0, text.length / 2)
    await using objects = await startObjects({
      "proposals/a.csv": (response) => {
        response.write(half)
        setTimeout(() => response.destroy(), 300)
      },
    })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    const first = Object(await lambda.invoke(event("a.csv")))
    expect(first).toMatchObject({ done: false, tally: { rows: 1000 }, continuation: { file: { etag: "streamed" } } })
    expect(lambda.log).toContainEqual(expect.objectContaining({ message: "file stopped", error: "StoreFailed" }))
    objects.objects.set("proposals/a.csv", (response) => void response.end(text))
    const second = Object(await lambda.invoke(first.continuation))
    expect(second).toMatchObject({ done: true, tally: { rows: 2500 } })
    expect(verdictsIn(objects.beside("proposals/a.csv")).map(({ index }) => index)).toEqual(
      rows.map((_, index) => index),
    )
  })

  it("names all capabilities that its parts rest on, also in the summary, and no others", async () => {
    const raised = capabilitiesText.replace(/("min_transfer": *)"[^"]*"/, '$1"500.00"')
    let current = capabilitiesText
    await using service = await startService((_, response) => sendJson(response, current))
    let breaks = [1500, 2200]
    await using objects = await startObjects({
      "proposals/a.csv": (response) => {
        const [at, ...others] = breaks
        breaks = others
        if (at === undefined) return void response.end(text)
        response.write(csvOf(...rows.slice(0, at)))
        setTimeout(() => response.destroy(), 300)
      },
    })
    const lambda = makeLambda(service.url, objects.environment)
    const results: Array<ReturnType<typeof Object>> = []
    for (const capabilities of [capabilitiesText, raised, raised]) {
      current = capabilities
      results.push(Object(await lambda.invoke(results.at(-1)?.continuation ?? event("a.csv"))))
      lambda.advance(600_000)
    }
    const [first, second, last] = results.map((result) => result.capabilities)
    expect(results.map(({ done, tally }) => [done, tally.rows])).toEqual([
      [false, 1000],
      [false, 2000],
      [true, 2500],
    ])
    expect(first).toEqual({ hash: expect.stringMatching(/^sha256:/), age_seconds: 0 })
    expect(second).toEqual({ hash: expect.not.stringContaining(first.hash), age_seconds: 0, earlier: [first.hash] })
    expect(last).toEqual(second)
    expect(JSON.parse(objects.beside("proposals/a.csv")["summary.json"] ?? "").capabilities).toEqual(last)
    const { file } = results[0].continuation
    expect(file.capabilities).toEqual([first.hash])
    for (const capabilities of [undefined, [], [second.hash], ["x"], 7]) {
      await expect(lambda.invoke({ file: { ...file, capabilities } })).rejects.toMatchObject({ name: "MalformedFile" })
    }
  })

  it("is the event that the state machine passes on until it is done", async () => {
    await using objects = await startObjects({ "proposals/a.csv": text })
    await using service = await startService()
    const lambda = makeLambda(service.url, objects.environment)
    const read = readFileSync(new URL("../deploy/proposals.asl.json", import.meta.url), "utf8")
    const machine = new StateMachine(
      JSON.parse(
        read
          .replaceAll("${Partition}", "aws")
          .replaceAll("${FunctionArn}", "arn:aws:lambda:us-east-1:123456789012:function:f"),
      ),
    )
    let isFirst = true
    const ValidatePart = async (input: unknown) => {
      const result = Object(await lambda.invoke(Object(input).Payload))
      // As if there had been time for one part.
      const tally = { rows: 1000, invalid: 0, violations: {} }
      const partly = { done: false, continuation: { file: signed({ ...result.file, tally }) } }
      const Payload = JSON.parse(JSON.stringify(isFirst ? partly : result))
      isFirst = false
      return { StatusCode: 200, Payload }
    }
    const context = { Execution: { Name: "execution-1", Id: "arn" } }
    const overrides = { taskResourceLocalHandlers: { ValidatePart } }
    const output = await machine.run(event("a.csv"), {
      overrides,
      context: context as NonNullable<RunOptions["context"]>,
    }).result
    expect(output).toMatchObject({ done: true, tally: { rows: 2500 } })
    expect(lambda.log.filter(({ message }) => message === "succeeded")).toMatchObject([
      { correlation_id: "execution-1", proposals: 2500 },
      { correlation_id: "execution-1", proposals: 1500 },
    ])
  })

  it("keeps what it has if the service asks for a pause", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      const isLate = Number(/id-(\d+)/.exec(request.url ?? "")?.[1]) > 1500
      response.writeHead(isLate ? 429 : 200, { "content-type": "application/json", "retry-after": "60" })
      response.end('{"results":[],"page_info":{"has_next_page":false}}')
    })
    await using objects = await startObjects({ "proposals/a.csv": text })
    const required = { TRANSFERS_DUPLICATE_CHECK: "required", TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "1 minute" }
    const lambda = makeLambda(service.url, { ...objects.environment, ...required })
    const first = Object(await lambda.invoke(event("a.csv")))
    expect(first).toMatchObject({ done: false, tally: { rows: 1000 } })
    await expect(lambda.invoke(first.continuation)).rejects.toMatchObject({ name: "DuplicatesUnchecked" })
  })
})
