/** The books of a command line. Their rules are those of the package; the files, the clock and standard input are ours. */
import { basename } from "node:path"
import * as BookBase from "@transferkit/books/BookBase"
import * as BookRules from "@transferkit/books/BookRules"
import type * as Books from "@transferkit/books/Books"
import * as BookSettings from "@transferkit/books/BookSettings"
import * as LookUps from "@transferkit/books/LookUps"
import * as OpenItemsFile from "@transferkit/books/OpenItemsFile"
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import { Dialect } from "@transferkit/domain/Dialect"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as LedgerProfileFile from "@transferkit/files/node/LedgerProfileFile"
import * as SourceWords from "@transferkit/report/SourceWords"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { now } from "../../filter/Now.ts"
import { Globals } from "../../flags/Globals.ts"
import { standardInputFile } from "../../terminal/StandardInput.ts"
import { UsageError } from "../../UsageError.ts"
import * as Flags from "./Flags.ts"
import * as GivenLedger from "./GivenLedger.ts"

/** What to reconcile, and how. */
export interface Input extends Flags.Input {
  readonly ledger: ReadonlyArray<string>
  /** The bundle of a close from which these books start. */
  readonly previous?: string | undefined
}

interface Times {
  readonly period: CreatedAt.CreatedAt
  readonly timeZone: DateTime.TimeZone | undefined
}

/** Rejects flags that cannot be read, and standard input that would be read twice. */
export const check = Effect.fnUntraced(function* (input: Input, times: Times) {
  const { secretKeyStdin } = yield* Globals
  if (input.ledger.filter(isStandardInput).length > (secretKeyStdin ? 0 : 1)) {
    return yield* new UsageError({
      message: "Standard input can be read once: as one ledger (-), or as the secret key.",
    })
  }
  // Which statuses contradict each other, the profile says, too.
  yield* given({ ...input, settled: [], failed: [] }, times)
  if (input.key_pattern === undefined) return
  const { make } = yield* Effect.promise(() => import("@transferkit/files/ledgers/KeyPattern"))
  yield* Effect.fromResult(Result.mapError(make(input.key_pattern), (message) => new UsageError({ message })))
})

/** The settings that the flags give, and those of a ledger profile. */
export const read = Effect.fnUntraced(function* (input: Input, times: Times) {
  const { rules, options } = yield* given(input, times)
  const profile = input.ledger_profile === undefined ? {} : yield* LedgerProfileFile.read(input.ledger_profile)
  const ledger = yield* Effect.fromResult(
    Result.mapError(
      LedgerProfileFile.toOptions(profile, options, input.ledger_account),
      (reason) => new UsageError({ message: `--ledger-profile: ${reason}.` }),
    ),
  )
  const settings: BookSettings.BookSettings = { ...rules, ledger }
  return settings
})

const given = Effect.fnUntraced(function* (input: Input, { period, timeZone = Day.utc }: Times) {
  const context = { period, timeZone, dialect: yield* Dialect, asOf: yield* asOf(timeZone) }
  const rules = yield* Effect.fromResult(BookRules.parse(input, context))
  const options = GivenLedger.toOptions(input, { searched: BookSettings.searched(rules), timeZone })
  return { rules, options: yield* Effect.fromResult(options) }
})

/** The instant of `--as-of`. */
const asOf = Effect.fnUntraced(function* (zone: DateTime.TimeZone) {
  const { asOf: text } = yield* Globals
  if (text === undefined) return undefined
  return (yield* Effect.fromResult(TimeSpan.parse(text, { now: yield* now, name: "as_of", zone }))).from
})

/** What the flags name beside the settings: files, and where to look transfers up. */
export const parts = Effect.fnUntraced(function* (
  input: Input,
  settings: BookSettings.BookSettings,
  asked: SourceWords.Asked,
) {
  const { origin, coverage } = asked.source
  return {
    settings,
    origin,
    ledgers: yield* ledgersOf(input),
    accepted: input.accepted === undefined ? undefined : yield* AcceptedFile.read(input.accepted),
    carried:
      input.carry === undefined ? undefined : yield* OpenItemsFile.read(input.carry, BookBase.of(settings, origin)),
    words: {
      searched: SourceWords.searched(asked, BookSettings.searched(settings)),
      absence: SourceWords.absence(asked.source),
    },
    lookUps: yield* LookUps.of(settings.key, coverage),
  }
})

/** The words that repeat the flags. With `--as-of`, the day that `--grace` counts to is no longer that of the period. */
export const wordsOf = (input: Input, { asOfDay }: BookSettings.BookSettings, { source }: SourceWords.Asked) =>
  Flags.wordsOf(source.coverage?.seen_at === undefined ? input : { ...input, as_of_day: asOfDay })

const isStandardInput = (path: string): boolean => path === "-"

/** The names of the ledgers, for people. */
export const namesOf = ({ ledger }: Input): string =>
  ledger.map((path) => (isStandardInput(path) ? "standard input" : basename(path))).join(", ")

const ledgersOf = ({ ledger }: Input) =>
  Effect.forEach(ledger, (path) =>
    isStandardInput(path)
      ? Effect.map(standardInputFile, (file): Books.LedgerPlace => ({ path: file, name: "standard input" }))
      : Effect.succeed<Books.LedgerPlace>({ path }),
  )
