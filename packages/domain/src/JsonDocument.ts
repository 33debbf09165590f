/** Reads a JSON text that has a schema. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as JsonText from "./JsonText.ts"

/**
 * A reader of the texts of a schema: each is read by {@link JsonText.parse}. It says, as a clause, why it cannot.
 *
 * @example
 * const read = JsonDocument.reader(S.Struct({ a: S.Number }))
 * read('{"a":1}') // => Result.succeed({ a: 1 })
 * read('{"a":1,"a":2}') // => Result.fail('line 1, column 8: its object has "a" already: remove one of the two')
 */
export const reader = <A>(
  schema: S.ConstraintDecoder<A>,
  { levels, ...options }: Parameters<typeof S.decodeUnknownResult>[1] & Pick<JsonText.Options, "levels"> = {},
): ((text: string) => Result.Result<A, string>) => {
  const decode = S.decodeUnknownResult(schema, options)
  return (text) =>
    Result.flatMap(JsonText.parse(text, levels === undefined ? {} : { levels }), (value) =>
      Result.mapError(decode(value), ({ message }) => message),
    )
}
