/** Every example in a docstring and in the README gives the result it shows, and every public function has one. */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Decimal } from "decimal.js"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"
import { TransferApi } from "../src/TransferApi.ts"
import { TransferPager } from "../src/TransferPager.ts"
import { capabilities, proposal, transfer } from "./fixtures/service.ts"
import * as ScriptedService from "./ScriptedService.ts"

const folder = join(import.meta.dirname, "../src")
/** A service of three transfers, on two pages. */
const search = ScriptedService.inOrder(["tr_3", "tr_2"], ["tr_1"])
const service = Layer.succeed(TransferApi, {
  origin: Effect.succeed(undefined),
  capabilities: Effect.succeed(capabilities),
  search: (request) => Effect.succeed(ScriptedService.page(search(request))),
})
const pager = await Effect.runPromise(
  Effect.provide(Effect.service(TransferPager), Layer.provide(TransferPager.layer, service)),
)

const scope = { DateTime, Decimal, Effect, Equal, Result, S, Stream, capabilities, proposal, transfer }
const ofPager = { Layer, Ref, TransferPager, pager, service }

await holdTheExamplesOf(folder, {
  least: 90,
  scope: { ...scope, ...ofPager },
  ofEveryFunction: true,
  ofEveryExport: ["TransferPager"],
})

describe("README.md", async () => {
  const names = readdirSync(folder).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.slice(1) ?? [])
  const modules = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await import(`../src/${name}.ts`)] as const)),
  )
  const readme = readFileSync(join(folder, "../README.md"), "utf8")
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code)

  test.each(blocks)("%#", (block) => {
    const body = block.replaceAll(/^import .*$/gm, "").replaceAll(/^(?!const )(.+) \/\/ => (.+)$/gm, "check($1, $2)")
    expect(body).not.toContain("// =>")
    const check = (actual: unknown, expected: unknown) => expect(actual).toStrictEqual(expected)
    const known = { check, ...modules, ...scope }
    new Function(...Object.keys(known), body)(...Object.values(known))
    expect.assertions(1 + (block.match(/\/\/ =>/g)?.length ?? 0))
  })
})
