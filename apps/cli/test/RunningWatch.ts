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
