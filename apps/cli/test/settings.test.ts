import { spawnSync } from "node:child_process"
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo, run as runProcess } from "./Cli.ts"
import { run } from "./InProcess.ts"

let folder: string
let fake: RunningFakeServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-settings-"))
  fake = await startFakeServer({ transfers: 200, seed: 5 })
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const home = async (name: string): Promise<Readonly<Record<string, string>>> => {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  return { XDG_CONFIG_HOME: path }
}

test("whoami shows no credentials of a base URL", async () => {
  const env = await home("credentials")
  for (const url of [
    "https://me:url-secret@a.example/v1",
    "https://url-secret@a.example",
    "https://me:url-secret@@a.example",
  ]) {
    const { stdout, stderr } = await run(["whoami", "--base-url", url], { env })
    expect(stdout + stderr).not.toContain("url-secret")
    expect(stdout).toContain("//…@a.example")
  }
})

const json = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  JSON.parse((await run(args, { env })).stdout)

describe("profiles", () => {
  test("keep a secret key in a file that only the user can read, and never show it", async () => {
    const env = await home("kept")
    const key = "k3y-of-mine"
    const args = ["profiles", "save", "live", "--base-url", fake.url, "--partner-id", "demo", "--secret-key-stdin"]
    const saved = await run(args, { env, stdin: `${key}\n` })
    const file = join(env["XDG_CONFIG_HOME"] ?? "", "transfers", "profiles.json")
    expect(saved).toMatchObject({ code: 0, stdout: "", stderr: `Saved as live in ${file}\n` })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, "utf8")).profiles.live.secret_key).toBe(key)
    for (const shown of [
      ["profiles"],
      ["whoami", "--profile", "live"],
      ["whoami", "--profile", "live", "-o", "table"],
    ]) {
      const { code, stdout } = await run(shown, { env })
      expect(code).toBe(0)
      expect(stdout).toContain("(set)")
      expect(stdout).not.toContain(key)
    }
    expect(await run(["profiles", "remove", "live"], { env })).toMatchObject({ code: 0 })
    expect(await json(["profiles"], env)).toEqual([])
    expect((await run(["profiles", "-o", "table"], { env })).stdout).toContain("transfers profiles save NAME")
  })

  test("are all kept when several processes save and remove at once", async () => {
    const env = await home("parallel")
    await run(["profiles", "save", "old", "--partner-id", "a"], { env })
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`)
    const runs = await Promise.all([
      ...names.map((name) => runProcess(["profiles", "save", name, "--partner-id", name], { env })),
      runProcess(["profiles", "remove", "old"], { env }),
    ])
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0))
    expect((await json(["profiles"], env)).map(({ name }: { readonly name: string }) => name).toSorted()).toEqual(names)
    expect(await readdir(join(folder, "parallel", "transfers"))).toEqual(["profiles.json"])
  })

  test("a relative XDG folder is ignored, as its specification demands", async () => {
    const inHome = join(folder, "home", ".config", "transfers")
    const env = { HOME: join(folder, "home"), XDG_CONFIG_HOME: "config", XDG_CACHE_HOME: "cache" }
    expect(await runProcess(["profiles", "save", "live", "--partner-id", "a"], { env })).toMatchObject({ code: 0 })
    expect(await readdir(inHome)).toEqual(["profiles.json"])
    expect(await readdir(".")).not.toContain("cache")
  })

  test("are rejected in a file that other users can read", async () => {
    const env = await home("open")
    await mkdir(join(folder, "open", "transfers"))
    const file = join(folder, "open", "transfers", "profiles.json")
    await writeFile(file, '{"profiles":{}}')
    await chmod(file, 0o644)
    const { code, stderr } = await run(["whoami"], { env })
    expect(code).toBe(2)
    expect(stderr).toContain(`chmod 600 ${file}`)
  })

  test("list the saved ones if the name is unknown", async () => {
    const env = await home("named")
    await run(["profiles", "save", "one", "--partner-id", "a"], { env })
    const { code, stderr } = await run(["whoami", "--profile", "two"], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('There is no profile "two". Saved profiles: one.')
  })
})

test("profiles set changes what its flags give, whatever the environment holds, and keeps the rest", async () => {
  const env = { ...(await home("set")), ...demo(fake.url) }
  const profiles = async () => JSON.parse((await run(["profiles", "-o", "json"], { env })).stdout)
  const flags = ["--base-url", "https://old.example", "--partner-id", "shop", "--secret-key-stdin"]
  expect(await run(["profiles", "save", "live", ...flags], { env, stdin: "old" })).toMatchObject({ code: 0 })
  const moved = await run(["profiles", "set", "live", "--base-url", "https://new.example"], { env })
  expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining("Set base_url of live in ") })
  expect(await profiles()).toMatchObject([
    { name: "live", base_url: "https://new.example", partner_id: "shop", secret_key: "(set)" },
  ])
  const rotated = await run(["profiles", "set", "live", "--secret-key-stdin", "-o", "json"], { env, stdin: "new\n" })
  expect(JSON.parse(rotated.stdout)).toMatchObject({ set: "live", settings: ["secret_key"] })
  const saved = await readFile(join(folder, "set", "transfers", "profiles.json"), "utf8")
  expect(JSON.parse(saved).profiles.live).toEqual({
    base_url: "https://new.example",
    partner_id: "shop",
    secret_key: "new",
  })
})

test("profiles set says what to give, and how to save a profile that is not there", async () => {
  const env = { ...(await home("set-nothing")), ...demo(fake.url) }
  const nothing = await run(["profiles", "set", "live"], { env })
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing to set: give --base-url") })
  const missing = await run(["profiles", "set", "live", "--partner-id", "shop"], { env })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("transfers profiles save live.") })
})

test.each([0o644, 0o604, 0o620, 0o666])("a secret key file of mode %o is rejected", async (mode) => {
  const env = { ...(await home("secret")), ...demo(fake.url), TRANSFERS_SECRET_KEY: "" }
  const file = join(folder, `key-${mode.toString(8)}`)
  await writeFile(file, "demo-secret\n")
  await chmod(file, mode)
  const { code, stderr } = await run(["search", "--limit", "1", "--secret-key-file", file], { env })
  expect(code).toBe(2)
  expect(stderr).toContain(`chmod 600 ${file}, or pass it with --secret-key-stdin`)
  await chmod(file, 0o640)
  const isOfRoot = (await stat(file)).uid === 0
  const shared = () => run(["search", "--limit", "1", "--secret-key-file", file], { env })
  expect(await shared()).toMatchObject({ code: isOfRoot ? 0 : 2 })
  if (!isOfRoot) return
  await chown(file, 65_534, 0)
  expect(await shared()).toMatchObject({ code: 2 })
  await chmod(file, 0o600)
  expect(await shared()).toMatchObject({ code: 2, stderr: expect.stringContaining("another user (uid 65534)") })
})

test.each([
  ["demo-secret\r\n\n", undefined],
  ["demo-secret\nold-secret\n", "it has several lines, and must have one: the secret alone"],
  ["-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n", "it has several lines"],
  ["\ndemo-secret\n", "its first line is empty"],
])("a secret key file %j is accepted only if it has one line, and is not repeated", async (text, reason) => {
  const env = { ...(await home("lines")), ...demo(fake.url), TRANSFERS_SECRET_KEY: "" }
  const file = join(folder, "key-lines")
  await writeFile(file, text, { mode: 0o600 })
  const { code, stderr } = await run(["search", "--limit", "1", "--secret-key-file", file], { env })
  expect(code).toBe(reason === undefined ? 0 : 2)
  if (reason !== undefined) expect(stderr).toContain(`${file}: ${reason}`)
  expect(stderr).not.toMatch(/demo-secret|old-secret|BEGIN|MC4/)
})

test("flags win over the environment, which wins over the default profile; a named profile wins over the environment", async () => {
  const env = { ...(await home("order")), TRANSFERS_PARTNER_ID: "of-environment" }
  const file = join(folder, "order", "transfers", "profiles.json")
  await mkdir(join(folder, "order", "transfers"))
  const profile = { base_url: "https://default.example", partner_id: "of-default" }
  await writeFile(file, JSON.stringify({ profiles: { default: profile, named: { partner_id: "of-named" } } }), {
    mode: 0o600,
  })
  expect(await json(["whoami"], env)).toMatchObject({
    base_url: { value: "https://default.example", source: "profile default" },
    partner_id: { value: "of-environment", source: "environment (TRANSFERS_PARTNER_ID)" },
    secret_key: { value: null, source: null },
  })
  expect(await json(["whoami", "--profile", "named"], env)).toMatchObject({
    partner_id: { value: "of-named", source: "profile named" },
  })
  expect(await json(["whoami", "--profile", "named", "--partner-id", "of-flag"], env)).toMatchObject({
    partner_id: { value: "of-flag", source: "flag (--partner-id)" },
  })
})

describe("an invalid setting", () => {
  const good = { ...demo("https://transfers.example"), XDG_CONFIG_HOME: "/nonexistent" }
  const ways = {
    base_url: "It is set by --base-url, TRANSFERS_BASE_URL or base_url in a profile.",
    partner_id: "It is set by --partner-id, TRANSFERS_PARTNER_ID or partner_id in a profile.",
    secret_key: "It is set by --secret-key-file, --secret-key-stdin, TRANSFERS_SECRET_KEY or secret_key in a profile.",
  }
  const cases = [
    ["base_url", "http://transfers.example", "http: would send the secret key in the clear. Use https:."],
    ["base_url", "transfers.example", "it is not a URL. Write one such as https://api.example.com."],
    ["base_url", "ftp://transfers.example", "it starts with ftp:, and only https: can be used."],
    ["base_url", "https://transfers.example/v1/", "it ends with /v1, which is added to it. Leave it out."],
    ["base_url", "https://me:t0p-s3cret@transfers.example", "it holds credentials. Leave them out."],
    ["base_url", "https://transfers.example/?a=1", "it has a query or a fragment. Leave them out."],
    ["partner_id", "a:b", "it contains a colon, which ends it in a Basic header."],
    ["secret_key", "t0p-s3cret\tx", "it contains a control character, such as a line break at its end."],
  ] as const

  // Also those that send requests of their own.
  test.each(["search", "certify"])("is named by 'transfers %s' with all ways to set it", async (command) => {
    for (const [setting, value, reason] of cases) {
      const variable = `TRANSFERS_${setting.toUpperCase()}`
      const { code, stdout, stderr } = await run([command], { env: { ...good, [variable]: value } })
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: "",
        stderr: `error: Cannot use the ${setting === "base_url" ? "base URL" : setting.replace("_", " ")} from environment (${variable}): ${reason} ${ways[setting]}\n`,
      })
    }
  })

  test("hides neither another invalid one nor a missing one", async () => {
    const env = { XDG_CONFIG_HOME: "/nonexistent", TRANSFERS_BASE_URL: "nowhere", TRANSFERS_PARTNER_ID: "a:b" }
    const { code, stderr } = await run(["search"], { env })
    expect(code).toBe(2)
    expect(stderr).toContain("Cannot use the base URL from environment (TRANSFERS_BASE_URL)")
    expect(stderr).toContain("Cannot use the partner id from environment (TRANSFERS_PARTNER_ID)")
    expect(stderr).toContain("Missing settings:\n- secret key: --secret-key-file")
  })

  test("is named with the flag or the profile it came from", async () => {
    const env = await home("unusable")
    const args = ["--base-url", "http://transfers.example", "--partner-id", "me", "--secret-key-stdin"]
    await run(["profiles", "save", "bad", ...args], { env, stdin: "s" })
    const profiled = await run(["search", "--profile", "bad"], { env })
    expect(profiled.stderr).toContain("Cannot use the base URL from profile bad: ")
    const flagged = await run(["search", "--base-url", "nowhere"], { env: good })
    expect(flagged.stderr).toContain("Cannot use the base URL from flag (--base-url): ")
  })
})

describe("completions", () => {
  const complete = async (shell: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(["completions", shell], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    return stdout
  }

  test("scripts leave out profile names that a shell would run", async () => {
    const env = await home("hand-written")
    const file = join(env["XDG_CONFIG_HOME"] ?? "", "transfers", "profiles.json")
    await mkdir(join(file, ".."))
    await writeFile(file, JSON.stringify({ profiles: { "$(touch owned)": {}, live: {} } }), { mode: 0o600 })
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await complete(shell, env)
      expect(script).toContain("live")
      expect(script).not.toContain("owned")
    }
  })

  test("bash completes commands, flags and values, profiles among them", async () => {
    const env = await home("completed")
    await run(["profiles", "save", "live", "--partner-id", "a"], { env })
    const script = await complete("bash", env)
    const answer = (...words: ReadonlyArray<string>): string => {
      const harness = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _transfers; echo "\${COMPREPLY[@]}"`
      return spawnSync("bash", ["--norc", "-c", harness], { encoding: "utf8" }).stdout.trim()
    }
    expect(answer("transfers", "exp")).toBe("export")
    expect(answer("transfers", "export", "--form")).toBe("--format")
    expect(answer("transfers", "export", "--format", "")).toBe("ndjson csv json parquet xlsx")
    expect(answer("transfers", "search", "--status", "")).toBe("executing approved complete declined")
    expect(answer("transfers", "search", "--profile", "")).toBe("live")
  })

  test.each(["zsh", "fish"])("%s gets a script with the commands and the values in it", async (shell) => {
    const script = await complete(shell)
    for (const word of ["reconcile", "payment-method", "executing", "parquet"]) expect(script).toContain(word)
    expect(script).not.toContain("--completions")
  })
})
