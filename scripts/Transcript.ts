/** The terminal in the README: commands of the CLI and their output, recorded against the fake, as a picture. */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"

/** A picture of the terminal: its file, how wide the terminal is, and the commands that fit. */
export interface Shown {
  readonly file: string
  readonly columns: number
  readonly commands: ReadonlyArray<string>
}

const pictureFile = (name: string): string => join(Repository.root, "docs/pictures", name)

/** What a desktop shows. */
export const wide: Shown = {
  file: pictureFile("terminal.svg"),
  columns: 98,
  commands: [
    "transfers export --since 2024-09 --until 2024-09 --out september.csv --quiet",
    "transfers reconcile books.csv --from september.csv --output table --quiet | head -n 7",
    "transfers report --month 2024-09 --from september.csv --ledger books.csv --html september.html",
  ],
}

/** What a phone shows: the same month, in lines that are read without scrolling. */
export const narrow: Shown = {
  file: pictureFile("terminal-narrow.svg"),
  columns: 54,
  commands: [
    "transfers export --since 2024-09 --until 2024-09 \\\n  --out september.csv --quiet",
    "transfers reconcile books.csv --quiet \\\n  --from september.csv --output table | head -n 7",
    "transfers report --month 2024-09 \\\n  --from september.csv \\\n  --ledger books.csv --html 2024-09.html",
  ],
}

/** Runs the commands in an empty folder, against a fake that always holds the same transfers, and draws what they print. */
export const record = async ({ columns, commands }: Shown): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-transcript-"))
  try {
    await using fake = await Programs.startFake(Programs.sample)
    const env = {
      ...process.env,
      NO_COLOR: "1",
      COLUMNS: String(columns),
      TRANSFERS_BASE_URL: fake.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    const lines = commands.flatMap((line, index) => {
      const printed = execute(line, folder, env)
      if (index === 0)
        writeFileSync(join(folder, "books.csv"), booksOf(readFileSync(join(folder, "september.csv"), "utf8")))
      return [
        ...`$ ${line}`.split("\n"),
        ...printed.flatMap((shown) => wrapped(shown, columns)),
        ...(printed.length === 0 ? [] : [""]),
      ]
    })
    return picture(lines.slice(0, -1), columns)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Books with two mistakes: a complete transfer is missing, and a declined one is booked. */
const booksOf = (exported: string): string => {
  const [names = "", ...rows] = exported.trimEnd().split("\n")
  const at = (name: string) => names.split(",").indexOf(name)
  const cells = rows.map((row) => row.split(","))
  const statusOf = (row: ReadonlyArray<string>) => row[at("status")]
  const complete = cells.filter((row) => statusOf(row) === "complete")
  const declined = cells.filter((row) => statusOf(row) === "declined").slice(3, 4)
  const booked = [...complete.slice(0, 40), ...declined, ...complete.slice(41)].map((row) =>
    [row[at("external_id")], row[at("source_total_amount")], row[at("source_total_currency_code")]].join(","),
  )
  return ["external_id,amount,currency", ...booked, ""].join("\n")
}

/** A line in those that the terminal has room for, broken between words; columns stay below their names. */
const wrapped = (line: string, columns: number): ReadonlyArray<string> =>
  line.length <= columns
    ? [line]
    : (line.match(new RegExp(`.{1,${columns}}(?<= |$)`, "g")) ?? [line]).map((part) => part.trimEnd())

/** Both streams go into one file, to keep the order in which a person would see them. */
const execute = (line: string, cwd: string, env: NodeJS.ProcessEnv): ReadonlyArray<string> => {
  const [program, ...args] = Programs.commandOf("transfers")
  const words = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")
  const screen = join(cwd, ".screen")
  const descriptor = openSync(screen, "w")
  spawnSync("sh", ["-c", `transfers() { ${words} "$@"; }\n${line}`], {
    cwd,
    env,
    stdio: ["ignore", descriptor, descriptor],
  })
  closeSync(descriptor)
  const isProgress = (shown: string): boolean => /^[\d,]+ transfers · /.test(shown)
  return readFileSync(screen, "utf8")
    .split("\n")
    .filter((shown) => shown !== "" && !isProgress(shown))
}

/** A terminal with these lines. Each is as wide as its characters, whatever font the reader has. */
export const picture = (lines: ReadonlyArray<string>, columns: number): string => {
  const [character, height, margin] = [7.8, 18, columns < 80 ? 10 : 16]
  const widest = Math.max(columns, ...lines.map((line) => line.length))
  const [width, depth] = [Math.ceil(widest * character) + 2 * margin, lines.length * height + 2 * margin]
  const texts = lines.map((line, index) => {
    const y = margin + 13 + index * height
    const isCommand = line.startsWith("$ ") || lines[index - 1]?.endsWith(" \\") === true
    const command = isCommand ? ' class="command"' : ""
    return `<text x="${margin}" y="${y}" textLength="${Math.round(line.length * character)}"${command}>${escape(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${depth}" width="${width}" role="img" aria-label="A terminal: an export of a month, its reconciliation with two breaks, and a report" xml:space="preserve">
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
