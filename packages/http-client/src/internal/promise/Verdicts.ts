/** The verdicts of `validate`: a module that is loaded when they are first asked for. */
import * as Proposals from "@transferkit/domain/Proposals"
import * as Validation from "@transferkit/domain/Validation"
import * as Result from "effect/Result"
import type { Capabilities, Verdict } from "./Values.ts"

/** The proposals in a value. A text is their JSON, such as the body of a request. */
export const read = (given: unknown): ReadonlyArray<unknown> =>
  Result.getOrThrow(typeof given === "string" ? Proposals.parse(given) : Proposals.fromJson(given))

/** The verdict on each, of which there is at least one. */
export const on = (proposals: ReadonlyArray<unknown>, capabilities: Capabilities) =>
  Validation.validateAll(proposals, capabilities) as [Verdict, ...Array<Verdict>]
