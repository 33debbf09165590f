/** The kinds of flags that this program has. */
import * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

/** An optional flag. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  Flag.map(Flag.optional(flag), Option.getOrUndefined)

/** A required text. */
export const requiredText = (name: string, metavar: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** An optional text. */
export const text = (name: string, metavar: string, description: string): Flag.Flag<string | undefined> =>
  optional(requiredText(name, metavar, description))

/** The identifier of a transfer. An empty variable of a shell is none. */
export const identifier = (description: string): Argument.Argument<string> =>
  Argument.String("id").pipe(
    Argument.withDescription(description),
    Argument.filter(
      (given) => given !== "",
      () => "an identifier, such as order-1001",
    ),
  )

/** Where a program that keeps running serves what monitoring asks for. */
export const serve = (what: string) => text("metrics", "PORT", `${what} there; HOST:PORT serves other machines, too`)

/** One of several texts, which the library adds to the description. */
export const choice = <const A extends string>(
  name: string,
  metavar: string,
  choices: ReadonlyArray<A>,
  description: string,
): Flag.Flag<A> => Flag.Literals(name, choices).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** Any number of texts. */
export const texts = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.atLeast(requiredText(name, metavar, description), 0)

/** A flag without a value. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** A whole number within bounds, both included. */
export const wholeNumber = <A extends number | undefined>(
  name: string,
  metavar: string,
  description: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: A },
): Flag.Flag<number | A> =>
  requiredText(name, metavar, description).pipe(
    Flag.filterMap(
      (given) =>
        Option.some(Number(given)).pipe(Option.filter((value) => /^\d+$/.test(given) && value >= from && value <= to)),
      () => `a whole number from ${from} to ${to}`,
    ),
    Flag.withDefault(otherwise),
  )

/** For commands that check against capabilities. */
export const capabilities = text("capabilities", "FILE", "Use capabilities saved as JSON instead of the service's")

/** For commands that check fees. */
export const fees = text("fees", "FILE", "Compare the fees with this agreed schedule (JSON)")

/** For commands that write CSV. */
export const csvRaw = toggle("csv-raw", "Do not escape CSV cells that look like formulas")

/** For commands that write CSV. */
export const csvDialect = optional(
  choice("csv-dialect", "DIALECT", CsvDialect.dialects, `How to write CSV, by default ${CsvDialect.dialects[0]}`),
)

/** For commands that scan. */
export const concurrency = wholeNumber("concurrency", "N", "Pages to request at once, 1 to 64 (default 8)", {
  from: 1,
  to: 64,
  otherwise: 8,
})

/** For commands with `--workers`. Zero is no limit. */
export const rateLimit = wholeNumber(
  "rate-limit",
  "N",
  "Requests per second of all workers together, by default as the service allows",
  { from: 1, to: 10_000, otherwise: 0 },
)

const week = 604_800

/** For commands that read again and again. */
export const interval = (description: string, otherwise: number): Flag.Flag<number> =>
  wholeNumber("interval", "SECONDS", `${description} (default ${otherwise})`, { from: 1, to: week, otherwise })

/** `later` says how transfers are treated that appear after that, and what is the default. */
export const lookBack = <A extends number | undefined>(later: string, otherwise: A): Flag.Flag<number | A> =>
  wholeNumber("look-back", "SECONDS", `How long after its creation a transfer may appear; ${later}`, {
    from: 1,
    to: week,
    otherwise,
  })

/** Of the deployment: see `Dialect`. */
export const settled = texts(
  "settled",
  "STATUS",
  "A status of transfers whose money has moved, by default complete; repeatable",
)

/** Of the deployment: see `Dialect`. */
export const failed = texts(
  "failed",
  "STATUS",
  "A status of transfers whose money will not move, by default declined; repeatable",
)
