/**
 * Whose transfers a command reads, which of them the source has, and as of when. A question that names what the source
 * lacks is refused, or answered with a note if --allow-incomplete is given. Asked before the transfers are read: a sync
 * that goes on meanwhile can then only make them newer than the claim.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Origin from "@transferkit/domain/Origin"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import manifest from "../../package.json" with { type: "json" }
import { NotCovered } from "../Failure.ts"
import { now } from "../filter/Now.ts"
import { Globals, isForScript, override } from "../flags/Globals.ts"
import * as Layers from "../Layers.ts"
import type { Report } from "../output/Report.ts"
import * as Settings from "../service/Settings.ts"
import { Screen } from "../terminal/Screen.ts"

/** The source that `--from` names. */
export const current = Effect.gen(function* () {
  const { from, sandbox } = yield* Globals
  const at = yield* now
  if (from === undefined) {
    const origin = sandbox ? Origin.sandbox : yield* originOfSettings
    const source: SourceWords.Source = { name: "the service", kind: "service", origin, coverage: Coverage.upTo(at) }
    return source
  }
  if (Layers.isFile(from)) {
    const FileSource = yield* Effect.promise(() => import("../files/FileSource.ts"))
    const source: SourceWords.Source = { name: `the file ${from}`, kind: "file", ...(yield* FileSource.describe(from)) }
    return source
  }
  const MirrorSource = yield* Effect.promise(() => import("../mirror/MirrorSource.ts"))
  const { address, origin, coverage } = yield* MirrorSource.describe
  const source: SourceWords.Source = { name: `the mirror ${address}`, kind: "mirror", origin, coverage }
  return source
})

const originOfSettings = Effect.gen(function* () {
  const { baseUrl, partnerId } = yield* override({ secretKeyStdin: false, secretKeyFile: undefined })(Settings.resolve)
  return Result.getOrUndefined(Origin.make(baseUrl?.value ?? "", partnerId?.value ?? ""))
})

/** Asks the source that `--from` names. */
export const ask = Effect.fnUntraced(function* (question: Coverage.Question) {
  return yield* askOf(yield* current, question)
})

/** The same of every partner of a mirror, for questions that name none. */
export const askAll = Effect.fnUntraced(function* (question: Coverage.Question) {
  const { from, partnerId } = yield* Globals
  if (from === undefined || partnerId !== undefined || Layers.isFile(from)) return yield* Effect.asVoid(ask(question))
  const MirrorSource = yield* Effect.promise(() => import("../mirror/MirrorSource.ts"))
  const partners = yield* MirrorSource.partners
  if (partners.length === 0) return yield* Effect.asVoid(ask(question))
  yield* Effect.forEach(partners, (one) => override({ partnerId: one })(ask(question)), { discard: true })
})

/** Asks a source. Fails with {@link NotCovered} if it lacks what the question names, unless that was allowed. */
export const askOf = Effect.fnUntraced(function* (source: SourceWords.Source, question: Coverage.Question) {
  const { allowIncomplete } = yield* Globals
  const screen = yield* Screen
  const answer = Coverage.answer(source.coverage, question, yield* now)
  const lacks = SourceWords.lacksOf(source, answer)
  if (lacks !== undefined && !allowIncomplete) {
    return yield* new NotCovered({ source: source.name, lacks, widen: SourceWords.widen[source.kind] })
  }
  const note =
    lacks === undefined
      ? SourceWords.noteOf(source, question, answer)
      : `note: ${source.name} lacks ${lacks}. ${SourceWords.widen[source.kind]}.`
  // Scripts read the same in `source`.
  if (note !== undefined && !(yield* isForScript)) {
    yield* (lacks === undefined ? screen.note : screen.warn)(`${escapeControls(note)}\n`)
  }
  const asked: SourceWords.Asked = { source, answer }
  return asked
})

/** What a JSON document says of its source. */
export const toJson = (asked: SourceWords.Asked) => SourceWords.toJson(asked, manifest.version)

/** A report whose JSON says of what source it is. */
export const withSource = (report: Report, asked: SourceWords.Asked): Report => ({
  ...report,
  json: Predicate.isObject(report.json) ? { ...report.json, source: toJson(asked) } : report.json,
})

/** The instant up to which a derived file may claim to be complete, and the rest of its claim. */
export const derived = ({ source: { coverage }, answer }: SourceWords.Asked): Coverage.Coverage | undefined =>
  coverage && Coverage.derive(coverage, answer.asked)
