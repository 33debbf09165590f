/**
 * The laws of a source of transfers: an answer is a function of what the source covers. Each law compares what a source
 * says and gives with the transfers that it was made of.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Selection from "@transferkit/domain/Selection"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { SourceError, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, expectSameIds, type Violation } from "./Law.ts"

/** A source, all transfers that there are of its origin, and what is asked of it when. */
export interface SourceSubject {
  readonly source: TransferSource["Service"]
  readonly truth: ReadonlyArray<Transfer>
  readonly question: Coverage.Question
  readonly now: Timestamp.Timestamp
}

/** A law. Its check only reads. */
export interface SourceLaw {
  readonly title: string
  readonly check: (subject: SourceSubject) => Effect.Effect<void, Violation | SourceError>
}

/** What a source answers, and the transfers of the answer. */
const ask = Effect.fnUntraced(function* ({ source, question, now }: SourceSubject) {
  const coverage = yield* source.coverage
  const answer = Coverage.answer(coverage, question, now)
  const rows = yield* read(source, answer.asked)
  return { coverage, answer, rows }
})

const read = Effect.fnUntraced(function* (source: TransferSource["Service"], asked: Selection.Selection) {
  const batches = yield* Stream.runCollect(source.transfers({ created_at: asked.created_at }))
  return batches.flatMap(({ results }) => results).filter(Selection.matcher(asked))
})

const idsOf = (transfers: ReadonlyArray<Transfer>): ReadonlyArray<string> => transfers.map(({ id }) => id)

const within = (transfers: ReadonlyArray<Transfer>, ...selections: ReadonlyArray<Selection.Selection>) =>
  transfers.filter((transfer) => selections.every((selection) => Selection.matcher(selection)(transfer)))

/** The laws of answers, whatever the question. */
export const ofQuestions: ReadonlyArray<SourceLaw> = [
  {
    title: "inside of what is covered, the answer is the truth",
    check: Effect.fnUntraced(function* (subject) {
      const { coverage, answer, rows } = yield* ask(subject)
      if (coverage === undefined) return
      const covered = { created_at: Coverage.held(coverage), only: coverage.extent.only }
      const expected = within(subject.truth, answer.asked, covered)
      yield* expectSameIds(idsOf(within(rows, covered)), idsOf(expected), `asked for ${describe(subject.question)}`)
      const texts = new Map(expected.map((transfer) => [transfer.id, JSON.stringify(transfer)]))
      const other = rows.find((row) => texts.has(row.id) && texts.get(row.id) !== JSON.stringify(row))
      yield* expect(other === undefined, () => `the transfer ${other?.id} is not as it was`)
    }),
  },
  {
    title: "a whole answer is the truth, and one to date is the truth up to then",
    check: Effect.fnUntraced(function* (subject) {
      const { coverage, answer, rows } = yield* ask(subject)
      if (coverage === undefined || answer._tag === "Partial" || answer._tag === "Unknown") return
      const all = { created_at: CreatedAt.all, only: coverage.extent.only }
      const toDate = { created_at: answer._tag === "ToDate" ? CreatedAt.lte(answer.until) : CreatedAt.all, only: {} }
      const expected = within(subject.truth, answer.asked, all, toDate)
      yield* expectSameIds(idsOf(within(rows, toDate)), idsOf(expected), `asked for ${describe(subject.question)}`)
    }),
  },
  {
    title: "an answer that would lack transfers is refused",
    check: Effect.fnUntraced(function* (subject) {
      const { coverage, answer, rows } = yield* ask(subject)
      if (coverage === undefined || answer._tag === "Partial") return
      const { as_of } = coverage
      const there = new Set(idsOf(rows))
      const lacked = within(subject.truth, answer.asked).filter(
        ({ id, created_at }) => !there.has(id) && Timestamp.compare(created_at, as_of) <= 0,
      )
      // A property that was not asked for by name is the source's.
      const silent = within(lacked, { created_at: CreatedAt.all, only: coverage.extent.only })
      yield* expectSameIds(idsOf(silent), [], `${answer._tag} for ${describe(subject.question)}`)
    }),
  },
]

/** The laws of a source, which ask nothing of it. */
export const ofSources: ReadonlyArray<SourceLaw> = [
  {
    title: "each transfer comes once, in the order that the source states",
    check: Effect.fnUntraced(function* ({ source }) {
      const rows = yield* read(source, Selection.all)
      yield* expectSameIds(idsOf(rows), [...new Set(idsOf(rows))], "all transfers")
      if (source.order !== "created") return
      const wrong = rows.find((row, index) => {
        const before = rows[index - 1]
        return (
          before !== undefined &&
          (Timestamp.compare(before.created_at, row.created_at) || (before.id < row.id ? -1 : 1)) > 0
        )
      })
      yield* expect(wrong === undefined, () => `${wrong?.id} comes after a later transfer`)
    }),
  },
  {
    title: "the filters of a query are those of a selection",
    check: Effect.fnUntraced(function* ({ source }) {
      const rows = yield* read(source, Selection.all)
      const open = yield* Stream.runCollect(source.transfers({ open: true }))
      const expected = rows.filter(Selection.keeps({ not_status: Dialect.finalStatuses(yield* Dialect.Dialect) }))
      yield* expectSameIds(idsOf(open.flatMap(({ results }) => results)), idsOf(expected), "open transfers")
      const external_id = rows.find((row) => row.external_id !== undefined)?.external_id
      if (external_id === undefined) return
      const named = yield* Stream.runCollect(source.transfers({ external_id }))
      const same = rows.filter((row) => row.external_id === external_id)
      yield* expectSameIds(idsOf(named.flatMap(({ results }) => results)), idsOf(same), `of ${external_id}`)
    }),
  },
  {
    title: "what it has is found by each of its keys, and nothing else is",
    check: Effect.fnUntraced(function* ({ source }) {
      const rows = yield* read(source, Selection.all)
      const [one] = rows
      if (one === undefined) return
      for (const key of source.keys) {
        const value = one[key]
        if (value === undefined) continue
        const found = yield* Stream.runCollect(source.find([value, `no-such-${value}`], key))
        const same = rows.filter((row) => row[key] === value)
        yield* expectSameIds(idsOf(found.map(({ transfer }) => transfer)), idsOf(same), `${key} ${value}`)
      }
      const none = yield* Stream.runCollect(source.find(["no-such-key"]))
      yield* expect(none.length === 0, () => "a key that is not there was found")
    }),
  },
]

const describe = ({ period, only }: Coverage.Question): string =>
  `${period === undefined ? "no period" : String(period)} ${JSON.stringify(only)}`
