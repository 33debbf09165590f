import { spawnSync } from "node:child_process"
import * as CommandLine from "@transferkit/report/CommandLine"
import { describe, expect, test } from "vitest"
import * as HelpPages from "../scripts/HelpPages.ts"

const examples = Object.values(await HelpPages.docs()).flatMap((doc) =>
  (doc.examples ?? []).map(({ command }) => command),
)

describe("fold", () => {
  test("keeps a line that fits, and breaks others before a flag or a pipe", () => {
    expect(CommandLine.fold("transfers search --all", 80)).toBe("transfers search --all")
    expect(CommandLine.fold("transfers search --status 'a --b | c' --all | jq -r .id", 34)).toBe(
      ["transfers search \\", "  --status 'a --b | c' --all \\", "  | jq -r .id"].join("\n"),
    )
  })

  test("keeps the meaning of a command line for a shell, at any width", () => {
    expect(examples.length).toBeGreaterThan(40)
    // Each word on a line of its own; an operator is a word as well when it is quoted.
    const words = (command: string) => {
      const quoted = command.replaceAll(/(?<=\s)(?:\||&&|>|\$\(|\))(?=\s)/g, "'$&'")
      return spawnSync("sh", ["-c", `printf '%s\\n' ${quoted}`], { encoding: "utf8" }).stdout
    }
    for (const example of examples.filter((command) => !command.includes("$("))) {
      expect(words(CommandLine.fold(example, 30)), example).toBe(words(example))
    }
  })
})
