/** Workflows run pinned actions with least permissions, on the Node that the repository brings. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Repository from "../Repository.ts"

const read = (file: string): string => readFileSync(join(Repository.root, file), "utf8")
const workflows = globSync(".github/workflows/*.yml", { cwd: Repository.root }).sort()
const uses = (text: string): ReadonlyArray<string> => [...text.matchAll(/uses: (.+)/g)].map(([, action = ""]) => action)

it("there are workflows", () => {
  expect(workflows.length).toBeGreaterThan(2)
})

describe.each(workflows)("%s", (file) => {
  const text = read(file)

  it("pins every action by commit, with its version beside it", () => {
    expect(uses(text).length).toBeGreaterThan(0)
    for (const action of uses(text)) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it("declares permissions, and none that write for the whole workflow", () => {
    expect(/^permissions:(?: \{\}|\n {2}contents: read)\n/m.test(text)).toBe(true)
  })
})

it("uses one version of each action", () => {
  const used = new Set(workflows.flatMap((file) => uses(read(file))))
  // Actions of one repository share their commit: changesets/action/version and changesets/action/publish.
  const pinned = new Set([...used].map((action) => action.replace(/^([^/]+\/[^/@]+)[^@]*/, "$1")))
  const repositories = new Set([...pinned].map((action) => action.split("@")[0]))
  expect(pinned.size).toBe(repositories.size)
})

it(".nvmrc names the major version of the Node that the repository brings", () => {
  const [, major] = /^ {2}node: (\d+)\./m.exec(read("pnpm-workspace.yaml")) ?? []
  expect(read(".nvmrc").trim()).toBe(major)
})
