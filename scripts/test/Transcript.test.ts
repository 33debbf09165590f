import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"
import * as Transcript from "../Transcript.ts"

it("the README's transcript is what the commands print", async () => {
  const transcript = Transcript.find(readFileSync(join(Repository.root, "README.md"), "utf8"))
  expect(await Transcript.record(transcript)).toEqual(transcript)
})
