/** The body of every answer that is not a success. The contract is silent on it; this is what we send and first look for. */
import type * as Option from "effect/Option"
import * as S from "effect/Schema"

/** One reason: a code for programs, a message for people. */
export const ErrorEntry = S.Struct({ code: S.String, message: S.String }).annotate({ identifier: "ErrorEntry" })

/** `{"errors":[{"code":"…","message":"…"}]}` */
export const ErrorBody = S.Struct({ errors: S.Array(ErrorEntry) }).annotate({ identifier: "ErrorBody" })

/** What went wrong, as the service tells it. */
export type ErrorBody = typeof ErrorBody.Type

const decode = S.decodeUnknownOption(S.fromJsonString(ErrorBody))

/**
 * Reads a body; none where it has another shape.
 *
 * @example
 * Option.map(ErrorBody.fromText('{"errors":[{"code":"not_found","message":"?"}]}'), (body) => body.errors.length) // => Option.some(1)
 * Option.isNone(ErrorBody.fromText("<html>")) // => true
 */
export const fromText = (text: string): Option.Option<ErrorBody> => decode(text)
