/** The service of a simulation: the fake's own state and responses, and a network in virtual time before it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Response } from "../../packages/fake/src/internal/Exchange.ts"
import * as FakeState from "../../packages/fake/src/internal/state/FakeState.ts"
import * as Contract from "../../packages/fake/src/internal/v1/Contract.ts"
import {
  BodyTooLarge,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  type TransportError,
  TransportFailed,
  TransportTimedOut,
} from "../../packages/http-client/src/HttpTransport.ts"
import * as TransferStore from "../../packages/in-memory/src/TransferStore.ts"
import type { Chance } from "./Chance.ts"
import type { Change, History } from "./History.ts"

/** The end of every history, in milliseconds since 1970. */
export const end = Date.UTC(2025, 0, 1)

/** A transfer as the service created it. */
export interface Created {
  readonly id: string
  readonly at: number
  readonly amounts: string
}

const amounts = ["1.10", "0.000000000000000001", "100", "98765432109876543.123456789012345678", "0.50"]

const wireOf = (id: string, at: number, number: number) => {
  const money = (offset: number, currency_code: string) => ({
    amount: amounts[(number + offset) % amounts.length] ?? "1",
    currency_code,
  })
  return {
    id,
    external_id: `order-${number % 7}`,
    kind: "cash_in",
    status: "executing",
    created_at: new Date(at).toISOString(),
    updated_at: new Date(at).toISOString(),
    source_total: money(0, "fiat/USD"),
    destination_total: money(1, "ethereum/ETH"),
    service_fee: money(2, "fiat/USD"),
  }
}

/** The amounts of a transfer as one text, however it came. */
export const amountsOf = (transfer: object): string => {
  const { source_total, destination_total, service_fee } = JSON.parse(JSON.stringify(transfer))
  return JSON.stringify([source_total, destination_total, service_fee])
}

export class Service {
  /** Every transfer there ever was, by id. */
  readonly created = new Map<string, Created>()
  readonly arrived = new Set<string>()
  readonly vanished = new Set<string>()
  /** Broken promises of the client. */
  readonly complaints: Array<string> = []
  requests = 0
  readonly #state: FakeState.FakeState
  readonly #store: TransferStore.TransferStore
  readonly #history: History
  readonly #chance: Chance
  readonly #changes: Array<Change>
  #rateLimit: number | undefined
  #tokens: number
  #filledAt = end

  constructor(history: History, chance: Chance) {
    const data = history.ages.map((age, index) => this.#make(end - age, index))
    this.#history = history
    this.#chance = chance
    this.#changes = [...history.changes].sort((a, b) => a.request - b.request)
    this.#rateLimit = history.rateLimit
    this.#tokens = history.rateLimit ?? 0
    const { order, displaced, seed, lteToken, faults } = history
    this.#state = Result.getOrThrow(
      FakeState.make(
        { data, order, displaced: Math.min(displaced, data.length), seed, lteToken, faults, lenient: false },
        () => this.#filledAt,
      ),
    )
    this.#store = Result.getOrThrow(FakeState.sourceOf(this.#state, undefined)).store
  }

  #make(at: number, number: number) {
    // Ids in an order of their own.
    const id = `tr_${((number * 7919) % 100_003).toString(36)}_${number}`
    const wire = wireOf(id, at, number)
    this.created.set(id, { id, at, amounts: amountsOf(wire) })
    return wire
  }

  /** The network to the service for one process. `open` counts its requests under way. */
  connect(now: () => number, process: { open: number }): HttpTransport["Service"] {
    const silences: Array<{ readonly from: number; readonly until: number }> = []
    const get = ({ url, headers, maxBodyBytes }: HttpRequest) =>
      Effect.gen({ self: this }, function* () {
        const sentAt = now()
        // At the instant at which a 429 arrives, the process has not read it yet.
        const silence = silences.find(({ from, until }) => from < sentAt && sentAt < until)
        if (silence !== undefined) {
          this.complaints.push(`sent a request ${Math.round(silence.until - sentAt)} ms before the end of Retry-After`)
        }
        yield* Effect.sleep(this.#latency())
        const response = this.#respond(new URL(url), headers, now())
        const { delayMs = 0, drip, reset, truncateTo } = response.delivery ?? {}
        const body = Buffer.concat(response.body)
        response.free?.()
        const dripped = drip === undefined ? 0 : Math.floor(body.byteLength / drip.bytes) * drip.every_ms
        yield* Effect.sleep(this.#latency() + delayMs + dripped)
        if (reset !== undefined || (truncateTo !== undefined && body.byteLength > 0)) {
          return yield* new TransportFailed({ reason: "the connection was lost" })
        }
        if (body.byteLength > maxBodyBytes) return yield* new BodyTooLarge({ maxBodyBytes })
        const retryAfter = Number(response.headers["retry-after"])
        if (response.status === 429 && retryAfter > 0) silences.push({ from: now(), until: now() + retryAfter * 1000 })
        const received: HttpResponse = {
          status: response.status,
          header: (name) => response.headers[name],
          headerNames: () => Object.keys(response.headers),
          body,
        }
        return received
      })
    return {
      get: (request) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void process.open++),
          () =>
            get(request).pipe(
              Effect.timeoutOrElse({
                duration: request.timeout,
                orElse: () => Effect.fail<TransportError>(new TransportTimedOut({ timeout: request.timeout })),
              }),
            ),
          () => Effect.sync(() => void process.open--),
        ),
    }
  }

  /** A transfer as the service has it now, if it does. */
  get(id: string): unknown {
    const json = TransferStore.get(this.#store, id)
    return json === undefined ? undefined : JSON.parse(Buffer.from(json).toString("utf8"))
  }

  /** The service is well again: no faults, no more changes, and no limit, which a client may give up at. */
  recover(): void {
    this.#changes.length = 0
    this.#rateLimit = undefined
    this.#state.rules.active = []
  }

  #latency(): number {
    return this.#history.hasTail ? 2 + Math.floor(-8 * Math.log(1 - this.#chance())) : 10
  }

  #respond(url: URL, headers: Readonly<Record<string, string>>, now: number): Response {
    this.requests++
    for (let [next] = this.#changes; next !== undefined && next.request <= this.requests; [next] = this.#changes) {
      this.#changes.shift()
      this.#change(next)
    }
    const rateLimit = this.#rateLimit
    if (rateLimit !== undefined) {
      this.#tokens = Math.min(rateLimit, this.#tokens + (Math.max(0, now - this.#filledAt) * rateLimit) / 1000)
      this.#filledAt = now
      if (this.#tokens < 1) {
        return { status: 429, headers: { "retry-after": "1" }, body: [Buffer.from('{"errors":[]}')] }
      }
      this.#tokens--
    }
    return Contract.respond(this.#state, { method: "GET", target: url.pathname + url.search, headers })
  }

  #change({ what, which }: Change): void {
    if (what === "hour") Result.getOrThrow(FakeState.advance(this.#state, Duration.hours(1)))
    else if (what === "arrives") {
      const { ages } = this.#history
      const age = ages[Math.floor(which * ages.length)] ?? 1000
      const wire = this.#make(end - age + Math.floor(which * 1000) - 500, this.created.size)
      Result.getOrThrow(TransferStore.insert(this.#store, wire))
      this.arrived.add(wire.id)
    } else {
      const there = [...this.created.keys()].filter((id) => !this.vanished.has(id))
      const id = there[Math.floor(which * there.length)]
      if (id === undefined) return
      Result.getOrThrow(TransferStore.remove(this.#store, id))
      this.vanished.add(id)
    }
  }
}
