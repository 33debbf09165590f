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
import {
  type Batch,
  type Capabilities,
  type Checkpoint,
  isTransferError,
  type Transfer,
  type TransferClient,
  type TransferError,
  type TransferPage,
} from "../src/promise.ts"

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

test("isTransferError narrows an unknown value, and the codes are a closed set for the compiler", () => {
  const adviceFor = (error: unknown): string => {
    if (!isTransferError(error)) return "not ours"
    switch (error.code) {
      case "unauthorized":
      case "invalid_request":
      case "service_unavailable":
      case "unexpected_status":
        return String(error.status)
      case "rate_limited":
        return `wait ${error.retryAfter}`
      case "connection_failed":
        return error.cause?.code ?? error.reason
      case "timed_out":
        return String(error.after)
      case "malformed_response":
        return error.pointer
      case "cursor_cycle":
      case "missing_cursor":
        return String(error.page)
      case "empty_pages":
      case "repeated_pages":
      case "outside_filter":
      case "moved_transfer":
      case "checkpoint_mismatch":
      case "cursor_expired":
      case "second_too_large":
      case "invalid_configuration":
      case "invalid_checkpoint":
      case "invalid_timestamp":
      case "malformed_proposals":
        return error.message
      default:
        return error satisfies never
    }
  }
  expect(adviceFor(new Error("no"))).toBe("not ours")
})

test("options and cursors may be undefined, filters may not", () => {
  type Search = Parameters<TransferClient["search"]>
  const page_info: TransferPage["page_info"] = { has_next_page: false }
  expectTypeOf({ after_cursor: page_info.end_cursor, limit: undefined }).toExtend<NonNullable<Search[0]>>()
  expectTypeOf({ retries: undefined, deadline: undefined, headers: undefined }).toExtend<NonNullable<Search[1]>>()
  expectTypeOf<{ external_id: undefined }>().not.toExtend<NonNullable<Search[0]>>()
  expectTypeOf<{ created_at: { gte: undefined } }>().not.toExtend<NonNullable<Search[0]>>()
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
