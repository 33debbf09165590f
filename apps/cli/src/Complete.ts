/** The program with all its parts. The bundle of `Main.ts` leaves out those that few runs need; `bin.ts` chooses. */
import * as Main from "./Main.ts"
import * as Telemetry from "./telemetry/Telemetry.ts"

/** Runs the command line, sends telemetry of it, and ends the process. */
export const main = (args: ReadonlyArray<string>, version: string): void =>
  Main.main(args, version, Telemetry.layer(version))
