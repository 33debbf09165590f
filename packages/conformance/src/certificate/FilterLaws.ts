/** The laws of filters: the bounds of created_at to their precision, listings of one second, and external_id. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { broken, type HttpLaw, kept, make, sameIds } from "./HttpLaw.ts"
import * as Sample from "./ServiceSample.ts"
import { NotDecidable, type Trial } from "./Trial.ts"

const second = Duration.toNanosUnsafe(Duration.seconds(1))

const at = (nanoseconds: bigint): string => Timestamp.fromEpochNanoseconds(nanoseconds).text

/** The transfers of a window with one bound moved. */
const listed = Effect.fnUntraced(function* (trial: Trial, ...bounds: ReadonlyArray<string>) {
  const query: Sample.Query = [...bounds.map((bound) => ["created_at", bound] as const), ["limit", "20"]]
  const { page } = yield* Sample.searched(trial, query)
  return page.results
})

/** As a bound: a service may write a time with any number of digits, which no request should carry. */
const nanosecond = ({ epochNanoseconds }: Timestamp.Timestamp): string =>
  Timestamp.fromEpochNanoseconds(epochNanoseconds).text

/** A bound at the edge of the sample's window, and the transfers that it leaves. */
const bound = (
  id: string,
  meaning: string,
  ask: (edge: string) => string,
  range: (edge: bigint) => readonly [from: bigint, to: bigint | undefined],
): HttpLaw =>
  make(id, meaning, (trial, sample) =>
    Effect.gen(function* () {
      const { window, edge } = yield* Sample.edgeOf(sample)
      const [from, to] = range(edge.created_at.epochNanoseconds)
      const other = to === undefined ? `lt:${window.to.text}` : `gte:${window.from.text}`
      const found = yield* listed(trial, ask(nanosecond(edge.created_at)), other)
      return sameIds(found, Sample.within(window, from, to), "exactly the transfers it matches")
    }),
  )

/** The same instant with an offset; its plus sign has to be encoded in a URL. */
const inOffset = (instant: Timestamp.Timestamp): string =>
  Timestamp.plus(Timestamp.toUtc(instant), "330 minutes").text.replace("Z", "+05:30")

const tokens = ["lte", "le", "lteq", "max"] as const

/** The precisions of a bound that the laws distinguish, the coarsest first. */
const precisions = [
  { digits: 0, step: second },
  { digits: 3, step: second / 10n ** 3n },
  { digits: 6, step: second / 10n ** 6n },
  { digits: 9, step: 1n },
] as const

const digitsOf = (transfers: ReadonlyArray<Transfer>): number =>
  Math.max(0, ...transfers.map(({ created_at }) => /\.(\d+)/.exec(created_at.text)?.[1]?.length ?? 0))

