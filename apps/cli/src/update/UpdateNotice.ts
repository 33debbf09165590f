/** Tells people at most once a day of a newer version. A run in the background looks for it, and a later run tells. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { escapeControls } from "../terminal/Escape.ts"
import * as UpdateCache from "./UpdateCache.ts"

/** The script that Node runs; an executable holds its own, and has its own name in this place. */
const script = process.argv[1] === process.execPath ? undefined : process.argv[1]

const dayMillis = 24 * 60 * 60 * 1000

/** The notice that is due, if any. Starts a look if the last is a day old. Never fails: it is not worth an error. */
export const due = (version: string): string | undefined => {
  if (isSet("NO_UPDATE_NOTIFIER") || isSet("CI")) return undefined
  try {
    const [running, newer] = found()
    if (running === version && newer !== undefined) {
      writeFileSync(UpdateCache.file(), "")
      const install = script === undefined ? "" : "\nInstall it: npm install --global @transferkit/cli@latest"
      return `transfers ${escapeControls(newer)} is available; this is ${version}.${install}`
    }
    if (isOld()) look()
  } catch {
    // The cache folder cannot be written, for example.
  }
  return undefined
}

const isSet = (name: string): boolean => !["", "false", undefined].includes(process.env[name])

const found = (): ReadonlyArray<string> => {
  try {
    return readFileSync(UpdateCache.file(), "utf8").split(" ")
  } catch {
    return []
  }
}

/** Also if the clock has been put back. */
const isOld = (): boolean => {
  const changed = statSync(UpdateCache.file(), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Math.abs(Date.now() - changed) > dayMillis
}

/** Starts this program anew, which nobody waits for. From a folder of the user: others could hold an .npmrc. */
const look = (): void => {
  mkdirSync(UpdateCache.folder(), { recursive: true })
  writeFileSync(UpdateCache.file(), "")
  // Not an import, as in Pager: every start would load the module, and one a day needs it.
  const { spawn } = process.getBuiltinModule("node:child_process")
  spawn(process.execPath, [...(script === undefined ? [] : [script]), UpdateCache.command], {
    cwd: UpdateCache.folder(),
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  })
    .on("error", () => {})
    .unref()
}
