/**
 * The same transfers behind each source give the same answers and the same refusals: random coverages and questions over
 * real files, a real mirror, memory and a service, against all transfers that there are.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ofQuestions, ofSources, type SourceLaw, type SourceSubject } from "@transferkit/conformance/TransferSourceLaws"
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Selection from "@transferkit/domain/Selection"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { memory, service, type TransferSource } from "@transferkit/domain/TransferSource"
import * as StoredCoverage from "@transferkit/files/exports/StoredCoverage"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as FileTransferSource from "@transferkit/files/node/FileTransferSource"
import * as Spool from "@transferkit/files/node/Spool"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as MirrorTransferSource from "@transferkit/mirror/MirrorTransferSource"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Arbitrary from "effect/Arbitrary"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as MirrorClient from "./MirrorClient.ts"

/** Days of September, and sets of them as bits. */
const days = Array.from({ length: 12 }, (_, index) => index)
const first = Date.parse("2024-09-01T00:00:00Z")
const dayMillis = 86_400_000
const at = (day: number) => Timestamp.fromDate(new Date(first + day * dayMillis))
const setOf = (bits: number): CreatedAt.CreatedAt =>
  days
    .filter((day) => ((bits >> day) & 1) === 1)
    .map((day) => CreatedAt.between(at(day), at(day + 1)))
    .reduce(CreatedAt.or, CreatedAt.none)

const integer = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))

/** At each day's edges, a nanosecond before and after, and in its middle. */
const moments = ["00:00:00Z", "00:00:00.000000001Z", "12:30:00.5Z", "23:59:59.999999999Z"]
const truth = days.flatMap((day) =>
  moments.map((moment, index) => {
    const number = day * moments.length + index
    const wire = {
      id: `tr_${String((number * 7) % 48).padStart(2, "0")}`,
      external_id: `order-${number % 40}`,
      kind: number % 3 === 0 ? "cash_out" : "cash_in",
      status: ["complete", "declined", "executing"][(number * 5) % 3],
      created_at: `2024-09-${String(day + 1).padStart(2, "0")}T${moment}`,
      wallet_address: `0x${number}`,
    }
    return Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))
  }),
)

const onlys: ReadonlyArray<Selection.Only> = [
  {},
  {},
  { status: ["complete"] },
  { status: ["complete", "declined"] },
  { kind: ["cash_in"] },
  { not_status: ["complete", "declined"] },
  { not_status: ["complete"] },
]

const anyQuestion = Arbitrary.all({
  /** Days from the source's to that of the question. */
  later: integer(0, 6),
  period: integer(0, 4095),
  from: integer(0, 11),
  length: integer(0, 16),
  /** Without a period, some days, or one range. */
  shape: integer(0, 3),
  within: integer(0, 16383),
  asked: integer(0, onlys.length - 1),
})

/** To make a source takes longer than to ask it. */
const questionsOfEach = 8

const anyCase = Arbitrary.all({
  from: integer(0, 6),
  until: integer(5, 12),
  as_of: integer(4, 12),
  unread: Arbitrary.map(integer(0, 8191), (bits) => (bits > 4095 ? 0 : bits)),
  /** Rows that are there although nothing is claimed of their time. */
  extra: integer(0, 4095),
  held: integer(0, onlys.length - 1),
  questions: Arbitrary.array(anyQuestion, { minLength: questionsOfEach, maxLength: questionsOfEach }),
})

type Case = typeof anyCase extends Arbitrary.Arbitrary<infer A> ? A : never

interface Subject {
  readonly coverage: Coverage.Coverage
  readonly questions: ReadonlyArray<{ readonly question: Coverage.Question; readonly now: Timestamp.Timestamp }>
  /** What the source has: all that it claims, and some of the rest. */
  readonly rows: ReadonlyArray<Transfer.Transfer>
}

