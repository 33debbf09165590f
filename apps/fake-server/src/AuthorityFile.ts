/** The file of `--tls`: the certificate of the authority to trust. It takes the place of an earlier one, and of nothing else. */
import * as crypto from "node:crypto"
import * as fs from "node:fs/promises"
import * as Effect from "effect/Effect"
import { InvalidFlag } from "./UsageError.ts"

/** The subject of every authority that the fake makes. */
const subject = "CN=transfers-fake CA"

/** Writes the certificate. Rejects a link, and a file that is no certificate of an earlier start. */
export const write = (file: string, certificate: string): Effect.Effect<void, InvalidFlag> =>
  Effect.tryPromise({
    try: async () => {
      const reason = await reasonToKeep(file)
      if (reason !== undefined) throw new Error(`${file} ${reason}, and stays as it is. Name another file`)
      // Renamed, so that a link that appears meanwhile is replaced and not followed.
      const draft = `${file}.${process.pid}.writing`
      await fs.writeFile(draft, certificate, { flag: "wx" })
      await fs.rename(draft, file)
    },
    catch: (error) =>
      new InvalidFlag({ flag: "tls", reason: `${error instanceof Error ? error.message : String(error)}.` }),
  })

const reasonToKeep = async (file: string): Promise<string | undefined> => {
  const there = await fs.lstat(file).catch(() => undefined)
  if (there === undefined) return undefined
  if (!there.isFile()) return "is a link or no file"
  return isOurs(await fs.readFile(file)) ? undefined : "is no certificate of an earlier start"
}

const isOurs = (content: Buffer): boolean => {
  try {
    return new crypto.X509Certificate(content).subject === subject
  } catch {
    return false
  }
}
