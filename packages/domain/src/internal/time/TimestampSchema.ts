/** The schemas of {@link file://../../Timestamp.ts}. Separate, so that programs that only read timestamps load no schema. */
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Rfc3339 from "./Rfc3339.ts"
import { isTimestamp, Timestamp } from "./TimestampText.ts"

/** The wire form: an RFC 3339 string. */
export const Wire = S.String.check(
  S.makeFilter((text) => Rfc3339.rejection(text) === undefined, { expected: "an RFC 3339 timestamp" }),
).annotate({
  identifier: "Timestamp",
  format: "date-time",
})

/**
 * Decodes the wire form, and encodes it again without changing a character.
 *
 * @example
 * Result.map(S.decodeUnknownResult(Timestamp.Schema)("2024-09-01t00:00:00.50z"), (at) => at.text) // => Result.succeed("2024-09-01t00:00:00.50z")
 */
export const Schema = Wire.pipe(
  S.decodeTo(
    S.declare(isTimestamp, { identifier: "TimestampValue", expected: "Timestamp" }),
    SchemaTransformation.transform({
      decode: (text): Timestamp => new Timestamp(text),
      encode: (timestamp) => timestamp.text,
    }),
  ),
)
