/** Which file to validate, and where to go on: what events contain, and continuations. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as CapabilitiesOfParts from "../service/CapabilitiesOfParts.ts"
import type { Place } from "./ObjectStore.ts"

/** Counts of the rows so far. */
export interface Tally {
  readonly rows: number
  readonly invalid: number
  /** How often each code. */
  readonly violations: { readonly [code: string]: number }
}

/** A file, and the part of it that was validated. */
export interface FileRequest extends Place {
  /** The version of the object that was begun. */
  readonly etag?: string
  readonly tally: Tally
  /** The hashes of the capabilities that the rows so far were validated by. */
  readonly capabilities?: ReadonlyArray<string>
  /** Of a continuation: that the function returned it. */
  readonly signature?: string
}

/** The event does not name a file. */
export class MalformedFile extends Data.TaggedError("MalformedFile")<{ readonly reason: string }> {
  override get message(): string {
    return (
      `${this.reason} Send {"file":{"bucket":"…","key":"….csv"}}, with a key that ends in .csv, .ndjson or .jsonl, or ` +
      `the continuation of an earlier result, unchanged.`
    )
  }
}

/** Of nothing. */
export const none: Tally = { rows: 0, invalid: 0, violations: {} }

/** The folder of a file's verdicts, beside it: one for each version. */
export const folderOf = ({ key, etag }: FileRequest & { readonly etag: string }): string => `${key}.verdicts/${etag}`

/** Reads a request. */
export const parse = (request: unknown): Result.Result<FileRequest, MalformedFile> => {
  const { bucket, key, etag, tally, capabilities, signature }: { readonly [field: string]: unknown } = {
    ...Object(request),
  }
  if (typeof bucket !== "string" || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    return malformed("The bucket is not a name of 3 to 63 lower-case letters, digits, dots and hyphens.")
  }
  if (typeof key !== "string" || key === "" || Buffer.byteLength(key) > 900) {
    return malformed("The key is not a text of 1 to 900 bytes.")
  }
  if (key.includes(".verdicts/")) return malformed("The key is that of verdicts.")
  if (etag === undefined) return Result.succeed({ bucket, key, tally: none })
  if (typeof etag !== "string" || !/^[\w-]{1,100}$/.test(etag))
    return malformed("The etag is not that of an earlier result.")
  if (typeof signature !== "string") return malformed("The continuation has no signature.")
  if (capabilities !== undefined && !CapabilitiesOfParts.areHashes(capabilities)) {
    return malformed("The capabilities are not those of an earlier result.")
  }
  const carried = capabilities === undefined ? {} : { capabilities }
  return Result.map(tallyOf(tally), (counts) => ({ bucket, key, etag, tally: counts, ...carried, signature }))
}

const tallyOf = (value: unknown): Result.Result<Tally, MalformedFile> => {
  const { rows, invalid, violations }: { readonly [field: string]: unknown } = { ...Object(value) }
  if (!isCount(rows) || !isCount(invalid) || typeof violations !== "object" || violations === null) {
    return malformed("The tally is not that of an earlier result.")
  }
  const counts = Object.entries(violations).filter((entry): entry is [string, number] => isCount(entry[1]))
  return Result.succeed({ rows, invalid, violations: Object.fromEntries(counts) })
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const malformed = (reason: string) => Result.fail(new MalformedFile({ reason }))
