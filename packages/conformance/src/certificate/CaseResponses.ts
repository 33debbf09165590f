/** Responses without what differs each time, so that those of two runs can be compared. */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import { type CaseResponse, varying } from "@transferkit/http-api/ServiceBehaviour"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { RawResponse } from "../RawRequests.ts"

/** Headers of the connection and of the length, which say nothing about the service. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "te",
  "trailer",
  "upgrade",
])
/** Headers that may be equal by chance, or that identify a person. */
const alwaysVarying = {
  test: (name: string): boolean =>
    /^(?:date|age|set-cookie|expires|last-modified|retry-after|x-request-id|request-id|traceparent)$/.test(name) ||
    (/^(?:x-)?rate-?limit-/.test(name) && (name.includes("remaining") || name.includes("reset"))),
}

const maxBody = 1024

/** The headers that matter, with those that differ marked. */
export const headersOf = (
  { headers }: RawResponse,
  again: Readonly<Record<string, string>> = headers,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(headers)
      .filter((name) => !ofConnection.has(name))
      .map((name) => [
        name,
        alwaysVarying.test(name) || again[name] !== headers[name] ? varying : (headers[name] ?? ""),
      ]),
  )

/** A response, with what differs in a second one to the same request marked. */
export const of = (response: RawResponse, again: RawResponse = response): CaseResponse => ({
  status: response.status,
  headers: headersOf(response, again.headers),
  ...(response.status >= 400 && { body: bodyOf(response.body, again.body) }),
})

const bodyOf = (body: string, again: string): string => {
  if (body.length > maxBody) return `${body.slice(0, maxBody)}…`
  if (body === again) return body
  const [left, right] = [JsonDepth.parse(body), JsonDepth.parse(again)]
  return Result.isSuccess(left) && Result.isSuccess(right)
    ? JSON.stringify(merge(left.success, right.success))
    : mergeWords(body, again)
}

/** Word by word, if there are as many. */
const mergeWords = (left: string, right: string): string => {
  const [words, others] = [left, right].map((text) => text.split(/(\s+)/))
  if (words === undefined || words.length !== others?.length) return varying
  return words.map((word, index) => (word === others[index] ? word : varying)).join("")
}

const merge = (left: unknown, right: unknown): unknown => {
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return left.map((item, index) => merge(item, right[index]))
  }
  if (Predicate.isReadonlyObject(left) && Predicate.isReadonlyObject(right)) {
    return Object.fromEntries(Object.entries(left).map(([name, value]) => [name, merge(value, right[name])]))
  }
  return JSON.stringify(left) === JSON.stringify(right) ? left : varying
}

/** A response in words: its status, its type, and the shape of its body. */
export const describe = ({ status, header, body }: RawResponse): string => {
  const type = header("content-type")?.replace(/;.*/s, "") ?? "no content type"
  return `status ${status}, ${type}, ${shapeOf(body)}`
}

/** The shape of a body, without what it says. */
export const shapeOf = (body: string): string => {
  if (body === "") return "an empty body"
  const value = Result.try((): unknown => JSON.parse(body))
  if (Result.isFailure(value)) return "a body that is not JSON"
  const deeper = JsonDepth.findDeeper(value.success)
  if (deeper !== undefined) return "a body that is nested too deep"
  const shape = skeleton(value.success)
  return shape.length > maxShape ? `${shape.slice(0, maxShape)}…` : shape
}

const maxShape = 500

/** A JSON value with its leaves replaced by the names of their types, such as `{errors: [{code: string}]}`. */
const skeleton = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.slice(0, 1).map(skeleton).join("")}]`
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value
  const fields = Object.entries(value)
    .slice(0, 50)
    .map(([name, inner]) => `${name}: ${skeleton(inner)}`)
  return `{${fields.join(", ")}}`
}
