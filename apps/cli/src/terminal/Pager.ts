/** Shows a text that is longer than the terminal from its start, as git does, with the person's own pager. */
type Environment = Readonly<Record<string, string | undefined>>

/** A terminal that text is read on. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly rows?: number
}

/** The command line of the pager; none if the text fits, if nobody is there to turn pages, or if none is wanted. */
export const of = (
  text: string,
  { stdin, stdout, env }: { readonly stdin: Terminal; readonly stdout: Terminal; readonly env: Environment },
): string | undefined => {
  if (stdin.isTTY !== true || stdout.isTTY !== true || env["TERM"] === "dumb") return undefined
  if (text.split("\n").length <= (stdout.rows || 24)) return undefined
  const pager = env["PAGER"] ?? "less"
  return pager === "" || pager === "cat" ? undefined : pager
}

/** Shows a text in the pager, if it is to have one. False if it is still to be written, also for want of a pager. */
export const show = (text: string): boolean => {
  const pager = of(text, process)
  if (pager === undefined) return false
  // -F ends at once if the text fits, -R keeps colours, -X leaves the text on the screen.
  const env = { LESS: "FRX", ...process.env }
  // Not an import: every page of help would wait for it, and the module costs as much as the rest of such a start.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { status } = spawnSync(pager, { shell: true, input: text, stdio: ["pipe", "inherit", "inherit"], env })
  return status !== 126 && status !== 127
}
