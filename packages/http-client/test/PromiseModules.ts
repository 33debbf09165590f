/** The Promise client from its sources, and as it is published: the same suites run against both. */
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { bundle } from "../scripts/Bundle.ts"
import * as sources from "../src/promise.ts"

// Where it finds decimal.js.
const folder = fileURLToPath(new URL(`../node_modules/.cache/bundled-${process.pid}`, import.meta.url))
await bundle(folder)
const published: typeof sources = await import(`${folder}/node.js`)

afterAll(() => rm(folder, { recursive: true }))

export const promiseModules: ReadonlyArray<readonly [name: string, typeof sources]> = [
  ["the sources", sources],
  ["the published bundle", published],
]