export const laws: ReadonlyArray<HttpLaw> = [
  make("window", "Two bounds return exactly the transfers between them", (_, sample) =>
    Effect.gen(function* () {
      if (Result.isFailure(sample.window)) return yield* new NotDecidable({ reason: sample.window.failure })
      const window = sample.window.success
      const [from, to] = [window.from.epochNanoseconds, window.to.epochNanoseconds]
      const isInside = ({ created_at: { epochNanoseconds: instant } }: Transfer) => instant >= from && instant < to
      if (!window.transfers.every(isInside)) return broken("there are transfers outside")
      const ids = new Set(window.transfers.map(({ id }) => id))
      const known = sample.transfers.filter(isInside)
      return known.every(({ id }) => ids.has(id))
        ? kept("exactly the transfers between them")
        : broken("transfers are missing")
    }),
  ),
  bound(
    "bound-gte",
    "created_at=gte includes the instant",
    (edge) => `gte:${edge}`,
    (edge) => [edge, undefined],
  ),
  bound(
    "bound-gt",
    "created_at=gt excludes the instant",
    (edge) => `gt:${edge}`,
    (edge) => [edge + 1n, undefined],
  ),
  bound(
    "bound-lt",
    "created_at=lt excludes the instant",
    (edge) => `lt:${edge}`,
    (edge) => [0n, edge],
  ),
  make("bound-lte", "An operator for less than or equal includes the instant, if there is one", (trial, sample) =>
    Effect.gen(function* () {
      const { window, edge } = yield* Sample.edgeOf(sample)
      const instant = edge.created_at.epochNanoseconds
      const whole = instant - (instant % second) + second
      for (const token of tokens) {
        const upTo = (text: string) =>
          Effect.map(
            Sample.search(trial, [
              ["created_at", `gte:${window.from.text}`],
              ["created_at", `${token}:${text}`],
              ["limit", "20"],
            ]),
            ({ page }) => page?.results,
          )
        const found = yield* upTo(nanosecond(edge.created_at))
        if (found === undefined) continue
        const behaviour = { lte_token: token }
        const outcome = sameIds(found, Sample.within(window, 0n, instant + 1n), token)
        if (outcome.verdict === "kept") return { ...outcome, behaviour }
        // A service that ignores an operator it does not know lists the whole window.
        if (sameIds(found, window.transfers, "").verdict === "kept") continue
        const coarse = sameIds((yield* upTo(at(whole))) ?? [], Sample.within(window, 0n, whole + 1n), "")
        return coarse.verdict === "kept"
          ? { ...broken(`${token} is coarser than the instant`), behaviour }
          : broken(`${token} is another operator`)
      }
      return kept(`none of ${tokens.join(", ")}`, { lte_token: null })
    }),
  ),
  make("bound-precision", "A bound counts as precisely as the times of transfers", (trial, sample) =>
    Effect.gen(function* () {
      const { window, edge } = yield* Sample.edgeOf(sample)
      const time_digits = digitsOf(sample.transfers)
      const instant = edge.created_at.epochNanoseconds
      let bound_digits: 0 | 3 | 6 | 9 | undefined
      for (const { digits, step } of precisions) {
        const found = yield* listed(trial, `gte:${at(instant + step)}`, `lt:${window.to.text}`)
        if (found.some(({ id }) => id === edge.id)) break
        bound_digits = digits
      }
      if (bound_digits === undefined) return broken("coarser than a second")
      const words = `${bound_digits} fraction digits of bounds, ${time_digits} of times`
      const behaviour = { bound_digits, time_digits }
      return { ...(bound_digits >= time_digits ? kept(words) : broken(words)), behaviour }
    }),
  ),
  make("one-second", "The listing of one second holds the transfers of that second", (trial, sample) =>
    Effect.gen(function* () {
      const { window, edge } = yield* Sample.edgeOf(sample)
      const instant = edge.created_at.epochNanoseconds
      const from = instant - (instant % second)
      const found = yield* listed(trial, `gte:${at(from)}`, `lt:${at(from + second)}`)
      return sameIds(found, Sample.within(window, from, from + second), "exactly its transfers")
    }),
  ),
  make("bound-offset", "An instant with an offset is the same as in UTC", (trial, sample) =>
    Effect.gen(function* () {
      const { window, edge } = yield* Sample.edgeOf(sample)
      const found = yield* listed(trial, `gte:${inOffset(edge.created_at)}`, `lt:${inOffset(window.to)}`)
      return sameIds(found, Sample.within(window, edge.created_at.epochNanoseconds), "the same transfers")
    }),
  ),
  make("bound-contradiction", "Bounds that exclude each other return no transfer", (trial, sample) =>
    Effect.gen(function* () {
      const { window } = yield* Sample.edgeOf(sample)
      const { response, page } = yield* Sample.search(trial, Sample.between(window.to, window.from))
      if (page !== undefined) return page.results.length === 0 ? kept("an empty page") : broken("there are transfers")
      return response.status < 500 ? kept(`status ${response.status}`) : broken(`status ${response.status}`)
    }),
  ),
  make("external-id", "external_id returns the transfers that have it, and no others", (trial, sample) =>
    Effect.gen(function* () {
      const external_id = sample.transfers.find((transfer) => (transfer.external_id ?? "") !== "")?.external_id
      if (external_id === undefined) return yield* new NotDecidable({ reason: "no transfer has an external_id" })
      const { page } = yield* Sample.searched(trial, [
        ["external_id", external_id],
        ["limit", "20"],
      ])
      const ids = new Set(page.results.map(({ id }) => id))
      if (page.results.some((transfer) => transfer.external_id !== external_id)) return broken("there are others")
      const known = sample.transfers.filter((transfer) => transfer.external_id === external_id)
      return known.every(({ id }) => ids.has(id)) ? kept("exactly these") : broken("one of them is missing")
    }),
  ),
  make("external-id-unknown", "An external_id that no transfer has returns an empty page", (trial, { pages }) =>
    Effect.gen(function* () {
      if (pages.length === 0) return yield* new NotDecidable({ reason: "the first response is not a page" })
      const unknown = "no-such-external-id-5f2c"
      const { response, page } = yield* Sample.search(trial, [
        ["external_id", unknown],
        ["limit", "20"],
      ])
      if (page === undefined) return broken(`status ${response.status}`)
      return page.results.length === 0 ? kept("an empty page") : broken("there are transfers")
    }),
  ),
]
