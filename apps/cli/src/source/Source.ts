/**
 * Whose transfers a command reads, which of them the source has, and as of when. A question that names what the source
 * lacks is refused, or answered with a note if --allow-incomplete is given. Asked before the transfers are read: a sync
 * that goes on meanwhile can then only make them newer than the claim.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Dialect from "@transferkit/domain/Dialect"
import { escapeControls } from "@transferkit/domain/SafeText"
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import manifest from "../../package.json" with { type: "json" }
import { NotCovered } from "../Failure.ts"
import { now } from "../filter/Now.ts"
import { Globals, isForScript, type Output } from "../flags/Globals.ts"
import type { Report } from "../output/Report.ts"
import { Screen } from "../terminal/Screen.ts"
import { UsageError } from "../UsageError.ts"

/** Asks the source of the command. */
export const ask = Effect.fnUntraced(function* (question: Coverage.Question, stating?: ReadonlyArray<Output>) {
  return yield* askOf(yield* TransferSource, question, stating)
})

/**
 * Asks a source. What is final is as the profile says, unless the question says otherwise. Fails with {@link NotCovered} if
 * it lacks what the question names, unless that was allowed. The outputs of the command that are `stating` as of when the
 * source is, with {@link toJson}, need no warning that it ends then.
 */
export const askOf = Effect.fnUntraced(function* (
  of: TransferSource["Service"],
  question: Coverage.Question,
  stating: ReadonlyArray<Output> = ["json"],
) {
  const asked = yield* compare(of, question)
  if (!(yield* isLacking(asked))) yield* remark(question, asked, stating)
  return asked
})

/** Asks about transfers that a source has: whether they may have changed since, by the profile. */
export const askFound = (of: TransferSource["Service"]) => Effect.flatMap(compare(of, Coverage.found), isLacking)

/** Whether a source lacks something that may be lacking, of which it warns. Fails if it may not. */
const isLacking = Effect.fnUntraced(function* (asked: SourceWords.Asked) {
  const { source, answer } = asked
  const lacks = SourceWords.lacksOf(source, answer)
  if (lacks === undefined) return false
  if (!(yield* Globals).allowIncomplete) {
    return yield* new NotCovered({ source: source.name, lacks, widen: SourceWords.remedyOf(source, answer) })
  }
  yield* warn(asked)
  return true
})

/** Says what a source lacks of a question that it answers in part. */
export const warnOf = (of: TransferSource["Service"], question: Coverage.Question) =>
  Effect.flatMap(compare(of, question), warn)

const compare = Effect.fnUntraced(function* (
  { name, kind, about, ...of }: TransferSource["Service"],
  given: Coverage.Question,
) {
  const question = { final: Dialect.finalStatuses(yield* Dialect.Dialect), ...given }
  const source: SourceWords.Source = { name, kind, about, origin: yield* of.origin, coverage: yield* of.coverage }
  const asked: SourceWords.Asked = { source, answer: Coverage.answer(source.coverage, question, yield* now) }
  return asked
})

/** Says what is to be known of a source that lacks nothing of a question. */
const remark = Effect.fnUntraced(function* (
  question: Coverage.Question,
  { source, answer }: SourceWords.Asked,
  stating: ReadonlyArray<Output>,
) {
  const screen = yield* Screen
  const { output, quiet } = yield* Globals
  if (!(yield* isForScript)) {
    yield* Effect.forEach(SourceWords.notesOf(source, question, answer), screen.say, { discard: true })
    return
  }
  if (quiet) return
  const isStated = output !== undefined && stating.includes(output)
  for (const { code, message } of SourceWords.remarksOf(source, answer)) {
    if (code !== "ToDate" || !isStated) yield* screen.fail(warning(code, `${message}.`), { json: true })
  }
})

/** Beside `source` in a document, because lines of transfers have no place for it. */
const warning = (code: string, message: string): string => `${JSON.stringify({ warning: { code, message } })}\n`

const warn = Effect.fnUntraced(function* ({ source, answer }: SourceWords.Asked) {
  const lacks = SourceWords.lacksOf(source, answer)
  if (lacks === undefined) return
  const message = `${source.name} lacks ${lacks}. ${SourceWords.remedyOf(source, answer)}.`
  const screen = yield* Screen
  yield* (yield* isForScript)
    ? screen.fail(warning("NotCovered", message), { json: true })
    : screen.warn(`note: ${escapeControls(message)}\n`)
})

/** What the service of the transfers supports. A file does not say. */
export const capabilities = Effect.gen(function* () {
  const { name, capabilities: known } = yield* TransferSource
  if (known !== undefined) return yield* known
  const message = `${name} has no capabilities: name them with --capabilities FILE, which transfers capabilities --output json writes.`
  return yield* new UsageError({ message })
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
