/** A service in memory that can be changed at will, and a mirror of it. */
import type { Origin } from "@transferkit/domain/Origin"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as StoredText from "@transferkit/domain/StoredText"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Driver from "../src/internal/Driver.ts"
import * as MirrorSync from "../src/MirrorSync.ts"
import { type Options as OpenOptions, TransferMirror } from "../src/TransferMirror.ts"

export const partner_id = "demo"

export interface Lab {
  readonly store: TransferStore.TransferStore
  readonly address: string
  /** Whose transfers the service says they are. */
  origin?: Origin | undefined
  /** In place of the sample. */
  capabilities?: TransferApi["Service"]["capabilities"]
  /** Milliseconds since 1970. */
  now: number
  /** Runs before each search, which waits for it. It may throw. */
  onSearch: (request: SearchRequest) => Promise<void> | void
  /** What the service responds in place of a page. */
  lie: (page: TransferPage, request: SearchRequest) => TransferPage
  /** How the service fails, if it does. */
  failure: (request: SearchRequest) => TransferApiError | undefined
  searches: number
  /** Searches under way, and the most that were. */
  readonly atOnce: { now: number; most: number }
  /** The transfers of each reading that was applied. */
  readonly applied: Array<ReadonlyArray<Transfer>>
  /** Runs before and after each transaction. It may throw. */
  onApply: () => void
}

/** Generated transfers are those of 2024, so a clock at the end of it sees them as recent. */
export const make = (
  address: string,
  {
    count,
    seed = 1,
    order = "newest-first",
  }: { readonly count: number; readonly seed?: number; readonly order?: TransferStore.SortOrder },
): Lab => ({
  store: TransferStore.make({ order, generator: TransferGenerator.make({ count, seed, partner: partner_id }) }),
  address,
  now: Date.parse("2025-01-01T00:00:00Z"),
  onSearch: () => {},
  lie: (page) => page,
  failure: () => undefined,
  searches: 0,
  atOnce: { now: 0, most: 0 },
  applied: [],
  onApply: () => {},
})

const service = (lab: Lab): Layer.Layer<TransferPager.TransferPager | TransferApi> => {
  const api = InMemoryTransferApi.make({ store: lab.store })
  const watched = TransferApi.of({
    origin: Effect.sync(() => lab.origin),
    capabilities: Effect.suspend(() => lab.capabilities ?? api.capabilities),
    search: (request) =>
      Effect.suspend(() => {
        lab.searches++
        const pending = lab.onSearch(request)
        lab.atOnce.most = Math.max(lab.atOnce.most, ++lab.atOnce.now)
        const failure = lab.failure(request)
        const response =
          failure === undefined
            ? Effect.map(api.search(request), (page) => lab.lie(page, request))
            : Effect.fail(failure)
        return Effect.ensuring(
          Effect.andThen(
            pending === undefined ? Effect.yieldNow : Effect.promise(() => pending),
            Effect.andThen(setClock(lab), response),
          ),
          Effect.sync(() => lab.atOnce.now--),
        )
      }),
  })
  return TransferPager.TransferPager.layer.pipe(Layer.provideMerge(Layer.succeed(TransferApi, watched)))
}

/** PostgreSQL has a clock of its own, which the tests set. */
const setClock = (lab: Lab) =>
  Effect.gen(function* () {
    const found = yield* Effect.serviceOption(TransferMirror)
    if (!lab.address.startsWith("postgres") || Option.isNone(found) || shown.get(lab) === lab.now) return
    shown.set(lab, lab.now)
    yield* Effect.orDie(Driver.of(found.value).run((sql) => sql`UPDATE test_clock SET millis = ${lab.now}`))
  })

const shown = new WeakMap<Lab, number>()

/** Runs an effect with the lab's service, mirror and clock. */
export const run = <A, E>(
  lab: Lab,
  effect: Effect.Effect<A, E, TransferMirror | TransferApi | TransferPager.TransferPager>,
  options: OpenOptions = {},
): Promise<A> =>
  Effect.runPromise(
    (options.readOnly === true || options.asOf !== undefined ? effect : Effect.andThen(setClock(lab), effect)).pipe(
      Effect.updateService(TransferMirror, (mirror) => ({
        ...mirror,
        apply: (reading) =>
          Effect.suspend(() => {
            lab.onApply()
            lab.applied.push(reading.transfers)
            return Effect.tap(mirror.apply(reading), () => Effect.sync(() => lab.onApply()))
          }),
      })),
      Effect.provide(Layer.merge(service(lab), TransferMirror.layer(lab.address, options))),
      Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
        Object.assign(Object.create(clock), { currentTimeMillis: Effect.sync(() => lab.now) }),
      ),
    ),
  )

export const sync = (lab: Lab, options: Partial<MirrorSync.Options> = {}) =>
  run(lab, MirrorSync.sync({ partner_id, ...options }))

export const verify = (lab: Lab, options: Partial<MirrorSync.Options> = {}) =>
  run(lab, MirrorSync.verify({ partner_id, ...options }))

/** The bodies of a mirror's transfers by id. */
export const mirrored = (lab: Lab, options: OpenOptions = {}): Promise<ReadonlyMap<string, string>> =>
  run(
    lab,
    Effect.gen(function* () {
      const mirror = yield* TransferMirror
      const rows = yield* Driver.of(mirror).run(
        (sql) => sql<{ readonly id: string; readonly body: string }>`SELECT id, body FROM transfers ORDER BY id`,
      )
      return new Map(rows.map(({ id, body }) => [StoredText.unescape(id), StoredText.unescapeJson(body)]))
    }),
    { readOnly: true, ...options },
  )

/** The same of the service. */
export const served = ({ store }: Lab): ReadonlyMap<string, string> => {
  const { rows } = TransferStore.search(store, {
    external_id: undefined,
    created_at: {},
    limit: 1_000_000,
    after: undefined,
  })
  const parsed = rows.map((row) => JSON.parse(Buffer.from(row).toString("utf8")))
  return new Map(parsed.map((wire) => [wire.id, JSON.stringify(wire)] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows of a query. */
export const query = (
  lab: Lab,
  text: string,
  options: OpenOptions = { readOnly: true },
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  run(
    lab,
    Effect.flatMap(TransferMirror, (mirror) => Driver.of(mirror).run((sql) => sql.unsafe(text))),
    options,
  )

export const ok = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)

export const terminal = (status: string): boolean => ["complete", "declined"].includes(status)
