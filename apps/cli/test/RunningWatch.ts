/** A `transfers watch` that polls each second, and its output. */
import { demo, start } from "./Cli.ts"

export const startWatch = (url: string, state: string, command: string) => {
  const args = ["watch", "--interval", "1", "--since", "2024-09-01", "--state", state, "--exec", command]
  const child = start(args, { env: demo(url) })
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  const watch = {
    stdout: "",
    stderr: "",
    /** Interrupts it, and gives its exit code. */
    stop: () => {
      child.kill("SIGINT")
      return closed
    },
  }
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (watch.stdout += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (watch.stderr += chunk))
  return watch
}

export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 90_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not so: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
