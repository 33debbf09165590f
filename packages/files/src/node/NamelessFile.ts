/** A file without a name, for bytes that must be read several times: nothing is left of it, even after `kill -9`. */
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import * as Files from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/**
 * The path of a copy until the scope closes. Only its user can read it. Where a system opens a file by its descriptor, as
 * Linux does, it has no name from its first byte on.
 */
export const of = Effect.fnUntraced(function* <E>(bytes: Stream.Stream<Uint8Array, E>) {
  const path = join(tmpdir(), `transfers-${randomUUID()}`)
  const remove = () => Files.rm(path, { force: true })
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise(() => Files.open(path, "wx+", 0o600)),
    (open) => Effect.promise(() => open.close().then(remove)),
  )
  const nameless = `/proc/self/fd/${file.fd}`
  const isNameless = existsSync(nameless)
  if (isNameless) yield* Effect.tryPromise(remove)
  yield* Stream.runForEach(bytes, (chunk) => Effect.tryPromise(() => file.appendFile(chunk)))
  return isNameless ? nameless : path
})
