/** The events that invoke the function, recognised by shape: AWS marks each kind, and the rest are direct invocations. */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** What finds an event again in other logs: its sender's identifier, and the trace it belongs to. */
export interface Correlation {
  readonly correlation_id?: string
  readonly trace_id?: string
}

/** A request that came through API Gateway (REST or HTTP API), a Function URL or a load balancer. */
export interface HttpEvent {
  readonly _tag: "Http"
  readonly correlation: Correlation
  /** Where it came through, which decides the form of the response. A Function URL sends what an HTTP API sends. */
  readonly integration: "rest-api" | "http-api" | "load-balancer"
  readonly method: string
  /** By lower-case name; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the response's headers must be lists: a load balancer that sends lists reads nothing else. */
  readonly multiValueHeaders: boolean
  /** As it was sent, before any content encoding is decoded. */
  readonly body: Uint8Array
}

/** Messages of an SQS queue, in the order of their arrival. */
export interface QueueEvent {
  readonly _tag: "Queue"
  readonly messages: ReadonlyArray<QueueMessage>
}

/** One message. `group` is the message group, present for a FIFO queue only. */
export interface QueueMessage {
  readonly id: string
  readonly correlation: Correlation
  readonly group?: string
  readonly body: string
}

/** A schedule fired at `time`, in RFC 3339. */
export interface ScheduleEvent {
  readonly _tag: "Schedule"
  readonly correlation: Correlation
  readonly time: string
}

/** `{"audit": …}`: an audit of a given window, or the continuation of one that ran out of time. */
export interface AuditEvent {
  readonly _tag: "Audit"
  readonly correlation: Correlation
  readonly request: unknown
}

/** A file of proposals to validate: an object that was created in S3, `{"file": …}`, or a continuation. */
export interface FileEvent {
  readonly _tag: "File"
  readonly correlation: Correlation
  readonly request: unknown
}

/** `{"capabilities": "sha256:…"}`: the capabilities with that hash, to reproduce a verdict. */
export interface CapabilitiesEvent {
  readonly _tag: "Capabilities"
  readonly correlation: Correlation
  readonly hash: string
}

/** A proposal, a list of them, or `{"transfers":[…]}`, from a direct invocation. */
export interface DirectEvent {
  readonly _tag: "Direct"
  readonly correlation: Correlation
  readonly payload: unknown
}

/** Any of them. */
export type InvocationEvent =
  | HttpEvent
  | QueueEvent
  | ScheduleEvent
  | AuditEvent
  | FileEvent
  | CapabilitiesEvent
  | DirectEvent

/** The event is of no kind that the function accepts. */
export class UnknownEvent extends Data.TaggedError("UnknownEvent")<{ readonly found: string }> {
  override get message(): string {
    return (
      `The function does not accept this event: ${this.found}. It accepts a proposal, a list of them or ` +
      `{"transfers":[…]}, invoked directly; a request through API Gateway (REST or HTTP API), a Function URL or an ` +
      `Application Load Balancer; a batch of SQS messages; an EventBridge schedule or "Object Created" of S3; {"audit":{…}}; ` +
      `{"file":{…}}; and {"capabilities":"sha256:…"}.`
    )
  }
}

