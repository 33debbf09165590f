/** The behaviour of a deployment, from a certificate that `transfers certify` wrote. */
import * as fs from "node:fs/promises"
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidFlag } from "./UsageError.ts"

/** The behaviour that a file describes. */
export const read = Effect.fnUntraced(function* (file: string) {
  const fail = (reason: string) => new InvalidFlag({ flag: "like", reason: `${file}: ${reason}` })
  const text = yield* Effect.tryPromise({
    try: async () => Result.getOrThrowWith(Utf8.decode(await fs.readFile(file)), Error),
    catch: (error) => fail(error instanceof Error ? error.message : String(error)),
  })
  const certificate = Certificate.fromJson(text)
  return Result.isFailure(certificate) ? yield* fail(certificate.failure) : certificate.success.behaviour
})
