/**
 * What the function can be invoked with, told apart by shape: AWS marks each kind of event in its own way, and a
 * direct invocation is whatever its caller sends.
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** A request that came through API Gateway (REST or HTTP API), a Function URL or a load balancer. */
export interface HttpEvent {
  readonly _tag: "Http"
  /** Which front sent it, and so which form its answer takes. */
  readonly front: "rest-api" | "http-api" | "load-balancer"
  readonly method: string
  /** By lower-case name; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the answer's headers must be lists: a load balancer that sends lists reads nothing else. */
  readonly multiValueHeaders: boolean
  readonly body: string
}

/** Messages of an SQS queue, in the order in which they came. */
export interface QueueEvent {
  readonly _tag: "Queue"
  readonly messages: ReadonlyArray<QueueMessage>
}

/** One message. `group` is the message group of a FIFO queue, absent elsewhere. */
export interface QueueMessage {
  readonly id: string
  readonly group?: string
  readonly body: string
}

/** The clock struck: `time` is when, in RFC 3339. */
export interface ScheduleEvent {
  readonly _tag: "Schedule"
  readonly time: string
}

/** `{"audit": …}`: an audit of a window of one's own, or the rest of one that ran out of time. */
export interface AuditEvent {
  readonly _tag: "Audit"
  readonly request: unknown
}

/** A proposal, or `{"transfers":[…]}`, from a direct invocation. */
export interface DirectEvent {
  readonly _tag: "Direct"
  readonly payload: { readonly [field: string]: unknown }
}

/** Any of them. */
export type InvocationEvent = HttpEvent | QueueEvent | ScheduleEvent | AuditEvent | DirectEvent

/** The event is of none of the kinds that are accepted. */
export class UnknownEvent extends Data.TaggedError("UnknownEvent")<{ readonly found: string }> {
  override get message(): string {
    return (
      `This event is not one the function accepts: ${this.found}. Accepted are a proposal or {"transfers":[…]} ` +
      `invoked directly; a request through API Gateway (REST or HTTP API), a Function URL or an Application Load ` +
      `Balancer; a batch of SQS messages; an EventBridge schedule; and {"audit":{…}}.`
    )
  }
}

/** Tells what an event is. */
export const parse = (event: unknown): Result.Result<InvocationEvent, UnknownEvent> => {
  if (!isObject(event))
    return unknown(event === null ? "null" : Array.isArray(event) ? "an array" : `a ${typeof event}`)
  if (Array.isArray(event["Records"])) return parseRecords(event["Records"])
  if (isObject(event["requestContext"])) return parseHttp(event, event["requestContext"])
  if (event["detail-type"] !== undefined) return parseSchedule(event)
  if (event["audit"] !== undefined) return Result.succeed({ _tag: "Audit", request: event["audit"] })
  if (directFields.some((field) => Object.hasOwn(event, field))) {
    return Result.succeed({ _tag: "Direct", payload: event })
  }
  return unknown(`an object with ${list(Object.keys(event))}`)
}

const directFields = [
  "transfers",
  "source",
  "destination_currency_code",
  "country_code",
  "payment_method",
  "external_id",
] as const

type Fields = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unknown = (found: string) => Result.fail(new UnknownEvent({ found }))

/** Names only, and not many: what else is in a foreign event is nobody's business. */
const list = (names: ReadonlyArray<string>): string => {
  if (names.length === 0) return "no fields"
  const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40)))
  return `the fields ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

// ------------------------------------------------------------------------------------------------------ HTTP

const parseHttp = (event: Fields, context: Fields): Result.Result<HttpEvent, UnknownEvent> => {
  const http = isObject(context["http"]) ? context["http"] : undefined
  const method = text(http?.["method"]) ?? text(event["httpMethod"])
  if (method === undefined) return unknown("an object with a requestContext, but no HTTP method")
  const lists = isObject(event["multiValueHeaders"]) ? event["multiValueHeaders"] : undefined
  const isLoadBalancer = isObject(context["elb"])
  return Result.succeed({
    _tag: "Http",
    front: http !== undefined ? "http-api" : isLoadBalancer ? "load-balancer" : "rest-api",
    method: method.toUpperCase(),
    headers: headersOf(isObject(event["headers"]) ? event["headers"] : {}, lists ?? {}),
    multiValueHeaders: isLoadBalancer && lists !== undefined,
    body: bodyOf(text(event["body"]) ?? "", event["isBase64Encoded"] === true),
  })
}

const headersOf = (single: Fields, lists: Fields): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(single)) {
    if (typeof value === "string") headers[name.toLowerCase()] = value
  }
  for (const [name, values] of Object.entries(lists)) {
    if (Array.isArray(values)) headers[name.toLowerCase()] = values.filter((value) => text(value)).join(", ")
  }
  return headers
}

const bodyOf = (body: string, isBase64: boolean): string =>
  isBase64 ? Buffer.from(body, "base64").toString("utf8") : body

// ----------------------------------------------------------------------------------------- queue and schedule

const parseRecords = (records: ReadonlyArray<unknown>): Result.Result<QueueEvent, UnknownEvent> => {
  const messages: Array<QueueMessage> = []
  for (const record of records) {
    const fields = isObject(record) ? record : {}
    const id = text(fields["messageId"])
    const source = text(fields["eventSource"]) ?? text(fields["EventSource"])
    if (source !== "aws:sqs" || id === undefined) {
      return unknown(`records of ${source === undefined ? "no source" : JSON.stringify(source.slice(0, 40))}`)
    }
    const attributes = isObject(fields["attributes"]) ? fields["attributes"] : {}
    const group = text(attributes["MessageGroupId"])
    messages.push({ id, ...(group === undefined ? {} : { group }), body: text(fields["body"]) ?? "" })
  }
  return messages.length === 0 ? unknown("an empty list of records") : Result.succeed({ _tag: "Queue", messages })
}

const parseSchedule = (event: Fields): Result.Result<ScheduleEvent, UnknownEvent> => {
  const time = text(event["time"])
  const source = event["source"]
  return event["detail-type"] === "Scheduled Event" && (source === "aws.events" || source === "aws.scheduler") && time
    ? Result.succeed({ _tag: "Schedule", time })
    : unknown(`an EventBridge event of type ${JSON.stringify(text(event["detail-type"])?.slice(0, 40))}`)
}
