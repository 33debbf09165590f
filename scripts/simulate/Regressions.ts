/** Histories that once broke a promise, made small: `regressions.json` beside this file. Each run tries them first. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { History } from "./History.ts"
import * as HostileHistory from "./hostile/HostileHistory.ts"

export interface Regressions {
  readonly histories: ReadonlyArray<History>
  readonly hostile: ReadonlyArray<HostileHistory.HostileHistory>
}

const file = join(import.meta.dirname, "regressions.json")

export const read = (): Regressions => {
  const { histories, hostile }: Written = JSON.parse(readFileSync(file, "utf8"))
  return { histories, hostile: hostile.map(HostileHistory.read) }
}

export const write = ({ histories, hostile }: Regressions): void => {
  const written: Written = { histories, hostile: hostile.map(HostileHistory.write) }
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`)
}

interface Written {
  readonly histories: ReadonlyArray<History>
  readonly hostile: ReadonlyArray<HostileHistory.Written>
}
