/** The order within the groups of a FIFO queue, as long as batches can be. */
import { expect, test } from "vitest"
import { FailedMessages } from "../src/verdict/FailedMessages.ts"

test("a batch of 10,000 messages is not compared with itself", () => {
  let reads = 0
  const messages = Array.from({ length: 10_000 }, (_, place) => ({
    id: `m-${place}`,
    correlation: {},
    body: "",
    get group() {
      reads += 1
      return place % 2 === 0 ? "even" : "odd"
    },
  }))
  const failed = new FailedMessages(messages)
  for (const [place, message] of messages.entries()) if (place === 4998 || failed.isBehind(message)) failed.add(message)
  expect(messages.filter((message) => failed.has(message)).length).toBe(2501)
  expect(failed.size).toBe(2501)
  // One for each question and each failure.
  expect(reads).toBeLessThanOrEqual(2 * messages.length)
})
