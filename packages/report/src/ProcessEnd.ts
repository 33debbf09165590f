/**
 * The end of a program while one of its threads waits: for a pipe without a writer, or for servers of names that do not
 * respond. An exit of Node would wait for it, too.
 */
import { existsSync } from "node:fs"

/** The exit code of a process, and the signal that it received, if it did. */
export interface End {
  readonly code: number
  readonly signal: NodeJS.Signals | undefined
}

/** How long a file may take: one that is written is complete by then. */
const patience = 200

/**
 * Ends the process by `exit`, unless a thread waits for a name, or for a file for more than 200 ms. Then the signal ends it,
 * or it ends with the code if there was none.
 */
export const end = (how: End, exit: () => void): void => {
  const deadline = performance.now() + patience
  const attempt = (): void => {
    const waiting = threads()
    if (waiting.length === 0) return exit()
    if (waiting.some(isFile) && performance.now() < deadline) return void setTimeout(attempt, 10)
    // After all other listeners: some delete locks or end commands.
    process.on("exit", () => leaveThreads(how))
    process.exit(how.code)
  }
  attempt()
}

const leaveThreads = ({ code, signal }: End): void => {
  // A listener would keep signals from ending the process.
  for (const name of ["SIGINT", "SIGTERM"]) process.removeAllListeners(name)
  if (signal !== undefined) return void process.kill(process.pid, signal)
  // Nothing else ends a process of Node with a code and without its threads.
  if (existsSync(shell)) process.execve?.(shell, ["sh", "-c", `exit ${code}`], {})
}

const shell = "/bin/sh"

/** What threads wait for, as Node names it. */
const threads = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((name) => isFile(name) || name === "GetAddrInfoReqWrap")

const isFile = (name: string): boolean => name.startsWith("FSReq")
