/** Which processes run, as `ps` has them. */
import { execFileSync } from "node:child_process"

/** The processes that a process has started, and theirs. */
export const descendants = (pid: number | undefined): ReadonlyArray<number> => {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith("Z"))
  const below = (parent: number): ReadonlyArray<number> =>
    table.filter(([, ppid]) => Number(ppid) === parent).flatMap(([child]) => [Number(child), ...below(Number(child))])
  return pid === undefined ? [] : below(pid)
}

/** Whether a process runs: one that has ended and is not collected yet does not. */
export const isRunning = (pid: number): boolean => {
  const state = execFileSync("sh", ["-c", `ps -o stat= ${pid} || true`], { encoding: "utf8" }).trim()
  return state !== "" && !state.startsWith("Z")
}
