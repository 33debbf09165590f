/** The changes that faults make to a response and its delivery. Each is small; several apply in their order, those that break JSON last. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Draw from "@transferkit/in-memory/Draw"
import type { Deviation, Page } from "@transferkit/in-memory/TransferSearch"
import * as Result from "effect/Result"
import type { Fault } from "../../Fault.ts"
import * as Latency from "../../Latency.ts"
import { type Response, type Delivery, rejection } from "../Exchange.ts"
import * as Additions from "./Additions.ts"
import { drift } from "./Drift.ts"

/** How a search has to deviate before its page can be changed. `n` distinguishes detours. */
export const deviationOf = (faults: ReadonlyArray<Fault>, n: number): Deviation => {
  let extraRows = 0
  let detour: number | undefined
  for (const fault of faults) {
    if (fault.fault === "extra_rows") extraRows += fault.count ?? 1
    else if (fault.fault === "duplicate_rows") extraRows -= fault.count ?? 1
    else if (fault.fault === "empty_page") detour = n
  }
  return { extraRows, detour }
}

/** A page with its faults, and what they could not do. */
interface EditedPage {
  readonly page: Page
  readonly problems: ReadonlyArray<string>
}

/** A page with its faults. `firstCursor` is the one that page 1 of this search ends with. */
export const editPage = (
  page: Page,
  faults: ReadonlyArray<Fault>,
  search: { readonly request: SearchRequest; readonly firstCursor: () => string | undefined },
): EditedPage => {
  const { rows, problems } = duplicate(page.rows, faults)
  let edited = rows === page.rows ? page : { ...page, rows }
  let first: { readonly cursor: string | undefined } | undefined
  for (const fault of faults) {
    switch (fault.fault) {
      case "repeated_cursor":
        if (search.request.after_cursor !== undefined) {
          edited = { ...edited, end_cursor: search.request.after_cursor, has_next_page: true }
        }
        break
      case "cursor_cycle":
        first ??= { cursor: search.firstCursor() }
        edited = { ...edited, end_cursor: first.cursor ?? edited.end_cursor, has_next_page: true }
        break
      case "missing_cursor":
        edited = { ...edited, end_cursor: undefined, has_next_page: true }
        break
      default:
    }
  }
  return { page: edited, problems }
}

type Rows = Page["rows"]

/** Repeats the first rows, for one fault after the other. */
const duplicate = (
  rows: Rows,
  faults: ReadonlyArray<Fault>,
): { readonly rows: Rows; readonly problems: ReadonlyArray<string> } => {
  const problems: Array<string> = []
  // The first row is the last here: to add rows before it takes no copy of all.
  const reversed = rows.toReversed()
  let bytes = 0
  for (const fault of faults) {
    if (fault.fault !== "duplicate_rows") continue
    const again = reversed.slice(-Additions.rowsOf(fault))
    bytes += sizeOf(again)
    if (bytes > Additions.mostBytes) {
      problems.push(`duplicate_rows: all faults of a response together may add ${Additions.mostBytes} bytes of rows`)
      break
    }
    reversed.push(...again)
  }
  return { rows: reversed.length === rows.length ? rows : reversed.toReversed(), problems }
}

const sizeOf = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((sum, part) => sum + part.byteLength, 0)

/** The request, as far as faults depend on it. */
interface Context {
  readonly hasCursor: boolean
  /** In milliseconds since 1970. */
  readonly now: number
  /** For draws: the same in every run. */
  readonly key: number
}

/** A response with its faults, and what they could not do. */
export interface Edited {
  readonly response: Response
  readonly problems: ReadonlyArray<string>
}

/** What they leave is no JSON that others could change, so they come last. */
const breaksJson: ReadonlySet<Fault["fault"]> = new Set(["malformed", "bom"])

/** Applies faults to a response. The store behind it does not change. */
export const editResponse = (response: Response, faults: ReadonlyArray<Fault>, context: Context): Edited => {
  const problems: Array<string> = []
  const budget: Budget = { left: Additions.mostBytes }
  let edited = response
  const inOrder = [false, true].flatMap((isLast) => faults.filter(({ fault }) => breaksJson.has(fault) === isLast))
  for (const fault of inOrder) {
    const result = edit(edited, fault, context, budget)
    if (Result.isSuccess(result)) edited = result.success
    else problems.push(`${fault.fault}: ${result.failure}`)
  }
  return { response: edited, problems }
}

const edit = (response: Response, fault: Fault, context: Context, budget: Budget): Result.Result<Response, string> => {
  switch (fault.fault) {
    case "malformed":
      return withText(response, budget, (text) => Result.succeed(text.slice(0, Math.ceil(text.length / 2))))
    case "nesting":
      return withText(response, budget, (text) =>
        Result.succeed(text.replace("{", () => `{"nested":${"[".repeat(fault.depth)}${"]".repeat(fault.depth)},`)),
      )
    case "drift":
      return withText(response, budget, (text) => drift(text, fault.pointer, fault.value), driftCost)
    case "status":
    case "padding":
    case "garbage":
      return Result.map(spend(budget, ...costOf(fault)), () => replace(response, fault, context))
    default:
      return Result.succeed(replace(response, fault, context))
  }
}