/** A mirror begins somewhere, is of all properties, and ends where its last pass began. A file may be of any range. */
const subjectOf = (one: Case, isMirrored: boolean): Subject => {
  const as_of = at(one.as_of)
  const until = isMirrored ? CreatedAt.all : CreatedAt.lt(at(one.until))
  const created_at = [CreatedAt.gte(at(one.from)), until, CreatedAt.lte(as_of)].reduce(CreatedAt.and)
  const extent = { created_at, only: isMirrored ? {} : (onlys[one.held] ?? {}) }
  const coverage = { extent, unread: CreatedAt.and(created_at, setOf(one.unread)), as_of }
  const claimed = Selection.matcher({ created_at: Coverage.held(coverage), only: extent.only })
  const kept = Selection.matcher({ created_at: setOf(one.extra), only: extent.only })
  return {
    coverage,
    questions: one.questions.map(({ later, period, from, length, shape, within, asked }) => ({
      now: at(one.as_of + later),
      question: {
        ...(shape === 0
          ? {}
          : { period: shape === 1 ? setOf(period) : CreatedAt.between(at(from), at(from + length)) }),
        ...(within > 4095 ? {} : { within: setOf(within) }),
        only: onlys[asked] ?? {},
      },
    })),
    rows: truth.filter((row) => claimed(row) || kept(row)),
  }
}

/** A mirror that all cases share: each is of a partner of its own. */
export interface Database {
  readonly name: string
  readonly address: () => Promise<string>
}

let partners = 0

const mirrored = Effect.fnUntraced(function* ({ coverage, rows }: Subject) {
  const mirror = yield* TransferMirror
  const partner_id = `p${++partners}`
  const { unread, as_of, extent } = coverage
  const [start] = CreatedAt.intervals(extent.created_at)
  const state: Record<string, string> = { floor: String(start?.first ?? as_of.epochNanoseconds + 1n) }
  if (CreatedAt.isEmpty(unread)) {
    yield* Effect.scoped(
      Effect.flatMap(
        MirrorClient.of(mirror.address),
        (sql) => sql`INSERT INTO sync_runs
        (partner_id, kind, started_at, ended_at, outcome, pages, transfers, created, changed, vanished)
        VALUES (${partner_id}, 'pass', ${as_of.text}, ${as_of.text}, 'complete', 0, 0, 0, 0, 0)`,
      ),
    )
  } else {
    const remaining = CreatedAt.intervals(unread).map(({ first: gte, end: lt }) => ({
      ...(gte === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(gte).text }),
      ...(lt === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(lt).text }),
    }))
    const checkpoint = { version: 2, query: "q", transfers: rows.length, remaining }
    state["backfill"] = JSON.stringify({ started_at: as_of.text, until: as_of.text, checkpoint })
  }
  yield* mirror.apply({ partner_id, window: CreatedAt.all, transfers: rows, run_id: 1n, logsCreated: false, state })
  return yield* MirrorTransferSource.make({ partner_id })
})

const exported = Effect.fnUntraced(function* ({ coverage, rows }: Subject, folder: string, format: "ndjson" | "csv") {
  const path = join(folder, `${++partners}.${format}`)
  const { created_at = [], ...stored } = StoredCoverage.toStored(coverage)
  const header = { filters: {}, created_at, started_at: coverage.as_of.text, ...stored }
  const spool = yield* Spool.create(`${path}.spool`, header)
  yield* Spool.append(spool, rows, { version: 2, query: "q", transfers: rows.length, remaining: [] })
  yield* ExportFile.write(spool, { path, format, csvRaw: false, createTable: false })
  return yield* FileTransferSource.make(path)
})

/** Fails unless a source keeps some laws. */
const keeps = (some: ReadonlyArray<SourceLaw>, of: SourceSubject) =>
  Effect.forEach(some, ({ title, check }) =>
    Effect.mapError(check(of), ({ message }) => new Error(`${of.source.name}: ${title}: ${message}`)),
  )

/** A service over some transfers. Its clock is the time of the question. */
const served = (rows: ReadonlyArray<Transfer.Transfer>) =>
  Effect.suspend(() => {
    const store = TransferStore.make()
    for (const row of rows) Result.getOrThrow(TransferStore.insertJson(store, JSON.stringify(row)))
    const api = TransferPager.layer.pipe(Layer.provideMerge(InMemoryTransferApi.layer({ store })))
    return Effect.provide(service, Layer.fresh(api))
  })

