/** What a database says: it may echo the password that it was sent. */
import * as SecretText from "@transferkit/domain/SecretText"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import type { MirrorAddress } from "../MirrorAddress.ts"
import * as PostgresPassword from "./PostgresPassword.ts"

/** Takes the password of an address out of a text. */
export const redacting = (address: MirrorAddress): Effect.Effect<(text: string) => string> =>
  Effect.map(PostgresPassword.secrets(address), (secrets) => SecretText.cutting(SecretText.redacting(secrets)))

/** Without the password in the errors of its spans, each of which ends before a mirror's own error is made. */
export const masked = Effect.fnUntraced(function* <A, E, R>(
  redact: (text: string) => string,
  use: Effect.Effect<A, E, R>,
) {
  const tracer = yield* Effect.tracer
  const shown = (exit: Exit.Exit<unknown, unknown>) =>
    Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
      ? exit
      : Exit.fail(new Error(redact(Cause.pretty(exit.cause))))
  const masking = Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const end = span.end.bind(span)
      return Object.assign(span, { end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, shown(exit)) })
    },
  })
  return yield* Effect.withTracer(use, masking)
})