const replace = (response: Response, fault: Fault, { hasCursor, now, key }: Context): Response => {
  switch (fault.fault) {
    case "status": {
      const { status, body } = fault
      const headers = Object.fromEntries(
        Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const plain = rejection(status, [{ code: "injected_fault", message: `Fault rule: status ${status}.` }], headers)
      return { ...response, ...plain, ...(body !== undefined && { body: [Buffer.from(body, "utf8")] }) }
    }
    case "rate_limited": {
      const headers = fault.retry_after === undefined ? {} : { "retry-after": fault.retry_after }
      return { ...response, ...rejection(429, [{ code: "rate_limited", message: "Too many requests." }], headers) }
    }
    case "redirect":
      return { ...response, status: fault.status ?? 302, headers: { location: fault.location }, body: [] }
    case "expired_cursor":
      return hasCursor
        ? { ...response, ...rejection(400, [{ code: "expired_cursor", message: "after_cursor has expired." }]) }
        : response
    case "clock_skew":
      return withHeader(response, "date", new Date(now + fault.seconds * 1000).toUTCString())
    case "content_type":
      return withHeader(response, "content-type", fault.value)
    case "bom":
      return { ...response, body: [Buffer.from("\uFEFF", "utf8"), ...response.body] }
    case "padding":
      return { ...response, body: [...response.body, ...blanksOf(fault.bytes)] }
    case "latency": {
      const before = response.delivery?.delayMs ?? 0
      const drawn = Latency.parse(fault.distribution ?? "")
      // Another key for each delay of the response.
      const ms = Result.isSuccess(drawn) ? Latency.draw(drawn.success, Draw.keyOf(key, before)) : (fault.ms ?? 0)
      return deliver(response, { delayMs: before + ms })
    }
    case "no_reply":
      return deliver(response, { isWithheld: true })
    case "empty_reply":
      return deliver(response, { instead: new Uint8Array() })
    case "garbage":
      return deliver(response, { instead: garbageOf(key, fault.bytes ?? usualGarbage) })
    case "reset":
      return deliver(response, { reset: fault.at })
    case "truncate":
      return deliver(response, { truncateTo: fault.bytes ?? "half" })
    case "drip":
      return deliver(response, { drip: fault })
    case "bad_chunk":
      return deliver(response, { hasBadChunk: true })
    case "bad_gzip":
      return deliver(response, { hasBadGzip: true })
    default:
      return response
  }
}

const deliver = (response: Response, delivery: Delivery): Response => ({
  ...response,
  delivery: { ...response.delivery, ...delivery },
})

const usualGarbage = 1024

/** Bytes of 128 and above, which no HTTP starts with. */
const garbageOf = (key: number, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => 128 + Draw.below(key, index, 128))

const withHeader = (response: Response, name: string, value: string | null): Response => {
  const { [name]: _, ...headers } = response.headers
  return { ...response, headers: value === null ? headers : { ...headers, [name]: value } }
}

/** One piece of blanks, shared by all responses: padding takes no memory of its own. */
const blanks = Buffer.alloc(1024 * 1024, " ")

const blanksOf = (bytes: number): ReadonlyArray<Uint8Array> => [
  ...Array.from({ length: Math.floor(bytes / blanks.byteLength) }, () => blanks),
  blanks.subarray(0, bytes % blanks.byteLength),
]

/** The text that the faults of one response may still read and write, in bytes. Mutable. */
interface Budget {
  left: number
}

/** To parse, walk and write JSON takes as long as to copy this many times its text. */
const driftCost = 32

/** And so does it to draw garbage. */
const garbageCost = 32

/** The bytes of a fault that are made, and what each costs. */
const costOf = (
  fault: Extract<Fault, { readonly fault: "status" | "padding" | "garbage" }>,
): readonly [bytes: number, cost: number] => {
  if (fault.fault === "status") return [Buffer.byteLength(fault.body ?? "", "utf8"), 1]
  return fault.fault === "padding" ? [fault.bytes, 1] : [fault.bytes ?? usualGarbage, garbageCost]
}

/** A fault may make a body larger for the one after it, so what is bounded is the work of all of them. */
const spend = (budget: Budget, bytes: number, cost: number): Result.Result<void, string> => {
  if (cost * bytes > budget.left)
    return Result.fail(`all faults of a response together may edit ${Additions.mostBytes / cost} bytes of text`)
  budget.left -= cost * bytes
  return Result.void
}

const withText = (
  response: Response,
  budget: Budget,
  change: (text: string) => Result.Result<string, string>,
  cost = 1,
): Result.Result<Response, string> =>
  Result.gen(function* () {
    yield* spend(budget, sizeOf(response.body), cost)
    const edited = Buffer.from(yield* change(Buffer.concat(response.body).toString("utf8")), "utf8")
    budget.left -= edited.byteLength
    return { ...response, body: [edited] }
  })
