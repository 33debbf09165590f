/**
 * Compiled code, kept between runs in the user's cache folder, as Node's own compile cache does for modules: most of a
 * short run is reading code. A run without the cache is slower and otherwise the same.
 */
import * as Files from "node:fs"
import { homedir } from "node:os"
import * as Path from "node:path"
import { Script } from "node:vm"
import { crc32 } from "node:zlib"

/** Code to run, and what tells it from all other code: V8 itself compares no more than its length. */
export interface Program {
  readonly code: string
  readonly hash: string
  readonly filename: string
}

/** What the code is a function of. */
type Body = (exports: object, require: NodeJS.Require, module: { readonly exports: object }) => void

/** Compiles code that is the body of a function of `exports`, `require` and `module`. */
export const compile = ({ code, hash, filename }: Program): Body => {
  const path = pathOf(hash)
  const cached = path === undefined ? undefined : read(path)
  const script = new Script(`(function (exports, require, module) {${code}\n})`, {
    filename,
    ...(cached && { cachedData: cached }),
  })
  if (path !== undefined && (cached === undefined || script.cachedDataRejected === true)) {
    // At the end, what this run has needed is compiled.
    process.once("exit", () => write(path, script.createCachedData()))
  }
  return script.runInThisContext()
}

/** By the conventions of the XDG folders; none where Node is told to keep no compiled code. */
const pathOf = (hash: string): string | undefined => {
  const { NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env
  if (NODE_DISABLE_COMPILE_CACHE !== undefined && NODE_DISABLE_COMPILE_CACHE !== "") return undefined
  const folder =
    XDG_CACHE_HOME !== undefined && Path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : Path.join(homedir(), ".cache")
  return Path.join(folder, "transfers", `${hash}-${process.version}-${process.arch}.code`)
}

const checksumBytes = 4

/** Only what this user alone can have written, and is whole: it will be run. */
const read = (path: string): Buffer | undefined => {
  try {
    const file = Files.openSync(path, "r")
    try {
      const { mode, uid } = Files.fstatSync(file)
      if (process.platform !== "win32" && ((mode & 0o022) !== 0 || uid !== process.getuid?.())) return undefined
      const bytes = Files.readFileSync(file)
      const code = bytes.subarray(checksumBytes)
      return bytes.length > checksumBytes && bytes.readUInt32LE() === crc32(code) ? code : undefined
    } finally {
      Files.closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Replaces what other versions have left. */
const write = (path: string, code: Buffer): void => {
  try {
    const folder = Path.dirname(path)
    Files.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const checksum = Buffer.alloc(checksumBytes)
    checksum.writeUInt32LE(crc32(code))
    const partial = `${path}.${process.pid}`
    Files.writeFileSync(partial, Buffer.concat([checksum, code]), { mode: 0o600 })
    for (const name of Files.readdirSync(folder)) {
      if (name.endsWith(".code")) Files.rmSync(Path.join(folder, name), { force: true })
    }
    Files.renameSync(partial, path)
  } catch {
    // A folder that cannot be written to costs time and nothing else.
  }
}
