/** Runs `transfers validate`. */
import type * as Capabilities from "@transferkit/domain/Capabilities"
import { counted, grouped } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Validation from "@transferkit/domain/Validation"
import { FileError } from "@transferkit/files/FileError"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Findings } from "../../Failure.ts"
import * as ProposalFile from "../../files/ProposalFile.ts"
import * as ProposalTable from "../../files/ProposalTable.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as CapabilitiesHash from "../../service/CapabilitiesHash.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { readStandardInput } from "../../terminal/StandardInput.ts"
import { UsageError } from "../../UsageError.ts"
import * as ValidationReport from "./Report.ts"

/** The flags of the command. */
export interface Input {
  readonly file: string
  readonly capabilities: string | undefined
  readonly expectHash: string | undefined
}

/** Rejects standard input as proposals and as the secret key. */
export const check = Effect.fnUntraced(function* (input: Input) {
  if (input.file === "-" && (yield* Globals).secretKeyStdin && input.capabilities === undefined) {
    return yield* new UsageError({
      message: "Standard input cannot hold both the proposals and the secret key: use --secret-key-file.",
    })
  }
})

export const run = Effect.fn("transfers validate")(function* (input: Input) {
  const screen = yield* Screen
  const text = yield* input.file === "-" ? readStandardInput : TextFile.read(input.file)
  const { proposals, lines } = yield* Effect.fromResult(
    Result.mapError(
      parse(text),
      (reason) =>
        new FileError({ path: input.file === "-" ? "standard input" : input.file, reason: escapeControls(reason) }),
    ),
  )
  const capabilities = yield* Source.capabilities
  if (input.expectHash !== undefined) yield* expectHash(capabilities, input.expectHash)
  const nameOf = lines && ((index: number) => `The proposal on line ${lines[index]}`)
  const verdicts = Validation.validateAll(proposals, capabilities, nameOf)
  const output = yield* Report.outputOf("json")
  yield* Report.print(ValidationReport.make(verdicts, lines), output)
  const invalid = verdicts.filter((verdict) => !verdict.valid).length
  if (output === "table") yield* screen.note(`${counted(verdicts.length, "proposal")}, ${grouped(invalid)} invalid\n`)
  if (invalid > 0) return yield* new Findings({ count: invalid })
})

interface Parsed {
  readonly proposals: ReadonlyArray<unknown>
  /** The line of each proposal, if they are rows of a table. */
  readonly lines?: ReadonlyArray<number>
}

const parse = (text: string): Result.Result<Parsed, string> =>
  ProposalTable.isTable(text)
    ? Result.map(ProposalTable.parse(text), (rows) => ({
        proposals: rows.map(({ proposal }) => proposal),
        lines: rows.map(({ line }) => line),
      }))
    : Result.map(ProposalFile.parse(text), (proposals) => ({ proposals }))

const expectHash = Effect.fnUntraced(function* (capabilities: Capabilities.Capabilities, expected: string) {
  const actual = CapabilitiesHash.of(capabilities)
  if (actual === expected) return
  return yield* new UsageError({
    message:
      `The capabilities have the hash ${actual}, and not ${expected}. Use a copy of those with --capabilities: the ` +
      `validation lambda returns it for the event {"capabilities":"${expected}"}.`,
  })
})
