/**
 * Whose the files of a SQLite mirror are: its own, and those beside it, where SQLite keeps what is not yet in it. SQLite
 * uses those that it finds, and who made them could read and change what is written there.
 */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs"
import * as SqliteKind from "./SqliteKind.ts"

/**
 * Throws if SQLite would use a file of another user, or follow a link to nowhere; then makes the file that a writer lacks,
 * for its owner alone. The result throws if SQLite has opened others than these: call it before anything is written.
 */
export const prepare = (file: string, readOnly: boolean): (() => void) => {
  reject(faultOf(file, readOnly))
  if (!readOnly) create(file)
  const prepared = identityOf(file)
  return () => reject(faultOf(file, readOnly) ?? replacedOf(file, prepared))
}

const reject = (fault: string | undefined): void => {
  if (fault !== undefined) throw new Error(fault)
}

const create = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", 0o600))
  } catch (error) {
    // What is there keeps its mode; SQLite has better words for what cannot be opened.
    if (!(error instanceof Error && "code" in error)) throw error
  }
}

const options = { throwIfNoEntry: false, bigint: true } as const

const faultOf = (file: string, readOnly: boolean): string | undefined => {
  const link = lstatSync(file, options)
  const mirror = statSync(file, options)
  if (mirror === undefined) {
    return link === undefined
      ? faultBeside(file, { mode: 0o600n })
      : `it is a link to ${readlinkSync(file)}, where there is no file: give the path of the file itself`
  }
  // Each name has a log of its own, so what is written by one is not there by the other.
  if (mirror.nlink > 1n) {
    return `the file has ${mirror.nlink} names (hard links), which SQLite cannot handle: remove all but one`
  }
  const foreign = readOnly ? undefined : [link ?? mirror, mirror].find((found) => isOthers(found))
  if (foreign !== undefined) {
    const what = foreign.isSymbolicLink() ? "it is a link that" : "it"
    return `${what} belongs to another user (uid ${foreign.uid}), who could read what is written to it: name a file of your own`
  }
  return faultBeside(realpathSync(file), mirror)
}

/** What a file and those beside it must have in common. */
type Shared = Pick<BigIntStats, "mode"> & Partial<Pick<BigIntStats, "uid">>

const faultBeside = (file: string, mirror: Shared): string | undefined => {
  for (const ending of SqliteKind.endings) {
    const path = `${file}${ending}`
    const found = lstatSync(path, options)
    if (found === undefined) continue
    // Before its mode and its owner: what they say would not help.
    if (found.isFile() && SqliteKind.isForeign(file, ending, found.size)) {
      return `${path}: another kind of file has this name, and would be lost: name another mirror, or move the file away`
    }
    const fault = faultOfOne(path, found, mirror)
    if (fault !== undefined) return `${path}, where SQLite keeps what is not yet in the file, ${fault}`
  }
  return undefined
}

const faultOfOne = (path: string, found: BigIntStats, mirror: Shared): string | undefined => {
  // SQLite would wait for the writer of a pipe, which no signal ends.
  if (!found.isFile()) return "is no file: remove it"
  if (found.nlink > 1n) return "has another name, too (a hard link): remove it"
  if (isOthers(found, mirror.uid)) {
    return `belongs to another user (uid ${found.uid}): if no program uses it, remove it, and keep a mirror in a folder that only its owner can write`
  }
  const isWider = process.geteuid !== undefined && (found.mode & ~mirror.mode & 0o077n) !== 0n
  return isWider ? `is open to users who may not open the mirror: chmod 600 ${path}` : undefined
}

/** Whether a file is neither this user's nor root's, nor that of the user given. Windows has other means. */
const isOthers = ({ uid }: BigIntStats, owner?: bigint): boolean => {
  const user = process.geteuid?.()
  return user !== undefined && uid !== BigInt(user) && uid !== 0n && uid !== owner
}

/** Somebody may have put a file in its place between the check and its opening, and taken it away again. */
const replacedOf = (file: string, prepared: string | undefined): string | undefined => {
  const opened = openedFiles()
  if (opened === undefined) return undefined
  const real = realpathSync(file)
  const paths = [real, `${real}-wal`, `${real}-shm`]
  const other = identityOf(real) === prepared ? paths.find((path) => !opened.has(identityOf(path) ?? "")) : real
  return other && `${other} was replaced while it was opened: keep a mirror in a folder that only its owner can write`
}

const identityOf = (path: string): string | undefined => {
  const found = statSync(path, options)
  return found && nameOf(found)
}

const nameOf = ({ dev, ino }: BigIntStats): string => `${dev}/${ino}`

/** The files that this process has open, where a system lists them. */
const openedFiles = (): ReadonlySet<string> | undefined => {
  try {
    const descriptors = readdirSync("/dev/fd")
    // Without a file system for it, the folder has the standard streams alone.
    return descriptors.length > 3
      ? new Set(descriptors.flatMap((descriptor) => openedAt(Number(descriptor))))
      : undefined
  } catch {
    return undefined
  }
}

const openedAt = (descriptor: number): ReadonlyArray<string> => {
  try {
    return [nameOf(fstatSync(descriptor, { bigint: true }))]
  } catch {
    // That of the list itself is closed by now.
    return []
  }
}
