/** The terminal in the README: commands of the CLI and their output, recorded against the fake, as a picture. */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"
import * as ShellText from "./ShellText.ts"

/** The picture's file. */
export const file = join(Repository.root, "docs/pictures/terminal.svg")

const commands = [
  "transfers export --since 2024-09 --until 2024-09 --concurrency 1 --out september.csv",
  "transfers summary --from september.csv --by currency --field source_total_usd --chart",
  "transfers validate proposals.json --output table",
]

const columns = 108

/** Runs the commands in an empty folder, against a fake that always holds the same transfers, and draws what they print. */
export const record = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-transcript-"))
  try {
    writeFileSync(join(folder, "proposals.json"), proposals)
    await using fake = await Programs.startFake(Programs.sample)
    const env = {
      ...process.env,
      NO_COLOR: "1",
      COLUMNS: String(columns),
      TRANSFERS_BASE_URL: fake.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    return picture(commands.flatMap((line) => [`$ ${line}`, ...execute(line, folder, env), ""]).slice(0, -1))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Both streams go into one file, to keep the order in which a person would see them. */
const execute = (line: string, cwd: string, env: NodeJS.ProcessEnv): ReadonlyArray<string> => {
  const [[, ...words] = []] = ShellText.wordsOf(line)
  const [program, ...args] = Programs.commandOf("transfers")
  const screen = join(cwd, ".screen")
  const descriptor = openSync(screen, "w")
  spawnSync(program, [...args, ...words], { cwd, env, stdio: ["ignore", descriptor, descriptor] })
  closeSync(descriptor)
  const isProgress = (shown: string): boolean => /^[\d,]+ transfers · /.test(shown)
  return readFileSync(screen, "utf8")
    .trimEnd()
    .split("\n")
    .filter((shown) => !isProgress(shown))
}

/** A terminal with these lines. Each is as wide as its characters, whatever font the reader has. */
export const picture = (lines: ReadonlyArray<string>): string => {
  const [character, height, margin] = [7.8, 18, 16]
  const [width, depth] = [Math.ceil(columns * character) + 2 * margin, lines.length * height + 2 * margin]
  const texts = lines.map((line, index) => {
    const y = margin + 13 + index * height
    const command = line.startsWith("$ ") ? ' class="command"' : ""
    return `<text x="${margin}" y="${y}" textLength="${Math.round(line.length * character)}"${command}>${escape(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${depth}" width="${width}" role="img" aria-label="A terminal: an export, totals as bars, and a validation" xml:space="preserve">
<style>
text{fill:#1f2328;font:13px ui-monospace,monospace;white-space:pre}
.command{fill:#0969da}
rect{fill:#f6f8fa;stroke:#d1d9e0}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.command{fill:#79c0ff}
rect{fill:#1c2129;stroke:#3d444d}
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${depth - 1}" rx="8"/>
${texts.filter((text) => !text.endsWith("></text>")).join("\n")}
</svg>
`
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

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
