/** Looks for a newer version in the package registry of the user, whose answer is not trusted to be small, quick or true. */
import { writeFileSync } from "node:fs"
import { compare, validateStrict } from "compare-versions"
import registryUrl from "registry-url"
import * as UpdateCache from "./UpdateCache.ts"

const timeoutMillis = 10_000
const maxBytes = 256 * 1024
const maxCharacters = 64

/** Leaves a version that is newer than the one that runs to the next run. Never fails. */
export const main = async (running: string): Promise<void> => {
  try {
    const latest = await latestVersion(registryUrl("@transferkit"))
    if (compare(latest, running, ">")) writeFileSync(UpdateCache.file(), `${running} ${latest}`)
  } catch {
    // The next look is a day later.
  }
}

/** The latest version by a registry. Rejects if it does not name one. */
export const latestVersion = async (registry: string): Promise<string> => {
  const response = await fetch(new URL("@transferkit%2fcli/latest", registry), {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMillis),
  })
  const { version }: { readonly version?: unknown } = JSON.parse(await textOf(response))
  if (typeof version === "string" && version.length <= maxCharacters && validateStrict(version)) return version
  throw new Error("The registry names no version.")
}

const textOf = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error("The registry's answer is too long.")
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
