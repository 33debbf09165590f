/** The program's cache folder. bin needs it before Effect is loaded. */
import { mkdirSync, realpathSync, type Stats, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import * as FileOwner from "@transferkit/files/node/FileOwner"

/** XDG: a relative path is invalid and ignored, because it would be another's folder. */
const path = (): string => {
  const cache = process.env["XDG_CACHE_HOME"] ?? ""
  return join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "transfers")
}

/**
 * Its real path: it is made, but not if compiled code is kept nowhere. None if another user could put code there, which
 * Node would run. Windows has no such users.
 */
export const trusted = (): string | undefined => {
  if (process.env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return undefined
  try {
    mkdirSync(path(), { recursive: true, mode: 0o700 })
    const folder = realpathSync(path())
    return isOpen(statSync(folder)) || foldersAbove(folder).some((one) => isOpen(statSync(one), true))
      ? undefined
      : folder
  } catch {
    return undefined
  }
}

/** Whether another user may change what is in a folder. In one like /tmp, each may change what is its own. */
const isOpen = (info: Stats, isAbove = false): boolean => {
  if (process.geteuid === undefined) return false
  const isShared = (info.mode & 0o022) !== 0 && !(isAbove && (info.mode & 0o1000) !== 0)
  return isShared || FileOwner.other(info) !== undefined
}

const foldersAbove = (folder: string): ReadonlyArray<string> => {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}
