/** What faults do to an answer and to the way it is sent. Each is a small change; several add up in their order. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { Deviation, Page } from "@transferkit/in-memory/TransferSearch"
import type { Fault } from "../../Fault.ts"
import { type Response, type Delivery, rejection } from "../http/exchange.ts"
import { drift } from "./drift.ts"

/** How a search has to deviate before its page can be changed. `n` tells detours apart. */
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

/** A page with its faults. `firstCursor` is the one that page 1 of this search ends with. */
export const editPage = (
  page: Page,
  faults: ReadonlyArray<Fault>,
  search: { readonly request: SearchRequest; readonly firstCursor: () => string | undefined },
): Page => {
  let edited = page
  for (const fault of faults) {
    switch (fault.fault) {
      case "duplicate_rows":
        edited = { ...edited, rows: [...edited.rows.slice(0, fault.count ?? 1), ...edited.rows] }
        break
      case "repeated_cursor":
        if (search.request.after_cursor !== undefined) {
          edited = { ...edited, end_cursor: search.request.after_cursor, has_next_page: true }
        }
        break
      case "cursor_cycle":
        edited = { ...edited, end_cursor: search.firstCursor() ?? edited.end_cursor, has_next_page: true }
        break
      case "missing_cursor":
        edited = { ...edited, end_cursor: undefined, has_next_page: true }
        break
      default:
    }
  }
  return edited
}

/** What an answer is to be changed by, beside its faults. `now` is in milliseconds since 1970. */
interface Context {
  readonly hasCursor: boolean
  readonly now: number
}

/** An answer with its faults. Whatever it says, the store behind it is as it was. */
export const editResponse = (answer: Response, faults: ReadonlyArray<Fault>, context: Context): Response => {
  let edited = answer
  for (const fault of faults) edited = edit(edited, fault, context)
  return edited
}

const edit = (answer: Response, fault: Fault, { hasCursor, now }: Context): Response => {
  switch (fault.fault) {
    case "status": {
      const { status, body, headers = {} } = fault
      const plain = rejection(status, [{ code: "injected_fault", message: `This ${status} was asked for.` }], headers)
      return { ...answer, ...plain, ...(body !== undefined && { body: [Buffer.from(body, "utf8")] }) }
    }
    case "rate_limited": {
      const headers = fault.retry_after === undefined ? {} : { "retry-after": fault.retry_after }
      return { ...answer, ...rejection(429, [{ code: "rate_limited", message: "Too many requests." }], headers) }
    }
    case "redirect":
      return { ...answer, status: fault.status ?? 302, headers: { location: fault.location }, body: [] }
    case "expired_cursor":
      return hasCursor
        ? { ...answer, ...rejection(400, [{ code: "expired_cursor", message: "after_cursor has expired." }]) }
        : answer
    case "clock_skew":
      return withHeader(answer, "date", new Date(now + fault.seconds * 1000).toUTCString())
    case "content_type":
      return withHeader(answer, "content-type", fault.value)
    case "malformed":
      return withText(answer, (text) => text.slice(0, Math.ceil(text.length / 2)))
    case "bom":
      return { ...answer, body: [Buffer.from("\uFEFF", "utf8"), ...answer.body] }
    case "padding":
      return { ...answer, body: [...answer.body, Buffer.alloc(fault.bytes, " ")] }
    case "nesting":
      return withText(answer, (text) =>
        text.replace("{", () => `{"nested":${"[".repeat(fault.depth)}${"]".repeat(fault.depth)},`),
      )
    case "drift":
      return withText(answer, (text) => drift(text, fault.pointer, fault.value))
    case "latency":
      return deliver(answer, { delayMs: (answer.delivery?.delayMs ?? 0) + fault.ms })
    case "reset":
      return deliver(answer, { reset: fault.at })
    case "truncate":
      return deliver(answer, { truncateTo: fault.bytes ?? "half" })
    case "drip":
      return deliver(answer, { drip: fault })
    default:
      return answer
  }
}

const deliver = (answer: Response, delivery: Delivery): Response => ({
  ...answer,
  delivery: { ...answer.delivery, ...delivery },
})

const withHeader = (answer: Response, name: string, value: string | null): Response => {
  const { [name]: _, ...headers } = answer.headers
  return { ...answer, headers: value === null ? headers : { ...headers, [name]: value } }
}

const withText = (answer: Response, change: (text: string) => string): Response => ({
  ...answer,
  body: [Buffer.from(change(Buffer.concat(answer.body).toString("utf8")), "utf8")],
})
