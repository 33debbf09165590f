import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import * as CommandLine from "../CommandLine.ts"
import { commands } from "../Commands.ts"
import * as Repository from "../Repository.ts"

const scripts: Readonly<Record<string, string>> = Object(Repository.manifest(Repository.root).scripts)

/** A script as the shell of pnpm runs it, where no other program is to be found: whatever it runs is an error. */
const run = (name: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(Repository.root, "scripts/run.ts"), name, ...args],
    {
      encoding: "utf8",
      env: { PATH: "/nonexistent" },
    },
  )
  return { status, stdout, stderr }
}

test("every script that runs a program of the repository has a command line, except the programs themselves", () => {
  const own = Object.entries(scripts).filter(([, text]) => /\bnode |\bsh |--dir/.test(text))
  const programs = new Set(["lambda:local", "transfers", "transfers-fake"])
  expect(Object.fromEntries(own.filter(([name]) => !programs.has(name)))).toEqual(
    Object.fromEntries(Object.keys(commands).map((name) => [name, `node scripts/run.ts ${name}`])),
  )
  expect(own.length).toBeGreaterThan(20)
})

describe.each(Object.entries(commands))("pnpm %s", (name, command) => {
  test.each(["--help", "-h"])("%s shows what it is for and all that it accepts", (flag) => {
    const reading = CommandLine.read(name, command, [flag])
    const { help } = { help: "", ...reading }
    expect(help.split("\n").slice(0, 2)).toEqual([command.about, ""])
    const accepted = [`pnpm ${name}`, ...Object.keys(command.options ?? {}).map((option) => `--${option}`)]
    for (const text of [...accepted, command.operands?.name ?? ""]) expect(help).toContain(text)
  })

  test("rejects an unknown option, and an argument unless it takes some, in one line", () => {
    expect(CommandLine.read(name, command, ["--nonsense"])).toEqual({
      fault: `Unknown option '--nonsense'. See pnpm ${name} --help.`,
    })
    const fault = command.operands === undefined ? "Unexpected argument 'x'. See" : undefined
    const reading = CommandLine.read(name, { ...command, ...(command.operands && { operands: { name: "X" } }) }, ["x"])
    expect(reading).toEqual(fault === undefined ? { accepted: true } : { fault: `${fault} pnpm ${name} --help.` })
  })
})

test.each([
  ["bench", ["none"], "No benchmark is called none."],
  ["mutation", ["no/such/path"], "no/such/path does not exist."],
  ["simulate", ["--seed"], "Option '--seed <value>' argument missing."],
  ["sea", ["--help=no"], "Option '-h, --help' does not take an argument."],
])("pnpm %s %j is rejected: %s", (name, args, fault) => {
  const command = commands[name]
  expect(command && CommandLine.read(name, command, args)).toEqual({ fault: `${fault} See pnpm ${name} --help.` })
})

describe("a script", () => {
  test("runs nothing for --help, and nothing for what it does not know", () => {
    expect(run("bench", "--help")).toEqual({ status: 0, stdout: expect.stringContaining("pnpm bench"), stderr: "" })
    expect(run("bruno", "--nonsense")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Unknown option '--nonsense'. See pnpm bruno --help.\n",
    })
  })

  test("runs its steps, gives the arguments to the last one, and ends with its exit code", () => {
    const { PATH } = process.env
    const options = { encoding: "utf8", cwd: Repository.root, env: { PATH } } as const
    const ended = spawnSync(process.execPath, ["scripts/run.ts", "simulate", "--seed", "it's $HOME"], options)
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining(`not "it's $HOME".`) })
  })

  test("ends with the exit code of a step that fails", () => {
    expect(run("demo").status).toBe(127)
  })
})
