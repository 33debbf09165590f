/** The mirror of `--from` as the source of tools for models. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { ToolSource } from "@transferkit/mcp/ToolSource"
import * as MirrorState from "@transferkit/mirror/MirrorState"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as MirrorSource from "./MirrorSource.ts"

/** How many transfers a call may read. */
const most = 200_000

/** The source, for one partner of the mirror. */
export const layer = Layer.effect(
  ToolSource,
  Effect.gen(function* () {
    const mirror = yield* TransferMirror
    const partner_id = yield* MirrorSource.partner
    return {
      name: "a mirror",
      most,
      usualSince: undefined,
      completeAsOf: MirrorState.coverage(partner_id).pipe(
        Effect.map((coverage) => coverage?.until.text),
        Effect.provideService(TransferMirror, mirror),
      ),
      find: (id) => Effect.map(mirror.find(id), (found) => found.filter((one) => one.partner_id === partner_id)),
      open: ({ since, before, limit }) =>
        Effect.map(
          mirror.run(
            (sql) =>
              sql<{ readonly body: string }>`SELECT body FROM open_transfers WHERE partner_id = ${partner_id}
              AND created_ns < ${before.epochNanoseconds} AND created_ns >= ${(since ?? Timestamp.earliest).epochNanoseconds}
              ORDER BY created_ns, id LIMIT ${limit}`,
          ),
          (rows) => rows.map(({ body }) => Result.getOrThrow(Transfer.fromJson(body))),
        ),
    }
  }),
).pipe(Layer.provide(MirrorSource.mirror))
