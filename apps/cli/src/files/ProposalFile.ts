/** Proposals as they are kept in files: one JSON value that holds them, or a proposal a line. */
import * as Proposals from "@transferkit/domain/Proposals"
import * as Result from "effect/Result"

/** The proposals of a text, each of them any JSON value; or what is wrong with it. */
export const parse = (text: string): Result.Result<ReadonlyArray<unknown>, string> => {
  const whole = parseJson(text)
  if (Result.isSuccess(whole)) return proposalsOf(whole.success)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  const values = lines.map(parseJson)
  const bad = values.findIndex(Result.isFailure)
  if (lines.length < 2 || bad === 0) return Result.fail(`it is not JSON: ${whole.failure}`)
  if (bad > 0) return Result.fail(`its line ${bad + 1} is not JSON`)
  return proposalsOf(values.flatMap((value) => (Result.isSuccess(value) ? [value.success] : [])))
}

const proposalsOf = (value: unknown): Result.Result<ReadonlyArray<unknown>, string> =>
  Result.mapError(Proposals.fromJson(value), ({ reason }) => reason)

const parseJson = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: (): unknown => JSON.parse(text.replace(/^\ufeff/, "")),
    catch: (error) => (error instanceof Error ? error.message : String(error)),
  })
