/**
 * A recording in the making, under a name of its own. It gets the name that was asked for once all of it has been searched
 * for all secrets: those that were learned after a line was written, too.
 */
import * as fs from "node:fs"
import { setImmediate } from "node:timers/promises"
import * as HiddenSecret from "@transferkit/http-api/HiddenSecret"
import * as Result from "effect/Result"

/** What a recording has of a secret: in the clear, where it cannot be left out, as a part of JSON, or nothing. Or there are too many secrets. */
export type Search = "found" | "hidden" | "broken" | "none" | "many"

export interface Draft {
  /** Takes out what has been learned. */
  readonly redact: (text: string) => string
  /** Whether what has been learned is where it cannot be taken out. */
  readonly isWithin: (bytes: Uint8Array) => boolean
  /** Searches what was written before, unless it has been searched too often to do it before the end. */
  readonly learn: (secrets: ReadonlyArray<string>) => Promise<Search>
  /** Writes a line at once, all of it or nothing, so that none is lost if the process ends. Without effect once it is finished. */
  readonly record: (line: object) => void
  /** Searches for what has not been searched for yet. What comes later is neither learned nor recorded. */
  readonly finish: () => Promise<Search>
  /** Gives it its name, which no other file may have. */
  readonly publish: () => void
  /** Removes it, also if somebody has moved it. */
  readonly remove: () => void
  readonly close: () => void
}

/** Where a recording is until it has its name. */
export const pathOf = (path: string): string => `${path}.recording`

/** More secrets, or longer ones, are not learned: each has a hundred forms. */
const most = { secrets: 10_000, characters: 4 << 20 }

/** Throws where there is such a file. */
export const open = (path: string): Draft => {
  if (fs.existsSync(path)) throw Object.assign(new Error(), { code: "EEXIST" })
  const file = fs.openSync(pathOf(path), "wx+", 0o600)
  const { add, redact, isWithin } = HiddenSecret.redactor()
  const known = new Set<string>()
  const ends: Array<number> = []
  let characters = 0
  let isOpen = true
  let lessons = 0
  let lessonsSearched = 0
  let bytesSearched = 0
  const isMany = (): boolean => known.size > most.secrets || characters > most.characters

  const search = async (isWanted: () => boolean): Promise<Search> => {
    const lesson = lessons
    bytesSearched += ends.at(-1) ?? 0
    // By lines, because a recording may be longer than a text, and what one search unpacks is bounded.
    for (const [index, end] of ends.entries()) {
      if (!isWanted()) return "none"
      const line = withBytes(textOf(file, ends[index - 1] ?? 0, end))
      if (redact(line) !== line) return "found"
      if (isWithin(Buffer.from(line, "latin1"))) return "hidden"
      // Signals and other requests do not wait for the whole of it.
      await setImmediate()
    }
    lessonsSearched = Math.max(lessonsSearched, lesson)
    return "none"
  }
  // What could not be searched is not kept.
  const searched = (isWanted: () => boolean): Promise<Search> => search(isWanted).catch((): Search => "hidden")

  return {
    redact,
    isWithin,
    learn: async (secrets) => {
      if (!isOpen) return "none"
      const fresh = secrets.filter((secret) => !known.has(secret))
      if (fresh.length === 0) return "none"
      for (const secret of fresh) {
        known.add(secret)
        characters += secret.length
      }
      if (isMany()) return "many"
      add(fresh)
      lessons++
      // A service may hand out a key with each response: all searches together take time in proportion to the recording.
      return bytesSearched > (ends.at(-1) ?? 0) ? "none" : searched(() => isOpen)
    },
    record: (line) => {
      if (!isOpen) return
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
      const start = ends.at(-1) ?? 0
      try {
        // A disk that is nearly full takes a part.
        for (let done = 0; done < bytes.length;) done += fs.writeSync(file, bytes, done, undefined, start + done)
      } catch (error) {
        fs.ftruncateSync(file, start)
        throw error
      }
      ends.push(start + bytes.length)
    },
    finish: async () => {
      isOpen = false
      if (isMany()) return "many"
      return lessonsSearched === lessons ? "none" : searched(() => true)
    },
    publish: () => {
      // A link replaces no file that has appeared meanwhile. Not every file system has links.
      const linked = Result.try(() => fs.linkSync(pathOf(path), path))
      if (Result.isSuccess(linked)) fs.rmSync(pathOf(path))
      else if (fs.existsSync(path)) throw Object.assign(new Error(), { code: "EEXIST" })
      else fs.renameSync(pathOf(path), path)
    },
    remove: () => {
      fs.ftruncateSync(file)
      fs.rmSync(pathOf(path), { force: true })
    },
    close: () => {
      isOpen = false
      fs.closeSync(file)
    },
  }
}

/** A part of what was written to a file, whatever has its name now. Throws if it is not there any more. */
const textOf = (file: number, start: number, end: number): string => {
  const bytes = Buffer.alloc(end - start)
  if (fs.readSync(file, bytes, 0, bytes.length, start) < bytes.length)
    throw new Error("it is shorter than what was written")
  return bytes.toString("utf8")
}

/** A recording in which no key is hidden by the Base64 of a body. */
const withBytes = (recording: string): string =>
  recording.replace(/"body_base64":"([\w+/=]*)"/g, (_, body: string) => Buffer.from(body, "base64").toString("latin1"))
