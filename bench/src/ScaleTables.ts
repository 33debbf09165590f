/** The figures of docs/scale.md: what one transfer and one window take, and what that means for many. */
import * as Figure from "./Figure.ts"
import { type Result, spreadOf } from "./Result.ts"

const partners = 1000
const transfers = 1e9
const pageSize = 20
/** A dense window is divided into parts of about so many transfers. */
const transfersOfWindow = 2000
/** Requests per second that a service allows a partner: an assumption. */
const rate = 50

const [start, end] = ["<!-- figures -->", "<!-- /figures -->"]

/** The page with the figures of a result between its marks. */
export const inPage = (page: string, result: Result): string => {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/scale.md has no ${start} … ${end}.`)
  return `${page.slice(0, from)}${start}\n\n${markdown(result)}\n\n${page.slice(to)}`
}

const markdown = (result: Result): string => {
  const median = (name: string, key: string): number => {
    const spread = spreadOf(result.contestants.find((each) => each.name === name)?.samples[key])
    if (spread === undefined) throw new Error(`bench/results/workers.json has no ${key} of ${name}.`)
    return spread.median
  }
  const overhead = (key: string) =>
    median("PostgreSQL, windows of the queue", key) - median("PostgreSQL, windows in a loop", key)
  const one = {
    worker: median("PostgreSQL, 2 processes", "cpu"),
    database: median("PostgreSQL, 2 processes", "database"),
    size: median("PostgreSQL, 2 processes", "size"),
    windowOfWorker: overhead("window cpu"),
    windowOfDatabase: overhead("window database"),
  }
  const windows = transfers / transfersOfWindow
  const hours = (seconds: number): string => Figure.plain(seconds / 3600)
  const measured = [
    ["CPU time of a worker, a transfer", `${Figure.plain(one.worker)} µs`],
    ["CPU time of PostgreSQL, a transfer", `${Figure.plain(one.database)} µs`],
    ["CPU time of a worker that the queue adds, a window", `${Figure.plain(one.windowOfWorker)} ms`],
    ["CPU time of PostgreSQL that the queue adds, a window", `${Figure.plain(one.windowOfDatabase)} ms`],
    ["Size in PostgreSQL, with its indexes, a transfer", `${Figure.plain(one.size)} kB`],
  ]
  const perPartner = transfers / partners / pageSize
  const limits = [
    [
      "The service",
      `${Figure.plain(perPartner)} requests a partner / ${rate} per second, an assumption; all partners at once`,
      `${Figure.plain(perPartner / rate / 60)} minutes`,
    ],
    [
      "Workers",
      `${Figure.plain(transfers)} transfers × ${Figure.plain(one.worker)} µs`,
      `${hours((transfers * one.worker) / 1e6)} CPU hours`,
    ],
    [
      "PostgreSQL",
      `${Figure.plain(transfers)} transfers × ${Figure.plain(one.database)} µs`,
      `${hours((transfers * one.database) / 1e6)} CPU hours`,
    ],
    [
      "The queue, in PostgreSQL",
      `${Figure.plain(windows)} windows of ${Figure.plain(transfersOfWindow)} × ${Figure.plain(one.windowOfDatabase)} ms`,
      `${hours((windows * one.windowOfDatabase) / 1e3)} CPU hours`,
    ],
    ["Disk", `${Figure.plain(transfers)} transfers × ${Figure.plain(one.size)} kB`, `${Figure.plain(one.size)} TB`],
  ]
  const { date, cores, cpu, load_average } = result.conditions
  return [
    table(["measured", ""], measured),
    `${result.rounds === 1 ? "One round" : `${result.rounds} rounds`}, ${date}, ${cores} × ${cpu}; load ${load_average.toFixed(1)}${load_average > 2 * cores ? ", which is much other work: these are upper bounds" : ""}.`,
    table(
      [`${Figure.plain(transfers)} transfers of ${Figure.plain(partners)} partners`, "arithmetic", "takes"],
      limits,
    ),
  ].join("\n\n")
}

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
