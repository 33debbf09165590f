/** A server in a process of its own, started for one measurement and ended after it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** A server that listens. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  /** Its cost so far: CPU seconds, and peak memory in MB. */
  readonly cost: () => { readonly cpu: number; readonly memory: number }
}

/** Starts one of `servers/`, which prints its port. */
export const start = async (name: string, args: ReadonlyArray<string | number>): Promise<ServerProcess> => {
  const file = join(import.meta.dirname, "servers", `${name}.ts`)
  const child = spawn(process.execPath, [file, ...args.map(String)], { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume()
    return running(child, `http://127.0.0.1:${line}`)
  }
  throw new Error(`${name} ended before it listened`)
}

/** Starts a program that prints its URL as `{"url": …}` in its first line. */
export const startJson = async (file: string, args: ReadonlyArray<string>): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { url }: { readonly url: string } = JSON.parse(line)
    child.stdout.resume()
    return running(child, url)
  }
  throw new Error(`${file} ended before it listened`)
}

/** A process that listens at a URL. */
export const running = (child: ChildProcess, url: string): ServerProcess => ({
  url,
  cost: () => ({ cpu: cpuSeconds(child.pid), memory: peakMemory(child.pid) }),
  [Symbol.asyncDispose]: async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  },
})

/** User and system time from Linux's `/proc`, in hundredths of a second there. */
const readProc = (pid: number | undefined, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}

const cpuSeconds = (pid: number | undefined): number => {
  const fields = readProc(pid, "stat").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const peakMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readProc(pid, "status"))?.[1]) / 1024
