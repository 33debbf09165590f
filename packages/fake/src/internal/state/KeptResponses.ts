/** The latest responses, with the start of their bodies, so that the console can show what a client got. */
import type { Delivery, Response } from "../Exchange.ts"

/** How many responses are kept, and how many bytes of each body. */
const most = 100
const maxBytes = 32 * 1024

/** The memory of one response; it serves another one later. */
interface Slot {
  id: string
  status: number
  headers: Readonly<Record<string, string>>
  delivery: Delivery | undefined
  length: number
  readonly bytes: Buffer
}

/** The latest responses. Mutable. */
export interface KeptResponses {
  readonly slots: Array<Slot>
  next: number
}

/** No responses. */
export const make = (): KeptResponses => ({ slots: [], next: 0 })

/** Keeps a response, in place of the oldest one. Copies its body, whose memory is reused once it is sent. */
export const keep = (self: KeptResponses, id: string, { status, headers, body, delivery }: Response): void => {
  const bytes = self.slots[self.next]?.bytes ?? Buffer.allocUnsafeSlow(maxBytes)
  let length = 0
  for (const part of body) {
    if (length >= maxBytes) break
    const copied = part.byteLength <= maxBytes - length ? part : part.subarray(0, maxBytes - length)
    bytes.set(copied, length)
    length += copied.byteLength
  }
  self.slots[self.next] = { id, status, headers, delivery, length, bytes }
  self.next = (self.next + 1) % most
}

/** Removes all responses. */
export const clear = (self: KeptResponses): void => {
  self.slots.length = 0
  self.next = 0
}

/** A kept response. */
export interface KeptResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The start of the body, as text. */
  readonly body: string
  /** What happened to it on its way, in words. */
  readonly notes: ReadonlyArray<string>
}

/** The response with this `x-request-id`, if it is still kept. */
export const find = (self: KeptResponses, id: string): KeptResponse | undefined => {
  const slot = self.slots.find((each) => each.id === id)
  if (slot === undefined) return undefined
  const { status, headers, delivery } = slot
  const body = slot.bytes.toString("utf8", 0, slot.length)
  return { status, headers: { ...headers, "x-request-id": id }, body, notes: delivery ? notesOf(delivery) : [] }
}

const notesOf = ({ isWithheld, instead, reset, truncateTo, hasBadGzip, hasBadChunk }: Delivery) =>
  [
    isWithheld === true && "Nothing of this was sent: the connection stayed open without a response.",
    instead && `Nothing of this was sent: the connection ended after ${instead.byteLength} bytes that are not HTTP.`,
    reset === "before" && "Nothing of this was sent: the connection was reset before.",
    reset === "headers" && "The connection was reset within the headers.",
    reset === "body" && "The connection was reset within the body.",
    truncateTo !== undefined &&
      `The connection ended after ${truncateTo === "half" ? "half" : `${truncateTo} bytes`} of the body.`,
    hasBadGzip === true && "The body was compressed with a wrong checksum.",
    hasBadChunk === true && "Half of the body was followed by an invalid chunk.",
  ].filter((note) => typeof note === "string")
