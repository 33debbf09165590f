/** The state of one fake, and the changes that tests, scripts and the console page can make to it. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import { maxLimit } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import * as Draw from "@transferkit/in-memory/Draw"
import { sample } from "@transferkit/in-memory/SampleCapabilities"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { type FakeOptions, InvalidOption } from "../../FakeOptions.ts"
import type * as FaultRule from "../../FaultRule.ts"
import * as Journal from "../../Journal.ts"
import * as Latency from "../../Latency.ts"
import * as Partners from "../../Partners.ts"
import * as RateLimit from "../../RateLimit.ts"
import * as NewTransfer from "../data/NewTransfer.ts"
import * as ActiveRules from "../faults/ActiveRules.ts"
import * as RuleCheck from "../faults/RuleCheck.ts"
import * as Replay from "../recording/Replay.ts"
import * as KeptResponses from "./KeptResponses.ts"

/** The state of one fake. Mutable: the functions of this module change it in place. */
export interface FakeState {
  readonly options: FakeOptions
  readonly partners: ReadonlyMap<string, Partners.Partner>
  readonly sources: ReadonlyMap<string, TransferSearch.Source>
  readonly lenient: boolean
  /** The deployment to imitate, except for what the other options say. */
  readonly like: ServiceBehaviour | undefined
  /** The time of day, in milliseconds since 1970. */
  readonly clock: () => number
  readonly rules: ActiveRules.ActiveRules
  readonly journal: Journal.Journal
  readonly responses: KeptResponses.KeptResponses
  readonly buckets: RateLimit.Buckets | undefined
  readonly seed: number
  /** The snapshot of each partner's store that a reset restores. */
  readonly start: Map<string, TransferStore.Snapshot>
  /** The rules that a reset restores, and the ids of those that are active. */
  startRules: { readonly rules: ReadonlyArray<FaultRule.Rule>; readonly ids: ReadonlyArray<string> }
  /** The recording that odd responses are taken from. */
  readonly replay: Replay.Replay | undefined
  capabilities: Uint8Array
  /** The numbers of requests and of generated insertions so far. */
  requests: number
  generated: number
}

/** A fake with its transfers and rules. */
export const make = (
  options: FakeOptions,
  clock: () => number,
  replay?: Replay.Replay,
): Result.Result<FakeState, Partners.InvalidPartner | InvalidOption> =>
  Result.gen(function* () {
    const { like = {}, transfers = 0, seed = 1, journalSize = 1000 } = options
    const { order = like.order ?? "newest-first" } = options
    const { defaultLimit = Math.min(like.default_limit ?? maxLimit, maxLimit) } = options
    const { lteToken } = "lteToken" in options ? options : settingsOf(like)
    const cursorScope = like.cursor_scope ?? "search"
    const { rateLimit = rateOf(like), partners: named = [Partners.defaultPartner], data = [] } = options
    const to = TransferGenerator.instantOf(options.now ?? "")
    const charge = options.fees && FeeSchedule.charge(options.fees)
    const partners = new Map<string, Partners.Partner>()
    if (named.length === 0) return yield* invalid("there must be at least one partner.")
    for (const text of named) {
      const partner = yield* Partners.parse(text)
      if (partners.has(partner.id)) return yield* invalid(`there are two partners ${JSON.stringify(partner.id)}.`)
      partners.set(partner.id, partner)
    }
    const sources = new Map<string, TransferSearch.Source>()
    for (const partner of partners.keys()) {
      const store = TransferStore.make({
        order,
        generator: TransferGenerator.make({ count: transfers, seed, partner, to, charge }),
      })
      if (sources.size === 0) yield* insertData(store, data)
      sources.set(partner, {
        partner,
        store,
        cursorKey: `fake ${seed}`,
        settings: { lteToken, defaultLimit, cursorScope },
      })
    }
    const self: FakeState = {
      options,
      partners,
      sources,
      like: options.like && { ...like, lte_token: lteToken ?? null, default_limit: defaultLimit },
      lenient: options.lenient ?? like.unknown_parameters === "ignored",
      clock,
      rules: ActiveRules.make(seed),
      journal: Journal.make(journalSize),
      responses: KeptResponses.make(),
      buckets: rateLimit && RateLimit.make(rateLimit),
      seed,
      start: new Map(),
      startRules: { rules: [], ids: [] },
      replay,
      capabilities: new Uint8Array(),
      requests: 0,
      generated: 0,
    }
    if (options.capabilities !== undefined) {
      const set = setCapabilities(self, JSON.stringify(options.capabilities))
      if (Result.isFailure(set)) return yield* invalid(`invalid capabilities: ${set.failure}.`)
    }
    for (const source of sources.values()) remember(self, source)
    reset(self)
    return self
  })

const settingsOf = ({ lte_token }: ServiceBehaviour): { readonly lteToken: string | undefined } =>
  lte_token === undefined ? TransferSearch.defaultSettings : { lteToken: lte_token ?? undefined }

const rateOf = ({ rate_limit }: ServiceBehaviour): RateLimit.RateLimit | undefined =>
  rate_limit && { requests: Math.max(1, rate_limit.requests), perMs: rate_limit.seconds * 1000 }

const invalid = (reason: string): Result.Result<never, InvalidOption> => Result.fail(new InvalidOption({ reason }))

/** Inserts the data that the options give. */
export const insertData = (
  store: TransferStore.TransferStore,
  data: ReadonlyArray<unknown>,
): Result.Result<void, InvalidOption> =>
  Result.gen(function* () {
    for (const [index, wire] of data.entries()) {
      const inserted = TransferStore.insert(store, wire)
      if (Result.isFailure(inserted)) return yield* invalid(`data[${index}]: ${inserted.failure.message}`)
    }
  })

