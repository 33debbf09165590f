/** The parts of a zip file: unpacked up to a limit, whatever sizes the file claims, and checked. */
import { pipeline } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { openPromise, type Entry, type ZipFile as Yauzl } from "yauzl"

const maxParts = 10_000

/** An open zip file. */
export class ZipFile {
  readonly #zip: Yauzl
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: Yauzl, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** Opens a file. The caller closes it. */
  static async open(path: string): Promise<ZipFile> {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    const entries = new Map<string, Entry>()
    try {
      if (zip.entryCount > maxParts) throw new Error(`it has more than ${maxParts} parts`)
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      return new ZipFile(zip, entries)
    } catch (error) {
      zip.close()
      throw error
    }
  }

  /** Whether there is a part of that name. */
  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** A part as UTF-8 text, in chunks. */
  async *text(name: string, maxBytes: number): AsyncGenerator<string> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Error(`it has no part ${name}`)
    if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod)) {
      throw new Error(`its part ${name} is encrypted, or compressed in another way than by deflate`)
    }
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const packed = await this.#zip.openReadStreamPromise(entry, { decodeFileData: false })
    // Errors of both streams reach the loop through the last one.
    const bytes = entry.compressionMethod === 0 ? packed : pipeline(packed, createInflateRaw(), () => {})
    let [size, checksum] = [0, 0]
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`its part ${name} has more than ${maxBytes >> 20} MiB`)
      checksum = crc32(chunk, checksum)
      yield decoder.decode(chunk, { stream: true })
    }
    if (checksum !== entry.crc32) throw new Error(`its part ${name} is damaged: its checksum does not match`)
    yield decoder.decode()
  }

  close(): void {
    this.#zip.close()
  }
}
