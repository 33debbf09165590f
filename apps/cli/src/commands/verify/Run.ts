/** Runs `transfers verify`. */
import { basename } from "node:path"
import * as Origin from "@transferkit/domain/Origin"
import * as ExportCheck from "@transferkit/files/exports/ExportCheck"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Progress from "../../progress/Progress.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as VerifyReport from "./Report.ts"

/** The arguments of the command. */
export interface Input {
  readonly file: string
  readonly key: string | undefined
  readonly ledger: ReadonlyArray<string>
}

export const run = Effect.fn("transfers verify")(
  function* (input: Input) {
    preferSmallHeap()
    if (/\.zip$/i.test(input.file)) return yield* verifyClose(input)
    if (input.key !== undefined || input.ledger.length > 0) {
      return yield* new UsageError({ message: "--key and --ledger are for the bundle of a close (.zip)." })
    }
    const manifest = yield* ExportFile.readManifest(input.file)
    const { format } = manifest
    const source = { path: input.file, ...ExportManifest.csvOf(manifest) }
    const checks = yield* Effect.scoped(
      Effect.gen(function* () {
        const counted = yield* Progress.ofFile(manifest.transfers)
        const found = {
          file: basename(input.file),
          ...(yield* TransferFile.fingerprint(input.file)),
          columns: manifest.columns === undefined || format !== "csv" ? undefined : yield* TransferFile.columns(source),
          transfers:
            manifest.columns === undefined && format !== "xlsx"
              ? counted(TransferFile.transfers({ ...source, format }))
              : undefined,
        }
        return yield* ExportCheck.check(found, manifest, yield* ScratchFile.make)
      }),
    )
    const unread = format === "xlsx" ? ". The rows of a workbook are not read" : ""
    const words = (ok: boolean) => `${input.file}: ${ok ? "matches" : "does not match"} its manifest${unread}`
    yield* conclude([...(yield* accountOf(manifest)), ...checks], words)
  },
  Effect.scoped,
  guarded,
)

/** Rows do not say whose they are. So an account that is named is compared with that of the manifest. */
const accountOf = Effect.fnUntraced(function* ({ origin }: ExportManifest.ExportManifest) {
  const { baseUrl, partnerId } = yield* Globals
  const service = baseUrl === undefined ? undefined : (Origin.baseUrl(baseUrl) ?? baseUrl)
  return [
    { check: "partner", expected: partnerId, found: origin?.partner_id ?? "unknown" },
    { check: "service", expected: service, found: origin?.base_url ?? "unknown" },
  ].flatMap(({ check, expected, found }) =>
    expected === undefined ? [] : [{ check, expected, found, ok: expected === found }],
  )
})

const verifyClose = Effect.fnUntraced(function* ({ file, key, ledger: ledgers }: Input) {
  const CloseCheck = yield* Effect.promise(() => import("@transferkit/books/close/CloseCheck"))
  const { bundle, checks, signature } = yield* Progress.during("repeating the close")(
    CloseCheck.check(file, { key, ledgers }),
  )
  const unsigned = signature === "none" ? "It is not signed" : "Its signature was not checked: give --key"
  const who = checks.find(({ check }) => check === "close.sig")?.found ?? `${unsigned}: hashes show damage, not forgery`
  const { month, version } = bundle.manifest
  yield* conclude(
    checks,
    (ok) =>
      `${file}: ${ok ? `the books of ${month} are repeated, byte for byte` : `does not give the books of ${month} again; version ${version} wrote it`}. ${who}`,
    { signature },
  )
})

const conclude = Effect.fnUntraced(function* (
  checks: ReadonlyArray<ExportCheck.Check>,
  words: (ok: boolean) => string,
  more = {},
) {
  const output = yield* Report.outputOf("json")
  yield* Report.print(VerifyReport.make(checks, more), output)
  const failed = checks.filter(({ ok }) => !ok).length
  if (output === "table") yield* (yield* Screen).say(words(failed === 0))
  if (failed > 0) return yield* new Findings({ count: failed })
})
