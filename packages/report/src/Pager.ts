/** Pages text that is longer than the terminal, as git does, with the user's own pager. */
type Environment = Readonly<Record<string, string | undefined>>

/** A terminal that text is read on. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly rows?: number
}

/** Where it is read: a process has all three. */
export interface Place {
  readonly stdin: Terminal
  readonly stdout: Terminal
  readonly env: Environment
}

/** The command line of the pager; undefined if the text fits, the output is not a terminal, or `PAGER` disables it. */
export const of = (text: string, { stdin, stdout, env }: Place): string | undefined => {
  if (stdin.isTTY !== true || stdout.isTTY !== true || env["TERM"] === "dumb") return undefined
  if (text.split("\n").length <= (stdout.rows || 24)) return undefined
  const pager = env["PAGER"] ?? "less"
  return pager === "" || pager === "cat" ? undefined : pager
}

/** Shows a text in the pager. False if it needs none or the pager cannot be started: then the caller prints it. */
export const show = (text: string, place: Place): boolean => {
  const pager = of(text, place)
  if (pager === undefined) return false
  // -F ends at once if the text fits, -R keeps colours, -X leaves the text on the screen.
  const env = { LESS: "FRX", ...place.env }
  // Not an import: every page of help would wait for it, and the module costs as much as the rest of such a start.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { status } = spawnSync(pager, { shell: true, input: text, stdio: ["pipe", "inherit", "inherit"], env })
  return status !== 126 && status !== 127
}
