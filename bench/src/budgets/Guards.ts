/** What enforces a budget: instructions that are counted, a figure of a benchmark, a test. */
import { join } from "node:path"
import type { Instructions, Measured, Program, Serving, Test } from "./Budget.ts"

/** A path of the repository. */
export const inRepository = (path: string): string => join(import.meta.dirname, "../../..", path)

export const start = (...args: ReadonlyArray<string>): Program => ({ kind: "process", args })

/** Loads a module. The settings name a service, which receives no request. */
export const load = (file: string): Program => ({
  kind: "process",
  args: ["-e", `import(${JSON.stringify(file)})`],
  env: {
    TRANSFERS_BASE_URL: "http://127.0.0.1:9",
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  },
})

export const server = (name: Serving["server"], rows = 1000): Program => ({ kind: "server", server: name, rows })
export const firstPages = (name: Serving["server"]): Program => ({
  kind: "server",
  server: name,
  rows: 1000,
  isFirst: true,
})

/** An operation of a benchmark, done by us and by a peer. */
export const operation = (
  bench: string,
  name: string,
  peer: string,
  limits: { readonly warmUp: number; readonly times: number; readonly runs?: number; readonly atMost: number },
  ours = "TransferKit",
): Instructions => {
  const { atMost, ...how } = limits
  const program = (contestant: string): Program => ({
    kind: "operation",
    bench,
    contestant,
    operation: name,
    ...how,
  })
  return { kind: "instructions", ours: program(ours), against: program(peer), atMost }
}

export const measured = (
  bench: string,
  metric: string,
  [of, to]: readonly [of: string, to?: string],
  per = 1,
): Measured => ({
  kind: "measured",
  bench,
  metric,
  of,
  ...(to === undefined ? {} : { to }),
  per,
})

/** A test that asserts the limit itself. */
export const test = (file: string, name: string, asserts: string, rest: Partial<Test> = {}): Test => ({
  kind: "test",
  file,
  name,
  asserts,
  ...rest,
})
