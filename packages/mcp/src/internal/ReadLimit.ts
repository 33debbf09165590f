/** How much a call may read. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { Progress } from "./Progress.ts"

/** More transfers would have to be read than a call may. */
export class TooMany extends Data.TaggedError("TooMany")<{ readonly most: number; readonly advice: string }> {
  override get message(): string {
    return `More than ${this.most} transfers would have to be read. ${this.advice}`
  }
}

/** Passes transfers on, and fails once they are more than a call may read. Between batches other calls, and signals, have a turn. */
export const of =
  (most: number, advice: string) =>
  <E, R>(
    batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  ): Stream.Stream<ReadonlyArray<Transfer>, E | TooMany, R> =>
    Stream.unwrap(
      Effect.map(Ref.make(0), (read) =>
        Stream.mapEffect(batches, (batch) =>
          Effect.flatMap(
            Ref.updateAndGet(read, (count) => count + batch.length),
            (count) =>
              count > most
                ? Effect.fail(new TooMany({ most, advice }))
                : Progress.pipe(
                    Effect.flatMap((report) => report(count)),
                    Effect.andThen(Effect.yieldNow),
                    Effect.as(batch),
                  ),
          ),
        ),
      ),
    )
