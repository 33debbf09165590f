/** The flags that the library brings and this program keeps. */
import * as GlobalFlag from "effect/cli/GlobalFlag"

export const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.LogLevel] as const
