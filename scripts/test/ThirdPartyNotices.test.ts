import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import * as ThirdPartyNotices from "../ThirdPartyNotices.ts"

const folder = mkdtempSync(join(tmpdir(), "notices-"))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}

write("node_modules/b/package.json", '{"name":"b","version":"2.0.0","license":"MIT"}')
write("node_modules/b/LICENSE", "Licence of b\n")
write("node_modules/b/dist/package.json", '{"name":"b-dist","type":"module"}')
write("node_modules/@a/a/package.json", '{"name":"@a/a","version":"1.0.0","license":"Apache-2.0"}')
write("node_modules/@a/a/LICENCE.md", "Licence of a\n")
write("node_modules/@a/a/NOTICE", "Notice of a\n")
write("node_modules/bare/package.json", '{"name":"bare","version":"3.0.0"}')

test("lists each package once, by name, with its licence and notice", () => {
  const inputs = {
    "src/main.ts": {},
    "node_modules/b/dist/one.js": {},
    "node_modules/b/dist/two.js": {},
    "node_modules/@a/a/index.js": {},
  }
  const text = ThirdPartyNotices.make({ outputs: { "main.js": { inputs } } }, folder)
  const line = "-".repeat(80)
  expect(text).toBe(
    `This software contains the following packages.\n\n${line}\n\n` +
      `@a/a 1.0.0 (Apache-2.0)\n\nLicence of a\n\nNotice of a\n\n${line}\n\nb 2.0.0 (MIT)\n\nLicence of b\n`,
  )
})

test("rejects a package without a licence text", () => {
  const outputs = { "main.js": { inputs: { "node_modules/bare/index.js": {} } } }
  expect(() => ThirdPartyNotices.make({ outputs }, folder)).toThrow("bare 3.0.0 has no licence text.")
})
