/** A mirror on a disk that outlives the processes that sync it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Transfer } from "../../packages/domain/src/Transfer.ts"
import { TransferApi } from "../../packages/domain/src/TransferApi.ts"
import * as TransferPager from "../../packages/domain/src/TransferPager.ts"
import * as Driver from "../../packages/mirror/src/internal/Driver.ts"
import * as SyncTables from "../../packages/mirror/src/internal/SyncTables.ts"
import * as MirrorSync from "../../packages/mirror/src/MirrorSync.ts"
import * as MirrorTransferApi from "../../packages/mirror/src/MirrorTransferApi.ts"
import { TransferMirror } from "../../packages/mirror/src/TransferMirror.ts"

const partner_id = "demo"

/** One sync, by the process that runs it. */
export const sync = (
  context: Context.Context<TransferMirror>,
  pager: TransferPager.TransferPager["Service"],
  api: TransferApi["Service"],
  concurrency: number,
) =>
  MirrorSync.sync({ partner_id, concurrency }).pipe(
    Effect.provideContext(context),
    Effect.provideService(TransferPager.TransferPager, pager),
    Effect.provideService(TransferApi, api),
  )

export class Mirror implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "transferkit-simulation-"))
  #files = Scope.makeUnsafe()

  /** Opened before the process starts: no part of it has to end for the files to be closed. */
  open(): Promise<Context.Context<TransferMirror>> {
    const layer = TransferMirror.layer(`sqlite:${join(this.#folder, "mirror.db")}`)
    return Effect.runPromise(Layer.buildWithScope(layer, this.#files))
  }

  /** What the operating system does when a process is gone: it closes its files, and SQLite undoes what was open. */
  async close(): Promise<void> {
    await Effect.runPromise(Scope.close(this.#files, Exit.void))
    this.#files = Scope.makeUnsafe()
  }

  /**
   * What is so between two lives. A minute of virtual time has passed, which the database's own clock does not know: the
   * lease of a dead process ends. Everything created before the watermark is there.
   */
  async betweenLives(): Promise<{ readonly watermark: bigint | undefined }> {
    const context = await this.open()
    const look = Effect.gen(function* () {
      const { run } = Driver.of(yield* TransferMirror)
      yield* run((sql) => sql`UPDATE sync_leases SET expires_us = 0`)
      return { watermark: yield* SyncTables.watermark(partner_id) }
    })
    const between = await Effect.runPromise(Effect.provideContext(look, context))
    await this.close()
    return between
  }

  /** All that it holds. */
  async readAll(): Promise<ReadonlyArray<Transfer>> {
    const context = await this.open()
    const transfers = await Effect.runPromise(
      Effect.gen(function* () {
        const api = yield* Effect.provideContext(MirrorTransferApi.make({ partner_id }), context)
        const { transfers } = yield* Effect.provideService(TransferPager.make, TransferApi, api)
        return yield* Stream.runCollect(transfers({}))
      }),
    )
    await this.close()
    return transfers
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
