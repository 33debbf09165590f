/**
 * Each page below docs/ runs as it is written: its files are written, its commands run after each other in one folder
 * against the fake that the page starts, or else that of the tutorial, with the variables that the page exports, and print
 * what the page shows. In the output, a line `…` stands for any lines.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { globSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Regex from "effect/RegExp"
import stringWidth from "string-width"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { type Outcome, type Perform, stage } from "./Examples.ts"
import { see } from "./Terminal.ts"

const docs = join(import.meta.dirname, "../../../docs")

/** A file with its name after the language, or a command, and what it prints. */
const block = /```(?:\w+ (\S+\.\w+)|sh)\n([^]*?)\n```(?:\n\n```text\n([^`]*?)\n?```)?/g

const pages = await Promise.all(
  globSync("**/*.md", { cwd: docs }).map(async (path) => ({ path, text: await readFile(join(docs, path), "utf8") })),
)
const executed = pages.filter(({ text }) => text.includes("```sh\n")).toSorted((a, b) => a.path.localeCompare(b.path))

let folder: string
let perform: Perform

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-pages-"))
  perform = await stage(folder)
  await writeFile(join(folder, "bin/node"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 })
  // A reader has npm, and may not have pnpm: `npx -y pnpm@… --silent transfers …`.
  await writeFile(join(folder, "bin/npx"), `#!/bin/sh\n[ "$1 $3" = "-y --silent" ] && shift 3 && exec pnpm "$@"\n`, {
    mode: 0o755,
  })
  await writeFile(join(folder, "bin/curl"), `#!/bin/sh\nexec node "$0.mjs" "$@"\n`)
  await writeFile(join(folder, "bin/curl.mjs"), curl)
})
afterAll(() => rm(folder, { recursive: true }))

/** `curl -u USER [--json BODY] URL`: not every machine has it. */
const curl = `
import { parseArgs } from "node:util"
const options = { user: { type: "string", short: "u" }, json: { type: "string" }, silent: { type: "boolean", short: "s" } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const headers = { authorization: "Basic " + btoa(values.user ?? ""), ...(values.json && { "content-type": "application/json" }) }
const response = await fetch(positionals[0], { headers, ...(values.json && { method: "POST", body: values.json }) })
process.stdout.write(await response.text())
`

/** The flags with which a page starts its fake. */
const fakeOf = (text: string): ReadonlyArray<string> | undefined =>
  /^npx -y pnpm@\S+ transfers-fake (.*)$/m.exec(text)?.[1]?.split(" ")

/** The variables that a page exports for a fake on this machine, for that fake on another port. */
const exportedBy = (text: string, flags: ReadonlyArray<string>, url: string): Readonly<Record<string, string>> => {
  const [, line] = /^export (TRANSFERS_BASE_URL=http:\/\/127\.0\.0\.1.*)$/m.exec(text) ?? []
  if (line === undefined) return demo(url)
  const variables = Object.fromEntries(line.split(" ").map((pair) => pair.split("=")))
  expect(variables.TRANSFERS_BASE_URL).toBe(`http://127.0.0.1:${flags[flags.indexOf("--port") + 1]}`)
  return { ...variables, TRANSFERS_BASE_URL: url }
}

const tutorial = fakeOf(pages.find(({ path }) => path === "tutorial.md")?.text ?? "") ?? []

/** Runs `transfers-fake` as a page does, but for the port: another program may have that one. */
const startFake = async (flags: ReadonlyArray<string>) => {
  const port = flags.indexOf("--port")
  const bin = join(import.meta.dirname, "../../fake-server/src/bin.ts")
  const child = spawn(process.execPath, [bin, ...flags.with(port + 1, "0"), "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  const { url }: { readonly url: string } = JSON.parse(String(line))
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      if (child.exitCode === null) await once(child, "exit")
    },
  }
}

/** The files that git would report if a page wrote them into a clone, as it does for a reader who starts the fake there. */
const seenByGit = async (written: string): Promise<ReadonlyArray<string>> => {
  const names = (await readdir(written)).filter((name) => !name.startsWith("."))
  const { stdout } = spawnSync("git", ["check-ignore", "--stdin"], {
    cwd: docs,
    input: names.map((name) => `../${name}`).join("\n"),
    encoding: "utf8",
  })
  const ignored = new Set(stdout.split("\n"))
  return names.filter((name) => !ignored.has(`../${name}`))
}

/** Without the progress that a slow machine shows. */
const shown = ({ code, stdout, stderr }: Outcome): string =>
  `${stdout}${stderr.replace(/^[\d,]+ transfers · .*\n/gm, "")}${code === 0 ? "" : `(exit code ${code})\n`}`
    .replace(/ +$/gm, "")
    .trimEnd()

/** The output to show: as it was if that still holds, else the new one. */
const asShown = (before: string, now: string): string => {
  const parts = before.split(/^…$/m).map((part) => Regex.escape(part))
  return parts.length > 1 && new RegExp(`^${parts.join("[^]*")}$`).test(now) ? before : now
}

test.each(executed)("$path shows what its commands print", { timeout: 600_000 }, async ({ path, text }) => {
  let props = await mkdtemp(join(folder, "props-"))
  await mkdir(join(props, "node_modules"))
  await symlink(join(import.meta.dirname, "../node_modules/@transferkit"), join(props, "node_modules/@transferkit"))
  const flags = fakeOf(text) ?? tutorial
  await using fake = await startFake(flags)
  const env = exportedBy(text, flags, fake.url)
  let seen = text
  for (const [all, file, content = "", output] of text.matchAll(block)) {
    if (file !== undefined) {
      await writeFile(join(props, file), `${content}\n`)
      continue
    }
    const [before = ""] = all.split(/^```text$/m)
    const outcome = await perform(content, { props, env })
    props = outcome.folder
    if (output === undefined) expect(outcome.code, `${content}\n${shown(outcome)}`).toBe(0)
    else seen = seen.replace(all, () => `${before}\`\`\`text\n${asShown(output, shown(outcome))}\n\`\`\``)
    for (const columns of /^transfers [\w ./,=-]+ --output table$/.test(content) ? [80, 200] : []) {
      process.chdir(outcome.folder)
      const screen = await see(content.split(" ").slice(1, -2), { columns, env })
      expect(screen.text.split("\n").filter((line) => stringWidth(line) > columns)).toEqual([])
    }
  }
  if (fakeOf(text) !== undefined) expect(await seenByGit(props)).toEqual([])
  if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(join(docs, path), seen)
  else expect(seen).toBe(text)
})

test("there are pages, and a task for each heading", () => {
  expect(executed.length).toBeGreaterThan(1)
  const tasks = executed.find(({ path }) => path === "tasks.md")?.text ?? ""
  expect(tasks.match(/^### /gm)?.length).toBeGreaterThanOrEqual(30)
  expect(tasks.match(/^### /gm)).toHaveLength(tasks.match(/^```sh$/gm)?.length ?? 0)
})
