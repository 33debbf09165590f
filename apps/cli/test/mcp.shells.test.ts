/** A person who starts the server of MCP on a terminal sees what it waits for; a client sees nothing. */
import { spawn } from "node:child_process"
import { expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { bin, run } from "./Cli.ts"

test("mcp says on a terminal that it waits for a client, and how to add it to one", async () => {
  const command = `stty cols 80; "${process.execPath}" "${bin}" mcp --sandbox`
  const child = spawn("script", ["-qfec", command, "/dev/null"], {
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", TERM: "xterm" },
  })
  let screen = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (screen += chunk.replaceAll("\r", "")))
  const closed = new Promise((resolve) => child.on("close", resolve))
  await Waiting.until(() => screen.includes("transfers mcp --http"))
  // Ctrl-C
  child.stdin.write("\u0003")
  await closed
  expect(screen).toMatch(/^Waiting for a client of MCP on standard input/)
  const [configuration = ""] = /^\{ "mcpServers"[^]*\}$/m.exec(screen) ?? []
  expect(JSON.parse(configuration)).toMatchObject({ mcpServers: { transfers: { command: "transfers" } } })
  expect(await run(["mcp", "--sandbox"])).toMatchObject({ code: 0, stdout: "", stderr: "" })
})