const stoppedAt =
  (now: Timestamp.Timestamp) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, Clock.Clock, (clock): Clock.Clock =>
      Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(Timestamp.toDate(now).getTime()) }),
    )

/** Seeds that once failed are tried beside the usual and the new ones. */
const regressions = ["sources"]

export const sourceLawSuite = (database: Database, seeds: ReadonlyArray<string>, cases: number): void => {
  let folder: string
  let layer: Layer.Layer<TransferMirror | NodeServices.NodeServices, unknown>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "transfers-sources-"))
    layer = Layer.merge(TransferMirror.layer(await database.address()), NodeServices.layer)
  })
  afterAll(() => rm(folder, { recursive: true }))

  describe(`an answer is a function of what is covered, with a mirror in ${database.name}`, () => {
    test(`the same transfers give the same answers and refusals behind each source (${cases} cases)`, async () => {
      const tags = new Map<string, number>()
      const check = Effect.fnUntraced(function* (one: Case, isMirrored: boolean) {
        const subject = subjectOf(one, isMirrored)
        const { coverage, questions, rows } = subject
        const sources: ReadonlyArray<TransferSource["Service"]> = [
          yield* memory({ transfers: rows, coverage }),
          yield* exported(subject, folder, isMirrored ? "ndjson" : "csv"),
          ...(isMirrored ? [yield* mirrored(subject)] : []),
        ]
        for (const { question, now } of questions) {
          const answers = new Set<string>()
          for (const source of sources) {
            const answer = Coverage.answer(yield* source.coverage, question, now)
            answers.add(textOf(answer))
            tags.set(answer._tag, (tags.get(answer._tag) ?? 0) + 1)
            yield* keeps(ofQuestions, { source, truth, question, now })
          }
          expect([...answers]).toHaveLength(1)
        }
        const [{ question, now } = { question: { only: {} }, now: coverage.as_of }] = questions
        for (const source of sources) yield* keeps(ofSources, { source, truth, question, now })
        return true
      }, Effect.scoped)
      const run = Effect.gen(function* () {
        const all = [...regressions, ...seeds]
        for (const seed of all) {
          for (const isMirrored of [true, false]) {
            const options = { runs: Math.ceil(cases / all.length / 2), seed }
            const result = yield* Arbitrary.checkEffect(anyCase, (one) => check(one, isMirrored), options)
            expect(Arbitrary.formatCheckFailure(result), `LAW_SEED=${seed} repeats it`).toBeUndefined()
          }
        }
      })
      await Effect.runPromise(Effect.provide(run, layer))
      // Random cases that were all of one kind would prove nothing.
      for (const tag of ["Whole", "ToDate", "Partial"]) expect(tags.get(tag) ?? 0, tag).toBeGreaterThan(cases / 3)
    })

    test("a service has everything up to the moment at which it is asked", async () => {
      const run = Effect.gen(function* () {
        for (const seed of seeds) {
          const options = { runs: Math.ceil(cases / 2), seed }
          const result = yield* Arbitrary.checkEffect(
            anyCase,
            (one) => {
              const subject = subjectOf(one, true)
              const [{ now, question } = { question: { only: {} }, now: subject.coverage.as_of }] = subject.questions
              const there = truth.filter(({ created_at }) => Timestamp.compare(created_at, now) <= 0)
              return Effect.gen(function* () {
                const source = yield* served(there)
                yield* keeps([...ofQuestions, ...ofSources], { source, truth: there, question, now })
                return true
              }).pipe(stoppedAt(now))
            },
            options,
          )
          expect(Arbitrary.formatCheckFailure(result), `LAW_SEED=${seed} repeats it`).toBeUndefined()
        }
      })
      await Effect.runPromise(run)
    })
  })
}

const textOf = (answer: Coverage.Answer): string =>
  JSON.stringify({
    tag: answer._tag,
    asked: [String(answer.asked.created_at), answer.asked.only],
    ...(answer._tag === "Partial" ? { missing: String(answer.missing), narrowed: answer.narrowed } : {}),
    ...(answer._tag === "ToDate" ? { until: String(answer.until.epochNanoseconds) } : {}),
  })
