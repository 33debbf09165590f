/**
 * The files that a command writes, before it works for them: none is a folder, a pipe, another of them, one that it reads, or one
 * beside it, and each has a name from which those of the files beside it can be made.
 */
import { lstat, realpath, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { FileError } from "../FileError.ts"
import * as AtomicFile from "./AtomicFile.ts"

/** Which file a path names: another path may name the same. Undefined if there is nothing that is read or replaced. */
const identityOf = async (path: string): Promise<string | undefined> => {
  const info = await stat(path, { bigint: true }).catch(() => undefined)
  return info?.isFile() === true ? `${info.dev}:${info.ino}` : undefined
}

/** The same for a file to write, which may not be there. */
const placeOf = async (path: string): Promise<string> =>
  (await identityOf(path)) ?? join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))

/** How a command line gives a value: a mirror in a file has a scheme. */
const pathOf = (value: string): string => value.replace(/^sqlite:/, "")

/** The endings of the files that stand beside a mirror or an export: another command replaces or removes what is there. */
const ending = /(?:-(?:wal|shm|journal)|[.](?:lock|spool|manifest[.]json))$/i

/** No file system has longer names. */
const longestName = 1024

/** The bytes of the longest name in a folder that can have a suffix, if this name is longer. Only the file system knows. */
const limitOf = async (path: string, suffix: string): Promise<number | undefined> => {
  const fits = (name: string) =>
    lstat(join(dirname(path), `${name}${suffix}`)).then(
      () => true,
      (error) => error.code !== "ENAMETOOLONG",
    )
  if (await fits(basename(path))) return undefined
  let bytes = Math.min(longestName, Buffer.byteLength(basename(path)) - 1)
  while (bytes > 0 && !(await fits("x".repeat(bytes)))) bytes--
  return bytes
}

/**
 * Fails if an output cannot be what it is named for. `given` are all values of the command line: whatever names a file
 * there is read. `beside` is the longest ending of the files that are written beside each output.
 *
 * @example
 * const error = await run(Effect.flip(OutputFiles.check({ html: "x", junit: "./x" }, ["html", "junit"])))
 * error.message // => "x: --html and --junit name the same file: give each its own"
 */
export const check = Effect.fn("OutputFiles.check")(function* (
  given: Readonly<Record<string, unknown>>,
  outputs: ReadonlyArray<string>,
  { beside = "" }: { readonly beside?: string } = {},
) {
  const texts = (value: unknown) => [value].flat().filter((one) => typeof one === "string")
  const inputs = Object.entries(given).flatMap(([name, value]) => (outputs.includes(name) ? [] : texts(value)))
  const read = new Set(yield* Effect.promise(() => Promise.all(inputs.map((value) => identityOf(pathOf(value))))))
  const written = new Map<string, { readonly flag: string; readonly path: string }>()
  for (const name of outputs) {
    const flag = `--${name.replaceAll("_", "-")}`
    for (const path of texts(given[name])) {
      const [taken] = ending.exec(path) ?? []
      if (taken !== undefined) {
        const reason = `names that end in ${taken} are for the files beside a mirror or an export: choose another name`
        return yield* new FileError({ path, reason })
      }
      const info = yield* Effect.promise(() => stat(path).catch(() => undefined))
      if (info?.isDirectory() === true)
        return yield* new FileError({ path, reason: "it is a folder: name a file in it" })
      yield* AtomicFile.replaceable(path)
      const limit = yield* Effect.promise(() => limitOf(path, `${beside}${AtomicFile.suffix()}`))
      if (limit !== undefined) {
        const reason = `the name has ${Buffer.byteLength(basename(path))} bytes, and the longest of ${flag} in this folder has ${limit}, because the files beside it have longer names: choose a shorter one`
        return yield* new FileError({ path, reason })
      }
      const place = yield* Effect.promise(() => placeOf(path))
      if (read.has(place)) {
        return yield* new FileError({
          path,
          reason: `this command reads it, and ${flag} would replace it: name another`,
        })
      }
      const other = written.get(place)
      if (other !== undefined) {
        const reason = `${other.flag} and ${flag} name the same file: give each its own`
        return yield* new FileError({ path: other.path, reason })
      }
      written.set(place, { flag, path })
    }
  }
})
