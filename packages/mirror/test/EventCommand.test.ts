/** Commands for events that cannot be started. */
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as EventCommand from "../src/internal/EventCommand.ts"

test.each([
  ["it is too long", "x".repeat(200_000), /^cannot be started \(.*E2BIG/],
  ["it has a NUL", "true \0", /^cannot be started \(.*null bytes/],
])("a command cannot be started if %s, which is a failure like any other", async (_, command, failure) => {
  const transfer = Result.getOrThrow(
    Transfer.fromJson('{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'),
  )
  expect(await Effect.runPromise(EventCommand.run(command, { event: "created", transfer }, process.env))).toMatch(
    failure,
  )
})
