/** Scratch space in a temporary file. The file has no name from its first byte on, so that nothing is left of it. */
import { randomInt, randomUUID } from "node:crypto"
import * as Files from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { FileError, reasonOf } from "../FileError.ts"
import type { Place, Scratch } from "../partitions/Scratch.ts"

/** Scratch space until the scope closes. There is no file before the first bytes are written. */
export const make: Effect.Effect<Scratch, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => new ScratchFile()),
  (scratch) => Effect.sync(() => scratch.close()),
)

class ScratchFile implements Scratch {
  readonly seed = randomInt(2 ** 32)
  readonly #path = join(tmpdir(), `transfers-${randomUUID()}.scratch`)
  #file: number | undefined
  #end = 0

  append(bytes: Uint8Array): Place {
    return this.#attempt(() => {
      const file = (this.#file ??= this.#open())
      const place = { offset: this.#end, length: bytes.length }
      for (let written = 0; written < bytes.length;) {
        written += Files.writeSync(file, bytes, written, bytes.length - written, this.#end + written)
      }
      this.#end += bytes.length
      return place
    })
  }

  read({ offset, length }: Place): Buffer {
    return this.#attempt(() => {
      const bytes = Buffer.allocUnsafe(length)
      for (let read = 0; read < length;) {
        const more = Files.readSync(this.#file ?? -1, bytes, read, length - read, offset + read)
        if (more === 0) throw new Error("a temporary file is shorter than what was written to it")
        read += more
      }
      return bytes
    })
  }

  close(): void {
    if (this.#file === undefined) return
    Files.closeSync(this.#file)
    Files.rmSync(this.#path, { force: true })
  }

  #open(): number {
    const file = Files.openSync(this.#path, "wx+", 0o600)
    try {
      Files.unlinkSync(this.#path)
    } catch {
      // Windows keeps the name of an open file; it goes when the file is closed.
    }
    return file
  }

  #attempt<A>(body: () => A): A {
    try {
      return body()
    } catch (error) {
      const reason = `${reasonOf(error)}. Rows that do not fit in memory are kept there: name another folder with TMPDIR`
      throw new FileError({ path: tmpdir(), reason })
    }
  }
}
