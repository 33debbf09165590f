/** Looks keys up that no transfer of the period has: in a file by reading it again, in a service by a request each. */
import { basename } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { KeyField } from "@transferkit/domain/Reconciliation"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"

/** What finds transfers by their keys, if the source can: a service is asked by `external_id` only. */
export const of = Effect.fnUntraced(function* (key: KeyField) {
  const { from, sandbox } = yield* Globals
  if (from !== undefined)
    return { source: Layers.isFile(from) ? `the file ${basename(from)}` : "the mirror", find: find(key) }
  if (sandbox) return { source: "the sandbox", find: find(key) }
  return key === "external_id" ? { source: "the service", find: find(key) } : undefined
})

/** A key that more transfers have identifies none of them. */
const mostOfKey = 1000

const find = (key: KeyField) =>
  Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
    const { from } = yield* Globals
    const wanted = new Set(keys)
    if (from !== undefined && Layers.isFile(from)) {
      const FileSource = yield* Effect.promise(() => import("../../files/FileSource.ts"))
      const batches = yield* FileSource.selected(from, { query: { created_at: CreatedAt.all } })
      return yield* chosen(batches, key, wanted)
    }
    return yield* inService(key, wanted).pipe(Effect.provide(Layers.transfers))
  })

const inService = Effect.fnUntraced(function* (key: KeyField, wanted: ReadonlySet<string>) {
  const pager = yield* TransferPager
  if (key !== "external_id")
    return yield* chosen(
      Stream.map(pager.scan({}), ({ results }) => results),
      key,
      wanted,
    )
  const found = yield* Effect.forEach(
    wanted,
    (external_id) => Stream.runCollect(Stream.take(pager.transfers({ external_id }), mostOfKey)),
    { concurrency: 4 },
  )
  return found.flat()
})

const chosen = <A extends { readonly [K in KeyField]?: string | undefined }, E, R>(
  batches: Stream.Stream<ReadonlyArray<A>, E, R>,
  key: KeyField,
  wanted: ReadonlySet<string>,
) =>
  batches.pipe(
    Stream.map((batch) => batch.filter((transfer) => wanted.has(transfer[key] ?? ""))),
    Stream.runCollect,
    Effect.map((all) => all.flat()),
  )
