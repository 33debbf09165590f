/** Three months of books over random rows: their days, settings and source, and how they are reconciled. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Books from "@transferkit/books/Books"
import * as BookSettings from "@transferkit/books/BookSettings"
import * as OpenItems from "@transferkit/books/OpenItems"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

export const months = ["2024-07", "2024-08", "2024-09"] as const
/** A day, counted from the first. */
export const dayOf = (day: number): string => new Date(Date.UTC(2024, 6, 1 + day)).toISOString().slice(0, 10)
export const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
export const oneOf = <const A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index] as A)

/** A transfer whose key is its id, unless another is given. */
export const transferOf = (
  id: string,
  amount: string,
  day: string,
  status: string,
  external_id = id,
): Transfer.Transfer =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id: `tr_${id}`,
        external_id,
        kind: "cash_in",
        status,
        created_at: `${day}T10:00:00Z`,
        source_total: { amount, currency_code: "fiat/EUR" },
      }),
    ),
  )

/** The settings of some months, the first and the last by their index. */
export const settingsOf = (
  from: number,
  to: number,
  grace: number,
  more: Partial<BookSettings.Stored> = {},
): BookSettings.BookSettings => {
  const period = CreatedAt.between(
    Timestamp.parseUnsafe(`${months[from]}-01T00:00:00Z`),
    Timestamp.parseUnsafe(`2024-${String(8 + to).padStart(2, "0")}-01T00:00:00Z`),
  )
  return Result.getOrThrow(
    BookSettings.fromStored({
      created_at: CreatedAt.ranges(period).flatMap(CreatedAt.printRange),
      time_zone: "+00:00",
      key: "external_id",
      amount: "source_total",
      tolerance: [],
      group: false,
      settled: ["complete"],
      failed: ["declined"],
      grace_days: grace,
      as_of_day: ["2024-07-31", "2024-08-31", "2024-09-30"][to] ?? "",
      look_ups: 100,
      batches: false,
      ledger: { columns: { date: "day" } },
      ...more,
    }),
  )
}

export const words = { searched: "the transfers", absence: "there is no such transfer" }

/** What a source holds when the grace of a month is over, and how it is asked. */
export const sourceOf = (all: ReadonlyArray<Transfer.Transfer>, settings: BookSettings.BookSettings) => {
  const searched = BookSettings.searched(settings)
  const end = CreatedAt.intervals(searched).at(-1)?.end ?? 0n
  const held = all.filter(({ created_at }) => created_at.epochNanoseconds < end)
  return {
    held,
    transfers: held.filter(({ created_at }) => CreatedAt.matches(searched, created_at)),
    lookUps: {
      byKey: (keys: ReadonlyArray<string>) =>
        Effect.succeed(held.filter(({ external_id = "" }) => keys.includes(external_id))),
      again: (earlier: ReadonlyArray<Transfer.Transfer>) =>
        Effect.succeed(held.filter(({ id }) => earlier.some((one) => one.id === id))),
      covered: CreatedAt.all,
    },
  }
}

/** Reconciles a ledger with transfers. */
export const reconcile = Effect.fnUntraced(function* (
  ledger: string,
  all: ReadonlyArray<Transfer.Transfer>,
  settings: BookSettings.BookSettings,
  carried: OpenItems.OpenItems | undefined,
) {
  const { transfers, lookUps } = sourceOf(all, settings)
  const books = yield* Books.open({
    settings,
    origin: undefined,
    ledgers: [{ path: ledger }],
    words,
    order: "created",
    matched: false,
    isRequired: () => true,
    carried,
    lookUps,
  })
  yield* books.add(transfers)
  const { openItems, rollForward } = yield* books.finish
  return { open: Result.getOrThrow(OpenItems.parse([...(openItems ?? [])].join(""))), rollForward: rollForward ?? [] }
})

export const run = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.runPromise(Effect.provide(effect, NodeServices.layer))
