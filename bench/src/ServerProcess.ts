/** A server in a process of its own, started for one measurement and ended after it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
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

/** Linux's `/proc`; empty if the process has ended. */
const readProc = (pid: number | undefined, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}

/** The fields of `stat` from the third on: those before it are the id and the name. */
const statOf = (pid: number | undefined): ReadonlyArray<string> =>
  readProc(pid, "stat").split(") ")[1]?.split(" ") ?? []

/** User and system time, in hundredths of a second there. */
const cpuSeconds = (pid: number | undefined): number => {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** CPU seconds of the processes that this one has started and that have ended. */
export const endedCpuSeconds = (): number => {
  const fields = statOf(process.pid)
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** CPU seconds of a process, of its children, and of those that have ended. */
export const familyCpuSeconds = (pid: number): number => {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
  const ticks = [String(pid), ...children].flatMap((each) => statOf(Number(each)).slice(11, 15))
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100
}

const peakMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readProc(pid, "status"))?.[1]) / 1024
