/** What a fake says where no caller hears it. */
import { escapeLines } from "@transferkit/domain/SafeText"

/** Says something on standard error. What files, arguments and services put into it may hold control characters. */
export const say = (message: string): void => void process.stderr.write(`transfers-fake: ${escapeLines(message)}\n`)
