/** A fee schedule from a file. */
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as TextFile from "./TextFile.ts"

/** Reads a schedule. */
export const read = Effect.fn("FeeScheduleFile.read")(function* (path: string) {
  const text = yield* TextFile.read(path)
  return yield* Effect.fromResult(Result.mapError(FeeSchedule.parse(text), (reason) => new FileError({ path, reason })))
})
