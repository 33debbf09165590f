/** The archive of a close: a zip of plain files, each with its hash in `close.json`. */
import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as FileError from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import { NotZip, ZipFile } from "@transferkit/files/node/ZipFile"
import * as Effect from "effect/Effect"
import * as Zip from "effect/encoding/Zip"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as CloseManifest from "./CloseManifest.ts"
import * as CloseSignature from "./CloseSignature.ts"

const manifestName = "close.json"
const signatureName = "close.sig"
const maxManifest = 16 * 1024 * 1024
/** What an archive may unpack to: the texts of a close take a tenth of their size in it. */
const unpacked = { times: 200, least: 64 * 1024 * 1024 }

/** An unpacked bundle. */
export interface CloseBundle {
  readonly path: string
  readonly folder: string
  readonly manifest: CloseManifest.CloseManifest
  readonly manifestBytes: Uint8Array
  /** The hash of its `close.json`, which stands for all of it. */
  readonly sha256: string
  readonly signature: Uint8Array | undefined
  /** Files that `close.json` does not name. */
  readonly unexpected: ReadonlyArray<string>
  /** Files that the archive was written without. */
  readonly withheld: ReadonlyArray<typeof CloseManifest.File.Type>
  /** Files that are missing or damaged, with the hash that was found. */
  readonly damaged: ReadonlyArray<{ readonly path: string; readonly expected: string; readonly found: string }>
}

/** The hash of bytes. */
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/**
 * Writes a bundle of files of a folder, in the order of their names: all but the ledgers, if these are withheld. Returns
 * the hash of its `close.json`.
 */
export const write = Effect.fn("CloseBundle.write")(function* (
  path: string,
  folder: string,
  paths: ReadonlyArray<string>,
  about: Omit<CloseManifest.CloseManifest, "files" | "transfers_close">,
  {
    signKey,
    withoutLedgers,
    replaces,
  }: { readonly signKey: string | undefined; readonly withoutLedgers: boolean; readonly replaces: boolean },
) {
  const files = yield* Effect.forEach(paths.toSorted(), (name) =>
    Effect.map(TransferFile.fingerprint(join(folder, name)), (print) => ({
      path: name,
      ...print,
      ...(withoutLedgers && CloseManifest.isLedger(name) ? { withheld: true as const } : {}),
    })),
  )
  const manifest = Buffer.from(CloseManifest.toText({ transfers_close: 1, ...about, files }))
  const signature = signKey === undefined ? undefined : yield* CloseSignature.sign(manifest, signKey)
  const system = yield* FileSystem.FileSystem
  const toError = (error: { readonly message: string }) => new FileError.FileError({ path, reason: error.message })
  const entries = [
    Zip.file(manifestName, manifest),
    ...(signature === undefined ? [] : [Zip.file(signatureName, signature)]),
    ...files
      .filter(({ withheld }) => withheld === undefined)
      .map((file) =>
        Zip.fileStream(file.path, Stream.mapError(system.stream(join(folder, file.path)), toError), {
          size: file.bytes,
        }),
      ),
  ]
  const zipped = Stream.fromIterable(entries).pipe(
    Stream.pipeThroughChannel(Zip.encode<never, unknown, (typeof entries)[number]>()),
    Stream.mapError((error) => (error instanceof FileError.FileError ? error : toError(error))),
  )
  yield* AtomicFile.write(path, (append) => Stream.runForEach(zipped, append), { replaces })
  return hashOf(manifest)
})

/** Unpacks a bundle until the scope closes, and compares its files with their hashes. */
export const unpack = Effect.fn("CloseBundle.unpack")(function* (path: string) {
  const system = yield* FileSystem.FileSystem
  if (!(yield* TextFile.exists(path))) return yield* new FileError.FileError({ path, reason: "no such file" })
  const folder = yield* FileError.mapTo("the folder for temporary files")(system.makeTempDirectoryScoped())
  const zip = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => ZipFile.open(path),
      catch: (error) => {
        const what = error instanceof NotZip ? "it is no bundle that transfers close wrote: " : ""
        return new FileError.FileError({ path, reason: `${what}${FileError.reasonOf(error)}` })
      },
    }),
    (open) => Effect.promise(() => open.close()),
  )
  return yield* FileError.tryPromise(path, async (): Promise<CloseBundle> => {
    if (!zip.has(manifestName)) throw new Error("it is no bundle that transfers close wrote: it has no close.json")
    const manifestBytes = await all(zip.bytes(manifestName, maxManifest))
    const manifest = Result.getOrThrowWith(
      Result.flatMap(Utf8.decode(manifestBytes), CloseManifest.parse),
      (reason) => new Error(reason),
    )
    const { size } = await stat(path)
    const most = Math.max(unpacked.least, size * unpacked.times)
    const packed = manifest.files.filter((file) => zip.has(file.path))
    if (packed.reduce((sum, { bytes }) => sum + bytes, 0) > most) {
      throw new Error(
        `its files have more than ${Math.round(most / 1024 ** 2)} MiB, far more than those of a close in its size`,
      )
    }
    await mkdir(join(folder, "ledgers"))
    const damaged: Array<CloseBundle["damaged"][number]> = []
    const withheld = manifest.files.filter((file) => file.withheld === true && !zip.has(file.path))
    for (const file of manifest.files) {
      if (file.withheld === true && !zip.has(file.path)) continue
      const found = zip.has(file.path) ? await extract(zip, file, folder) : "missing"
      if (found !== file.sha256) damaged.push({ path: file.path, expected: file.sha256, found })
    }
    const named = new Set([manifestName, signatureName, ...manifest.files.map((file) => file.path)])
    const hasSignature = zip.has(signatureName)
    return {
      path,
      folder,
      manifest,
      manifestBytes,
      sha256: hashOf(manifestBytes),
      signature: hasSignature ? await all(zip.bytes(signatureName, 1024)) : undefined,
      unexpected: zip.names.filter((name) => !named.has(name)),
      damaged,
      withheld,
    }
  })
})

const all = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const found: Array<Uint8Array> = []
  for await (const chunk of chunks) found.push(chunk)
  return Buffer.concat(found)
}

/** Writes a file of the archive to the folder. Returns its hash, or what is wrong with it. */
const extract = async (
  zip: ZipFile,
  { path, bytes }: typeof CloseManifest.File.Type,
  folder: string,
): Promise<string> => {
  const hash = createHash("sha256")
  try {
    await pipeline(
      async function* () {
        for await (const chunk of zip.bytes(path, bytes)) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(join(folder, path), { mode: 0o600 }),
    )
  } catch (error) {
    return FileError.reasonOf(error)
  }
  return hash.digest("hex")
}

/** Whether a bundle has a file. */
export const has = ({ manifest }: CloseBundle, name: string): boolean =>
  manifest.files.some(({ path }) => path === name)

/** All of a file of a folder as text, if there is one. Errors have its name in the bundle. */
export const textOf = Effect.fnUntraced(function* (folder: string, name: string) {
  const path = join(folder, name)
  return (yield* TextFile.exists(path)) ? yield* named(TextFile.read(path), name) : undefined
})

/** Errors with the name that a file has in the bundle. */
export const named = <A, R>(effect: Effect.Effect<A, FileError.FileError, R>, name: string) =>
  Effect.mapError(effect, ({ reason }) => new FileError.FileError({ path: name, reason }))