/** Classifies an event. */
export const parse = (event: unknown): Result.Result<InvocationEvent, UnknownEvent> => {
  if (Array.isArray(event)) return Result.succeed({ _tag: "Direct", correlation: {}, payload: event })
  if (!Predicate.isReadonlyObject(event)) return unknown(event === null ? "null" : `a ${typeof event}`)
  if (Array.isArray(event["Records"])) return parseRecords(event["Records"])
  if (Predicate.isReadonlyObject(event["requestContext"])) return parseHttp(event, event["requestContext"])
  if (event["detail-type"] !== undefined) return parseEventBridge(event)
  const correlation = correlate(event["correlation_id"])
  if (event["audit"] !== undefined) return Result.succeed({ _tag: "Audit", correlation, request: event["audit"] })
  if (event["file"] !== undefined) return Result.succeed({ _tag: "File", correlation, request: event["file"] })
  const hash = text(event["capabilities"])
  if (hash !== undefined) return Result.succeed({ _tag: "Capabilities", correlation, hash })
  if (directFields.some((field) => Object.hasOwn(event, field))) {
    return Result.succeed({ _tag: "Direct", correlation, payload: event })
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

const unknown = (found: string) => Result.fail(new UnknownEvent({ found }))

/** Names only, and a few of them: an unknown event may contain anything. */
const list = (names: ReadonlyArray<string>): string => {
  if (names.length === 0) return "no fields"
  const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40)))
  return `the fields ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** An identifier of another form may be anything, and is not logged. */
const correlate = (id: unknown, trace?: unknown): Correlation => {
  const correlation_id = /^[\w.:=+/@-]{1,128}$/.exec(text(id) ?? "")?.[0]
  const trace_id = traceIdOf(trace)
  return {
    ...(correlation_id === undefined ? {} : { correlation_id }),
    ...(trace_id === undefined ? {} : { trace_id }),
  }
}

/** The identifier in a trace header of X-Ray or of W3C. */
export const traceIdOf = (header: unknown): string | undefined => {
  const value = text(header) ?? ""
  return (/(?:^|;)Root=([\da-f-]{35})/.exec(value) ?? /^00-([\da-f]{32})-/.exec(value))?.[1]
}

// ------------------------------------------------------------------------------------------------------ HTTP

const parseHttp = (event: Fields, context: Fields): Result.Result<HttpEvent, UnknownEvent> => {
  const http = Predicate.isReadonlyObject(context["http"]) ? context["http"] : undefined
  const method = text(http?.["method"]) ?? text(event["httpMethod"])
  if (method === undefined) return unknown("an object with a requestContext, but no HTTP method")
  const lists = Predicate.isReadonlyObject(event["multiValueHeaders"]) ? event["multiValueHeaders"] : undefined
  const headers = headersOf(Predicate.isReadonlyObject(event["headers"]) ? event["headers"] : {}, lists ?? {})
  const isLoadBalancer = Predicate.isReadonlyObject(context["elb"])
  return Result.succeed({
    _tag: "Http",
    correlation: correlate(
      headers["x-correlation-id"] ?? headers["x-request-id"] ?? context["requestId"],
      headers["x-amzn-trace-id"] ?? headers["traceparent"],
    ),
    integration: http !== undefined ? "http-api" : isLoadBalancer ? "load-balancer" : "rest-api",
    method: method.toUpperCase(),
    headers,
    multiValueHeaders: isLoadBalancer && lists !== undefined,
    body: Buffer.from(text(event["body"]) ?? "", event["isBase64Encoded"] === true ? "base64" : "utf8"),
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

// ----------------------------------------------------------------------------------------- queue and schedule

const parseRecords = (records: ReadonlyArray<unknown>): Result.Result<QueueEvent, UnknownEvent> => {
  const messages: Array<QueueMessage> = []
  for (const record of records) {
    const fields = Predicate.isReadonlyObject(record) ? record : {}
    const id = text(fields["messageId"])
    const source = text(fields["eventSource"]) ?? text(fields["EventSource"])
    if (source !== "aws:sqs" || id === undefined) {
      return unknown(`records of ${source === undefined ? "no source" : JSON.stringify(source.slice(0, 40))}`)
    }
    const attributes = Predicate.isReadonlyObject(fields["attributes"]) ? fields["attributes"] : {}
    const group = text(attributes["MessageGroupId"])
    const sent = Predicate.isReadonlyObject(fields["messageAttributes"])
      ? fields["messageAttributes"]["correlation_id"]
      : undefined
    const correlation = correlate(
      Predicate.isReadonlyObject(sent) ? sent["stringValue"] : undefined,
      attributes["AWSTraceHeader"],
    )
    messages.push({ id, correlation, ...(group === undefined ? {} : { group }), body: text(fields["body"]) ?? "" })
  }
  return messages.length === 0 ? unknown("an empty list of records") : Result.succeed({ _tag: "Queue", messages })
}

const parseEventBridge = (event: Fields): Result.Result<ScheduleEvent | FileEvent, UnknownEvent> => {
  const correlation = correlate(event["correlation_id"] ?? event["id"])
  const { "detail-type": type, source, detail } = event
  if (type === "Object Created" && source === "aws.s3" && Predicate.isReadonlyObject(detail)) {
    const { bucket, object } = detail
    const request = {
      bucket: Predicate.isReadonlyObject(bucket) ? bucket["name"] : undefined,
      key: Predicate.isReadonlyObject(object) ? object["key"] : undefined,
    }
    return Result.succeed({ _tag: "File", correlation, request })
  }
  const time = text(event["time"])
  return type === "Scheduled Event" && (source === "aws.events" || source === "aws.scheduler") && time
    ? Result.succeed({ _tag: "Schedule", correlation, time })
    : unknown(`an EventBridge event of type ${JSON.stringify(text(type)?.slice(0, 40))}`)
}
