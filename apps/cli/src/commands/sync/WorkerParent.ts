/** The sync that has started a worker for `--workers`: the worker ends with it, even if it was killed. */

const variable = "TRANSFERS_WORKER_OF"

/** What such a worker has in its environment. Its standard input is a pipe that this process holds. */
export const environment = (): NodeJS.ProcessEnv => ({ [variable]: String(process.pid) })

/** How long a worker has to give back what it has taken, in milliseconds. */
const patience = 800

/** Ends this process a moment after its parent, if that is such a sync. A variable that comes from elsewhere does not name it. */
export const endWith = (): void => {
  if (process.env[variable] !== String(process.ppid)) return
  let isEnding = false
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (isEnding = true))
  process.stdin.on("close", () => {
    // A second signal would not let it give back anything.
    if (!isEnding) process.kill(process.pid, "SIGTERM")
    setTimeout(() => process.kill(process.pid, "SIGKILL"), patience).unref()
  })
  process.stdin.on("error", () => {}).resume()
  process.stdin.unref()
}
