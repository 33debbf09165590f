/** What a source holds is read before its transfers: a pass that ends meanwhile makes no command claim more. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { memory, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Audit from "../src/commands/audit/Run.ts"
import * as Show from "../src/commands/show/Run.ts"
import * as Summary from "../src/commands/summary/Run.ts"
import { Globals } from "../src/flags/Globals.ts"
import * as Screens from "../src/terminal/Screen.ts"
import * as TerminalCapabilities from "../src/terminal/TerminalCapabilities.ts"
import * as GivenGlobals from "./GivenGlobals.ts"

const [early, late] = [Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), Timestamp.parseUnsafe("2024-10-01T00:00:00Z")]

/** A pass ends as soon as its transfers are read. */
const passing = (before: Coverage.Coverage, after: Coverage.Coverage): TransferSource["Service"] => {
  let isRead = false
  const reading = <A>(value: A) => Effect.sync(() => ((isRead = true), value))
  return {
    ...Effect.runSync(memory({ transfers: [] })),
    coverage: Effect.sync(() => (isRead ? after : before)),
    transfers: () => Stream.fromEffect(reading({ results: [] })),
    find: () => Stream.drain(Stream.fromEffect(reading([]))),
  }
}

/** Runs a command over a source, and returns what it printed or how it failed. */
const run = async <A, E>(
  command: Effect.Effect<A, E, Globals | Screens.Screen | TransferSource | NodeServices.NodeServices>,
  source: TransferSource["Service"],
) => {
  let printed = ""
  const output: Screens.Output = {
    capabilities: TerminalCapabilities.of({}, { env: {}, noColour: true }),
    write: (text) => Effect.sync(() => void (printed += text)),
  }
  const globals = Globals.of({
    ...GivenGlobals.none,
    from: "transfers.db",
    output: "json",
    noColor: true,
    quiet: true,
  })
  const exit = await Effect.runPromise(
    Effect.result(command).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.succeed(Globals, globals),
          Layer.succeed(Screens.Screen, Screens.over({ stdout: output, stderr: output })),
          Layer.succeed(TransferSource, source),
          NodeServices.layer,
        ),
      ),
    ),
  )
  return { printed, exit }
}

const filters = {
  external_id: undefined,
  since: undefined,
  until: undefined,
  created_at: [],
  stuck: undefined,
  status: [],
  kind: [],
  currency: [],
  payment_method: [],
  time_zone: undefined,
}

test("summary and audit say as of when their transfers had been read", async () => {
  const capabilities = { supported_countries: [], supported_currencies: [], supported_payment_methods: [] }
  const summary = Summary.run({ ...filters, by: "status", field: undefined, csv_dialect: undefined, chart: false })
  const audit = Audit.run({ ...filters, capabilities: undefined, fees: undefined })
  for (const command of [summary, audit]) {
    const source = {
      ...passing(Coverage.upTo(early), Coverage.upTo(late)),
      capabilities: Effect.succeed({ ...capabilities, transfer_limits: {} }),
    }
    const { printed } = await run(command, source)
    expect(JSON.parse(printed).source.as_of).toBe(early.text)
  }
})

test("show says that nothing has a key only of what had been read when it looked", async () => {
  const flags = { columns: undefined, time_zone: undefined, csv_dialect: undefined }
  const projection = { json: undefined, jq: undefined, template: undefined, timeout: 1 }
  const show = Show.run({ id: "no-such-order", ...flags, ...projection })
  const half = { ...Coverage.upTo(early), unread: CreatedAt.lte(early) }
  const { exit } = await run(show, passing(half, Coverage.upTo(late)))
  expect(exit).toMatchObject({ failure: { _tag: "NotCovered" } })
})
