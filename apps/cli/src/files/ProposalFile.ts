/** Proposals as they are kept in files: one JSON value that holds them, or a proposal a line. */
import * as JsonText from "@transferkit/domain/JsonText"
import * as Proposals from "@transferkit/domain/Proposals"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Result from "effect/Result"

/** The proposals of a text, each of them any JSON value; or what is wrong with it. */
export const parse = (text: string): Result.Result<ReadonlyArray<unknown>, string> => {
  if (text.includes("\ufffd")) return Result.fail(Utf8.lost)
  const json = text.replace(/^\ufeff/, "")
  const whole = parseJson(json, 1)
  if (Result.isSuccess(whole)) return proposalsOf(whole.success)
  const values = json.split(/\r?\n/).flatMap((line, index) => (line.trim() === "" ? [] : [parseJson(line, index + 1)]))
  const [first] = values
  // Where not even one line is a value, the text is not a proposal a line.
  if (first === undefined || values.length < 2 || Result.isFailure(first)) return Result.fail(whole.failure)
  return Result.flatMap(Result.all(values), proposalsOf)
}

const proposalsOf = (value: unknown): Result.Result<ReadonlyArray<unknown>, string> =>
  Result.mapError(Proposals.fromJson(value), ({ reason }) => reason)

const parseJson = (text: string, line: number): Result.Result<unknown, string> =>
  JsonText.parse(text, { firstLine: line, keepsDigits: true })
