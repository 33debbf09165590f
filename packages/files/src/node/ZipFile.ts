/** The parts of a zip file: unpacked up to a limit, whatever sizes the file claims, and checked. */
import { type FileHandle, open, stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { fromFdPromise, type Entry, type ZipFile as Yauzl } from "yauzl"

const maxParts = 10_000

/** The file is not a zip file, not even a damaged one. */
export class NotZip extends Error {}

const damaged = (what: string, error: unknown): Error => {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(". ", 1)
  return new Error(`${what} is damaged: ${reason}. Get another copy of the file, or save it again`)
}

const noFile = "it is a pipe or a device, and no file"

const sizeOf = (bytes: number): string => (bytes < 1 << 20 ? `${bytes} bytes` : `${bytes >> 20} MiB`)

/** What the parts that are read may unpack to, together: this many times the size of the file, or the least. */
export interface Unpacked {
  readonly times: number
  readonly least: number
}

/** An open zip file. */
export class ZipFile {
  /** Its size. */
  readonly size: number
  readonly #zip: Yauzl
  readonly #file: FileHandle
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #most: Unpacked
  #unpackedBytes = 0

  private constructor(opened: {
    readonly zip: Yauzl
    readonly file: FileHandle
    readonly entries: ReadonlyMap<string, Entry>
    readonly size: number
    readonly most: Unpacked
  }) {
    this.#zip = opened.zip
    this.#file = opened.file
    this.#entries = opened.entries
    this.size = opened.size
    this.#most = opened.most
  }

  /** Opens a file. The caller closes it. */
  static async open(path: string, most: Unpacked = { times: 0, least: Number.POSITIVE_INFINITY }): Promise<ZipFile> {
    // A pipe has no end to read first, and waiting for its other side could not be ended.
    const info = await stat(path)
    if (!info.isFile() && !info.isDirectory()) throw new Error(noFile)
    return ZipFile.of(await open(path), most)
  }

  /** The same of an open file, which is closed with it, also if it is no zip file. */
  static async of(file: FileHandle, most: Unpacked): Promise<ZipFile> {
    try {
      const info = await file.stat()
      if (!info.isFile() && !info.isDirectory()) throw new Error(noFile)
      if (!(await beginsAsZip(file))) throw new NotZip("it is no zip file")
      const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
        throw damaged("its list of parts", error)
      })
      if (zip.entryCount > maxParts) throw new Error(`it has more than ${maxParts} parts`)
      const entries = new Map<string, Entry>()
      for (const entry of await entriesOf(zip)) {
        // Other programs would read the other one of the two.
        if (entries.has(entry.fileName)) throw new Error(`it has two parts ${entry.fileName}`)
        entries.set(entry.fileName, entry)
      }
      return new ZipFile({ zip, file, entries, size: info.size, most })
    } catch (error) {
      await file.close()
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
    const decode = (bytes?: Uint8Array): string => {
      try {
        return decoder.decode(bytes, { stream: bytes !== undefined })
      } catch {
        throw damaged(`its part ${name}`, "it is not UTF-8")
      }
    }
    for await (const chunk of this.bytes(name, maxBytes)) yield decode(chunk)
    yield decode()
  }

  /** A part, in chunks. */
  async *bytes(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Error(`it has no part ${name}`)
    if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod)) {
      throw new Error(`its part ${name} is encrypted, or compressed in another way than by deflate`)
    }
    let [size, checksum] = [0, 0]
    for await (const chunk of this.#unpacked(entry)) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`its part ${name} has more than ${sizeOf(maxBytes)}`)
      this.#count(name, chunk.length)
      checksum = crc32(chunk, checksum)
      yield chunk
    }
    if (checksum !== entry.crc32) throw damaged(`its part ${name}`, "its checksum does not match")
  }

  #count(name: string, bytes: number): void {
    const { times, least } = this.#most
    this.#unpackedBytes += bytes
    if (this.#unpackedBytes <= Math.max(least, times * this.size)) return
    throw new Error(
      `its part ${name} unpacks to far more than a file of its size holds: at most ${sizeOf(least)}, or ${times} times that size`,
    )
  }

  async *#unpacked(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      const { fileName } = await this.#zip.readLocalFileHeaderPromise(entry)
      // The name beside the bytes is the one that programs show which read an archive from its start.
      if (!entry.fileNameRaw.equals(fileName)) throw new Error("it has another name beside its bytes")
      const packed = await this.#zip.openReadStreamPromise(entry, { decodeFileData: false })
      // Errors of both streams reach the loop through the last one.
      yield* entry.compressionMethod === 0 ? packed : pipeline(packed, createInflateRaw(), () => {})
    } catch (error) {
      throw damaged(`its part ${entry.fileName}`, error)
    }
  }

  /** Closes the file, not what reads it by its descriptor: that would close it once more. */
  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Whether a file begins with the mark of the first part, or of the end of a list without parts. */
const beginsAsZip = async (file: FileHandle): Promise<boolean> => {
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
  return ["PK\u0003\u0004", "PK\u0005\u0006"].includes(buffer.toString("latin1"))
}

const entriesOf = async (zip: Yauzl): Promise<ReadonlyArray<Entry>> => {
  try {
    const entries: Array<Entry> = []
    for await (const entry of zip.eachEntry()) entries.push(entry)
    return entries
  } catch (error) {
    throw damaged("its list of parts", error)
  }
}
