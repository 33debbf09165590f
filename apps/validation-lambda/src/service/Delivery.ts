/** Sends results to the destination of the settings, in batches. It is loaded only if there is one. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Destination } from "../Settings.ts"
import type { Delivery, Failures } from "./DestinationCall.ts"
import * as DestinationCall from "./DestinationCall.ts"

/** A result could not be sent. */
export class DeliveryFailed extends Data.TaggedError("DeliveryFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `The result could not be sent to the destination: ${this.reason}. Check the destination and the function's role.`
  }
}

/** Attempts in all, and milliseconds before the second one; the wait doubles each time. */
const attempts = 3
const firstWait = 100

/** Each service takes ten entries at a time, in so many bytes: a queue 1 MiB, the others 256 KiB, less what we add. */
const maxEntries = 10
const maxBytes = { Queue: 1_000_000, Topic: 240_000, EventBus: 240_000 }

/** Sends deliveries in their order. After a failure the rest of its group is not sent and fails too: nothing overtakes. */
export const send = Effect.fnUntraced(function* (destination: Destination, deliveries: ReadonlyArray<Delivery>) {
  const failures = new Map<string, string>()
  const failedGroups = new Map<string, string>()
  const limit = maxBytes[destination._tag]
  for (const batch of batchesOf(deliveries, limit)) {
    const open = batch.filter(({ id, group = id }) => !failedGroups.has(group))
    const tooLarge = open.filter((delivery) => sizeOf(delivery) > limit)
    const failed = new Map([
      ...tooLarge.map((delivery) => [delivery.id, reasonOf(sizeOf(delivery), limit)] as const),
      // A batch with one that is too large has only that one.
      ...(yield* sendBatch(destination, tooLarge.length > 0 ? [] : open)),
    ])
    for (const { id, group = id } of batch) {
      const reason = failed.get(id) ?? failedGroups.get(group)
      if (reason === undefined) continue
      failures.set(id, reason)
      failedGroups.set(group, reason)
    }
  }
  const found: Failures = failures
  return found
})

const sizeOf = (delivery: Delivery): number => Buffer.byteLength(JSON.stringify(delivery))

const reasonOf = (size: number, limit: number): string =>
  `TooLarge: it has ${size} bytes, and the destination takes ${limit}; send fewer proposals in a message`

/** Within the limits, and at most one delivery of each group: the entries of a batch can fail one by one. */
const batchesOf = (deliveries: ReadonlyArray<Delivery>, limit: number): ReadonlyArray<ReadonlyArray<Delivery>> => {
  const batches: Array<Array<Delivery>> = []
  let bytes = 0
  for (const delivery of deliveries) {
    const size = sizeOf(delivery)
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      last.length < maxEntries &&
      bytes + size <= limit &&
      (delivery.group === undefined || last.every(({ group }) => group !== delivery.group))
    bytes = fits ? bytes + size : size
    if (fits) last.push(delivery)
    else batches.push([delivery])
  }
  return batches
}

const sendBatch = Effect.fnUntraced(function* (destination: Destination, batch: ReadonlyArray<Delivery>) {
  let open = batch
  let failures: Failures = new Map()
  for (let attempt = 0; attempt < attempts && open.length > 0; attempt += 1) {
    if (attempt > 0) yield* Effect.sleep(firstWait * 2 ** (attempt - 1))
    failures = yield* DestinationCall.send(destination, open).pipe(
      Effect.catch(({ reason }) => Effect.succeed<Failures>(new Map(open.map(({ id }) => [id, reason])))),
    )
    const sent = { attempt: attempt + 1, results: open.length, failed: failures.size }
    yield* Effect.annotateLogs(Effect.logDebug("results sent"), sent)
    open = open.filter(({ id }) => failures.has(id))
  }
  return failures
})
