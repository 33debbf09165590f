/** The laws of the pager over a service: every transfer once, however it is asked for. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { type CheckError, expect, expectSameIds, type Law, make, NotApplicable } from "./Law.ts"
import * as Sample from "./Sample.ts"

const idsOf = (batches: ReadonlyArray<TransferPager.Batch>): ReadonlyArray<string> =>
  batches.flatMap(({ results }) => results.map(({ id }) => id))

const scanned = (
  batches: TransferPager.TransferStream<TransferPager.Batch>,
): Effect.Effect<ReadonlyArray<string>, CheckError> => Effect.map(Stream.runCollect(batches), idsOf)

const listed = (
  pages: TransferPager.TransferStream<ReadonlyArray<Transfer>>,
): Effect.Effect<ReadonlyArray<string>, CheckError> =>
  Effect.map(Stream.runCollect(pages), (transfers) => transfers.flat().map(({ id }) => id))

export const laws: ReadonlyArray<Law> = [
  ...[1, 3, 20].map((limit) =>
    make(`pages of ${limit} deliver every transfer once`, ({ pager, sample }) =>
      Effect.gen(function* () {
        const ids = yield* listed(pager.pages({ created_at: sample.filter }, { limit }))
        yield* expectSameIds(ids, sample.ids, `pages of ${limit}`)
      }),
    ),
  ),
  ...[1, 4, 16].map((concurrency) =>
    make(`a scan with ${concurrency} requests at once delivers every transfer once`, ({ pager, sample }) =>
      Effect.gen(function* () {
        const ids = yield* scanned(pager.scan({ created_at: sample.filter }, { concurrency }))
        yield* expectSameIds(ids, sample.ids, `a scan with ${concurrency} requests at once`)
      }),
    ),
  ),
  make("a filter of several ranges delivers the transfers of each, once", ({ pager, sample }) =>
    Effect.gen(function* () {
      const at = Sample.quantile(sample, 1 / 2)
      if (at === undefined) return yield* new NotApplicable({ reason: "there are no transfers" })
      const created_at = CreatedAt.difference(sample.filter, CreatedAt.and(CreatedAt.gte(at), CreatedAt.lte(at)))
      const expected = Sample.idsWithin(sample, created_at)
      yield* expectSameIds(yield* listed(pager.pages({ created_at })), expected, "pages")
      yield* expectSameIds(yield* scanned(pager.scan({ created_at })), expected, "a scan")
    }),
  ),
  make("a filter and its complement share no transfer and miss none", ({ pager, sample }) =>
    Effect.gen(function* () {
      const at = Sample.quantile(sample, 1 / 2)
      if (at === undefined) return yield* new NotApplicable({ reason: "there are no transfers" })
      const [before, after] = CreatedAt.split(sample.filter, at)
      const ids = [
        ...(yield* listed(pager.pages({ created_at: before }))),
        ...(yield* listed(pager.pages({ created_at: after }))),
      ]
      yield* expectSameIds(ids, sample.ids, "the two halves")
    }),
  ),
  make("a scan resumed from a checkpoint delivers exactly the rest", ({ pager, sample }) =>
    Effect.gen(function* () {
      const query = { created_at: sample.filter }
      const batches = yield* Stream.runCollect(pager.scan(query))
      const step = Math.max(1, Math.floor(batches.length / 5))
      for (let cut = 0; cut < batches.length; cut += step) {
        const before = batches.slice(0, cut + 1)
        const saved = Checkpoint.fromJson(JSON.stringify(before.at(-1)?.checkpoint))
        yield* expect(Result.isSuccess(saved), () => "a checkpoint cannot be read back")
        if (Result.isFailure(saved)) continue
        const after = yield* scanned(pager.scan(query, { resume: saved.success }))
        yield* expectSameIds([...idsOf(before), ...after], sample.ids, `stopped after ${cut + 1} batches`)
      }
    }),
  ),
  make("a finished stream says that it is complete, and how many transfers it delivered", ({ pager, sample }) =>
    Effect.gen(function* () {
      const report = yield* Ref.make(TransferPager.emptyReport)
      yield* scanned(pager.scan({ created_at: sample.filter }, { report }))
      const { completeness, tally } = yield* Ref.get(report)
      yield* expect(completeness._tag === "Complete", () => `it says ${JSON.stringify(completeness)}`)
      yield* expect(tally.transfers === sample.ids.length, () => `it says ${tally.transfers} transfers`)
      yield* expect(
        tally.duplicates === 0 && tally.outside === 0 && tally.oversized === 0,
        () => `the service broke its contract: ${JSON.stringify(tally)}`,
      )
    }),
  ),
]
