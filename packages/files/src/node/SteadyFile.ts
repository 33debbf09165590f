/** A file that is opened several times. Each time it must be the one that it was, also when it has been read. */
import type { BigIntStats } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"

/** What tells a file from another one, or from what it was. A device or a file of the system has its own times. */
const identityOf = (info: BigIntStats): string =>
  [info.dev, info.ino, ...(info.isFile() ? [info.size, info.mtimeNs, info.ctimeNs] : [])].join(":")

export class SteadyFile {
  readonly #path: string
  readonly #identity: string

  private constructor(path: string, identity: string) {
    this.#path = path
    this.#identity = identity
  }

  /** The file that has a name now. */
  static async of(path: string): Promise<SteadyFile> {
    return new SteadyFile(path, identityOf(await stat(path, { bigint: true })))
  }

  /** Reads it. Throws an `Error` with a clause if it is not what it was, before or after. */
  async use<A>(read: (file: FileHandle) => Promise<A>): Promise<A> {
    const file = await this.open()
    try {
      const result = await read(file)
      await this.#check(file)
      return result
    } finally {
      await file.close()
    }
  }

  /** Its bytes in chunks, in the same way. */
  async *chunks(): AsyncGenerator<Buffer> {
    const file = await this.open()
    try {
      for await (const chunk of file.createReadStream({ autoClose: false })) yield chunk
      await this.#check(file)
    } finally {
      await file.close()
    }
  }

  /** Opens it. The caller closes it, and then {@link SteadyFile.check} tells whether what was read of it counts. */
  async open(): Promise<FileHandle> {
    const file = await open(this.#path)
    try {
      await this.#check(file)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Throws if the name leads to another file now, or to a changed one. */
  async check(): Promise<void> {
    await this.use(async () => undefined)
  }

  async #check(file: FileHandle): Promise<void> {
    if (identityOf(await file.stat({ bigint: true })) === this.#identity) return
    throw new Error("it changed while it was being read: run the command again when nothing writes to it")
  }
}