/** Makes a partner's current transfers those that {@link reset} restores, and draws the displaced ones among them. */
export const remember = (self: FakeState, { partner, store }: TransferSearch.Source): void => {
  const { displaced = 0 } = self.options
  if (displaced > 0) TransferStore.displace(store, displaced, self.seed)
  self.start.set(partner, TransferStore.snapshot(store))
}

/** Restores the start: transfers, clock, capabilities, faults, rate limits and numbering. Clears the journal. */
export const reset = (self: FakeState): void => {
  const { capabilities = sample } = self.options
  for (const { partner, store } of self.sources.values()) {
    const snapshot = self.start.get(partner)
    if (snapshot !== undefined) TransferStore.restore(store, snapshot)
  }
  self.capabilities = Buffer.from(JSON.stringify(capabilities), "utf8")
  self.generated = 0
  self.requests = 0
  if (self.replay !== undefined) Replay.reset(self.replay)
  ActiveRules.reset(self.rules)
  const { rules } = self.startRules
  self.startRules = { rules, ids: ActiveRules.add(self.rules, rules) }
  self.buckets?.tokens.clear()
  clearJournal(self)
}

/** Removes all requests with their responses. */
export const clearJournal = (self: FakeState): void => {
  Journal.clear(self.journal)
  KeptResponses.clear(self.responses)
}

/** There is no partner with the id. */
export class NoSuchPartner extends Data.TaggedError("NoSuchPartner")<{ readonly id: string }> {
  override get message(): string {
    return `There is no partner ${JSON.stringify(this.id)}.`
  }
}

/** The transfers of a partner, by default of the first one. */
export const sourceOf = (
  self: FakeState,
  partner: string | undefined,
): Result.Result<TransferSearch.Source, NoSuchPartner> => {
  const [first] = self.sources.values()
  const source = partner === undefined ? first : self.sources.get(partner)
  return source === undefined ? Result.fail(new NoSuchPartner({ id: partner ?? "" })) : Result.succeed(source)
}

/**
 * Inserts transfers, all or none. Missing fields are generated as for a new, executing transfer. A field given as null
 * is left out.
 */
export const insert = (
  self: FakeState,
  { store, partner }: TransferSearch.Source,
  transfers: ReadonlyArray<NewTransfer.PartialTransfer>,
): Result.Result<ReadonlyArray<string>, TransferStore.InvalidTransfer> => {
  const ids: Array<string> = []
  for (const fields of transfers) {
    self.generated += 1
    const made = {
      key: Draw.keyOf(self.seed ^ Draw.hashText(partner), self.generated),
      number: self.generated,
      created_at: TransferStore.now(store),
      charge: self.options.fees && FeeSchedule.charge(self.options.fees),
    }
    const inserted = TransferStore.insert(store, NewTransfer.make(made, fields))
    if (Result.isFailure(inserted)) {
      for (const id of ids) TransferStore.remove(store, id)
      return Result.fail(inserted.failure)
    }
    ids.push(inserted.success)
  }
  return Result.succeed(ids)
}

/** Replaces the rules that the service starts with, and that are active because of it. */
export const setStartRules = (self: FakeState, value: unknown): Result.Result<void, FaultRule.InvalidRule> => {
  const started = new Set(self.startRules.ids)
  const active = self.rules.active.flatMap(({ id, rule }) => (started.has(id) ? [] : [rule]))
  return Result.map(RuleCheck.parse(value, { sources: self.sources, active }), (rules) => {
    for (const id of started) ActiveRules.remove(self.rules, id)
    self.startRules = { rules, ids: ActiveRules.add(self.rules, rules) }
  })
}

/** Adds fault rules: one rule, a list of them, or `{"rules":[…]}`. */
export const addRules = (self: FakeState, value: unknown): Result.Result<void, FaultRule.InvalidRule> => {
  const active = self.rules.active.map(({ rule }) => rule)
  return Result.map(RuleCheck.parse(value, { sources: self.sources, active }), (rules) => {
    ActiveRules.add(self.rules, rules)
  })
}

/** The clock cannot be set to this instant. */
export class ClockOutOfRange extends Data.TaggedError("ClockOutOfRange")<{}> {
  override get message(): string {
    return "The clock can only advance, up to the year 2200."
  }
}

/** The end of the clock. A double represents its microseconds exactly. */
const latestClock = Timestamp.parseUnsafe("2200-01-01T00:00:00Z").epochNanoseconds

/** Advances every partner's clock, and with it the status of transfers. */
export const advance = (self: FakeState, duration: Duration.Duration): Result.Result<void, ClockOutOfRange> => {
  const by = Duration.toNanosUnsafe(duration)
  const stores = [...self.sources.values()].map(({ store }) => store)
  if (by < 0n || stores.some((store) => TransferStore.now(store).epochNanoseconds + by > latestClock)) {
    return Result.fail(new ClockOutOfRange())
  }
  for (const store of stores) TransferStore.advance(store, duration)
  return Result.succeed(undefined)
}

/** Replaces the capabilities. Fails with the first error in them. */
export const setCapabilities = (self: FakeState, json: string): Result.Result<void, string> =>
  Result.mapBoth(Capabilities.fromJson(json), {
    onSuccess: () => {
      self.capabilities = Buffer.from(json, "utf8")
    },
    onFailure: ({ pointer, expected, actual }) =>
      `${pointer === "" ? "the body" : pointer} should be ${expected}, but is ${actual}`,
  })

/** The latency of the response to a request, in milliseconds. */
export const latencyOf = ({ options: { latency }, seed }: FakeState, request: number): number =>
  latency === undefined ? 0 : Latency.draw(latency, Draw.keyOf(seed, request))
