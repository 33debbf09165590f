/** The transfers that should have ended by now. It knows the port to the service, not who is behind it. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const day = 24 * 60 * 60 * 1000

export class StuckTransfers extends Context.Service<StuckTransfers>()("StuckTransfers", {
  make: Effect.gen(function* () {
    const pager = yield* TransferPager
    /** Those that were created at least so many days ago, and are neither complete nor declined. */
    const olderThan = Effect.fn("StuckTransfers.olderThan")(function* (days: number) {
      const now = yield* Clock.currentTimeMillis
      const created_at = CreatedAt.lt(Timestamp.fromDate(new Date(now - days * day)))
      return yield* pager.transfers({ created_at }).pipe(Stream.filter(isOpen), Stream.runCollect)
    })
    return { olderThan }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(TransferPager.layer))
}

const isOpen = ({ status }: Transfer): boolean => status !== "complete" && status !== "declined"
