/** The transcript in the README: commands of the CLI and their output, recorded against the fake. */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "./Programs.ts"
import * as ShellText from "./ShellText.ts"

const begin = "<!-- transcript: `pnpm docs:transcript` records it, `pnpm test` compares it -->\n```console\n"
const end = "\n```\n"

/** The transcript in a document. Throws if there is none. */
export const find = (markdown: string): string => {
  const start = markdown.indexOf(begin)
  if (start === -1) throw new Error("The document has no transcript.")
  return markdown.slice(start + begin.length, markdown.indexOf(end, start + begin.length))
}

/** The document with another transcript. */
export const replace = (markdown: string, transcript: string): string =>
  markdown.replace(`${begin}${find(markdown)}${end}`, () => `${begin}${transcript}${end}`)

/** Runs the commands of a transcript again, in an empty folder, against a fake that always holds the same transfers. */
export const record = async (transcript: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-transcript-"))
  try {
    writeFileSync(join(folder, "proposals.json"), proposals)
    await using fake = await Programs.startFake(Programs.sample)
    const env = {
      ...process.env,
      NO_COLOR: "1",
      COLUMNS: "100",
      TRANSFERS_BASE_URL: fake.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    return ShellText.commandsOf("console", transcript)
      .map((line) => {
        const { status, output } = execute(line, folder, env)
        return [`$ ${line}`, ...output, ...(status === 0 ? [] : [`(exit code ${status})`])].join("\n")
      })
      .join("\n\n")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Both streams go into one file, to keep the order in which a person would see them. */
const execute = (line: string, cwd: string, env: NodeJS.ProcessEnv) => {
  const [[program = "", ...words] = []] = ShellText.wordsOf(line)
  const [file, ...args] = program === "transfers" ? Programs.commandOf(program) : [program]
  const screen = join(cwd, ".screen")
  const descriptor = openSync(screen, "w")
  const { status } = spawnSync(file, [...args, ...words], { cwd, env, stdio: ["ignore", descriptor, descriptor] })
  closeSync(descriptor)
  const lines = readFileSync(screen, "utf8").trimEnd().split("\n")
  return { status, output: lines.map((each) => each.trimEnd()) }
}

/** Two proposals; the second is invalid for two reasons. */
const proposals = JSON.stringify([
  {
    external_id: "order-1",
    country_code: "DE",
    payment_method: "sepa",
    source: { amount: "100.00", currency_code: "fiat/EUR" },
    destination_currency_code: "ethereum/ETH",
  },
  {
    external_id: "order-2",
    country_code: "AQ",
    payment_method: "sepa",
    source: { amount: "0.50", currency_code: "fiat/EUR" },
    destination_currency_code: "ethereum/ETH",
  },
])
