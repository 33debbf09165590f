/** How this process was started, for a command that does its work in another one. Absent within tests. */
import * as Context from "effect/Context"

export interface CommandLine {
  readonly file: string
  /** The program and what Node needs to run it. */
  readonly program: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
}

export const Rerun = Context.Reference<CommandLine | undefined>("@transferkit/cli/Rerun", {
  defaultValue: () => undefined,
})
