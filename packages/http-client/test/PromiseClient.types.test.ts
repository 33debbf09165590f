/** The types of the Promise client, for programs that do not have Effect. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as Domain from "@transferkit/domain/Capabilities"
import type { Checkpoint as DomainCheckpoint } from "@transferkit/domain/Checkpoint"
import type { Transfer as DomainTransfer } from "@transferkit/domain/Transfer"
import type { Batch as DomainBatch } from "@transferkit/domain/TransferPager"
import { expect, expectTypeOf, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { version } from "../src/internal/UserAgent.ts"
import type { Batch, Capabilities, Checkpoint, Transfer, TransferError } from "../src/promise.ts"

test("what the client returns has the types that it promises", () => {
  expectTypeOf<DomainTransfer>().toExtend<Transfer>()
  expectTypeOf<keyof Transfer>().toEqualTypeOf<keyof DomainTransfer>()
  expectTypeOf<DomainBatch>().toExtend<Batch>()
  expectTypeOf<DomainCheckpoint>().toExtend<Checkpoint>()
  expectTypeOf<Domain.Capabilities>().toExtend<Omit<Capabilities, "response">>()
})

test("the code of an error tells its fields", () => {
  const waitOf = (error: TransferError) => (error.code === "rate_limited" ? error.retryAfter : undefined)
  expectTypeOf(waitOf).returns.toEqualTypeOf<number | undefined>()
})

test("no module that its types can reach imports Effect", () => {
  const reached = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    const declarations = file.endsWith("/promise.ts") ? exportsOf(file) : readFileSync(file, "utf8")
    for (const [, specifier = ""] of declarations.matchAll(/from "([^"]+)"/g)) {
      if (specifier.startsWith(".")) visit(createRequire(file).resolve(specifier))
      else packages.add(specifier)
    }
  }
  visit(new URL("../src/promise.ts", import.meta.url).pathname)
  expect([...packages]).toEqual(["decimal.js"])
  expect(reached.size).toBeGreaterThan(3)
})

/** Without the implementation, which the declarations do not name. */
const exportsOf = (file: string): string =>
  readFileSync(file, "utf8").replace(/import \{ createClient \} from "[^"]+"/, "")

test("the User-Agent names the version of the package", () => {
  expect(version).toBe(manifest.version)
})
