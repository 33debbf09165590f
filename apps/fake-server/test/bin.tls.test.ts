/** `--tls`: the program over HTTPS, and the file with its authority. */
import * as fs from "node:fs/promises"
import type * as http from "node:http"
import * as https from "node:https"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { run } from "./Program.ts"

test("serves HTTPS with --tls, and writes its authority to a file", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const file = path.join(folder, "ca.pem")
  const { child, line, exit } = run(["--port", "0", "--json", "--tls", file, "--cors", "https://app.test"])
  const { url } = JSON.parse(await line)
  const ca = await fs.readFile(file)
  const headers = await new Promise<http.IncomingHttpHeaders>((resolve, reject) => {
    const options = { ca, headers: { origin: "https://app.test" } }
    https.get(`${url}/v1/capabilities`, options, (response) => resolve(response.resume().headers)).on("error", reject)
  })
  expect(headers["access-control-allow-origin"]).toBe("https://app.test")
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
  await fs.rm(folder, { recursive: true })
})

describe("--tls", () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
    file = path.join(folder, "ca.pem")
  })
  afterEach(() => fs.rm(folder, { recursive: true }))

  const rejected = async (target: string) => {
    const { exit, output } = run(["--port", "0", "--tls", target])
    expect(await exit).toBe(2)
    return output.stderr
  }

  test("takes the place of the certificate of an earlier start", async () => {
    const seen: Array<string> = []
    for (let start = 0; start < 2; start++) {
      const { child, line, exit } = run(["--port", "0", "--json", "--tls", file])
      await line
      seen.push(await fs.readFile(file, "utf8"))
      child.kill("SIGTERM")
      await exit
    }
    expect(new Set(seen).size).toBe(2)
    expect(await fs.readdir(folder)).toEqual(["ca.pem"])
  })

  test("overwrites no other file", async () => {
    await fs.writeFile(file, "my notes")
    expect(await rejected(file)).toContain(`--tls: ${file} is no certificate of an earlier start, and stays as it is.`)
    expect(await fs.readFile(file, "utf8")).toBe("my notes")
  })

  test("does not write through a link, even if there is nothing behind it", async () => {
    await fs.symlink(path.join(folder, "elsewhere"), file)
    expect(await rejected(file)).toContain(`--tls: ${file} is a link or no file, and stays as it is.`)
    expect(await fs.readdir(folder)).toEqual(["ca.pem"])
  })
})
