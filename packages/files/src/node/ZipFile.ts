/** The parts of a zip file: unpacked up to a limit, whatever sizes the file claims, and checked. */
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { openPromise, type Entry, type ZipFile as Yauzl } from "yauzl"

const maxParts = 10_000

const sizeOf = (bytes: number): string => (bytes < 1 << 20 ? `${bytes} bytes` : `${bytes >> 20} MiB`)

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
    // A pipe has no end to read first, and waiting for its other side could not be ended.
    const info = await stat(path)
    if (!info.isFile() && !info.isDirectory()) throw new Error("it is a pipe or a device, and no file")
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    const entries = new Map<string, Entry>()
    try {
      if (zip.entryCount > maxParts) throw new Error(`it has more than ${maxParts} parts`)
      for await (const entry of zip.eachEntry()) {
        // Other programs would read the other one of the two.
        if (entries.has(entry.fileName)) throw new Error(`it has two parts ${entry.fileName}`)
        entries.set(entry.fileName, entry)
      }
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

  /** The names of all parts. */
  get names(): ReadonlyArray<string> {
    return [...this.#entries.keys()]
  }

  /** A part as UTF-8 text, in chunks. */
  async *text(name: string, maxBytes: number): AsyncGenerator<string> {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    for await (const chunk of this.bytes(name, maxBytes)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }

  /** A part, in chunks. */
  async *bytes(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Error(`it has no part ${name}`)
    if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod)) {
      throw new Error(`its part ${name} is encrypted, or compressed in another way than by deflate`)
    }
    // The name beside the bytes is the one that programs show which read an archive from its start.
    const { fileName } = await this.#zip.readLocalFileHeaderPromise(entry)
    if (!entry.fileNameRaw.equals(fileName)) throw new Error(`its part ${name} has another name beside its bytes`)
    const packed = await this.#zip.openReadStreamPromise(entry, { decodeFileData: false })
    // Errors of both streams reach the loop through the last one.
    const bytes = entry.compressionMethod === 0 ? packed : pipeline(packed, createInflateRaw(), () => {})
    let [size, checksum] = [0, 0]
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`its part ${name} has more than ${sizeOf(maxBytes)}`)
      checksum = crc32(chunk, checksum)
      yield chunk
    }
    if (checksum !== entry.crc32) throw new Error(`its part ${name} is damaged: its checksum does not match`)
  }

  close(): void {
    this.#zip.close()
  }
}
