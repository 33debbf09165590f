/**
 * A process for somebody's program: SQL, jq or a template. JavaScript cannot interrupt it while it runs, but a process can be
 * ended at once. bin needs this before anything else is loaded.
 */
const variable = "TRANSFERS_OWN_PROCESS"

/** The environment of such a child. A variable that comes from elsewhere does not name its parent. */
export const environment = (): NodeJS.ProcessEnv => ({ ...process.env, [variable]: String(process.pid) })

/** Whether this is such a process. */
export const isHere = (): boolean => process.env[variable] === String(process.ppid)

/**
 * Lets signals end this process at once, and ends it with its parent, which a signal may have ended at once, too. Returns how
 * to set the MiB of memory with which SIGKILL ends it: what runs can neither look at that itself nor be interrupted.
 */
export const endAtOnce = (): ((mostMegabytes: number) => void) => {
  leaveSignalsToTheSystem()
  // An import would load it on every start: 40 million instructions, four tenths of what Node takes for `-e 0`.
  const { Worker } = process.getBuiltinModule("node:worker_threads")
  const most = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity)
  const watch = `const { workerData: most } = require("node:worker_threads")
    const isWell = () => process.ppid === ${process.ppid} && process.memoryUsage.rss() <= most[0]
    setInterval(() => isWell() || process.kill(${process.pid}, "SIGKILL"), 100)`
  new Worker(watch, { eval: true, workerData: most }).unref()
  return (mostMegabytes) => void most.fill(mostMegabytes * 1024 * 1024)
}

/** A listener would keep signals from ending what runs. */
export const leaveSignalsToTheSystem = (): void => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal)
}
